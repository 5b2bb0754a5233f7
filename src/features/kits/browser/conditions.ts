import { setTimeout as sleep } from 'node:timers/promises';

import { RE2JS } from 're2js';
import * as z from 'zod';

import { truncate } from '../../../kernel/text/truncate.js';
import { isAnyVisible, locatorSchema } from './locators.js';
import type { BrowserSession } from './session.js';

const LOOK_MS = 100;
const milliseconds = z.int().min(0).max(86_400_000);

/** What SoulBrowser waits for, and validates by. */
export const conditionSchema = z.union([
  z.strictObject({ ElementVisible: locatorSchema }),
  z.strictObject({ ElementHidden: locatorSchema }),
  z.strictObject({ UrlMatches: z.string() }),
  z.strictObject({ UrlEquals: z.string() }),
  z.strictObject({ TitleMatches: z.string() }),
  z.strictObject({ NetworkIdle: milliseconds }),
  z.strictObject({ Duration: milliseconds }),
]);

export type PageCondition = z.output<typeof conditionSchema>;

/** The conditions of SoulBrowser, by name. */
export const CONDITION_NAMES = [
  'ElementVisible',
  'ElementHidden',
  'UrlMatches',
  'UrlEquals',
  'TitleMatches',
  'NetworkIdle',
  'Duration',
] as const;

/** What one look has seen. */
export interface PageLook {
  readonly ok: boolean;
  readonly detail: string;
}

/** Looks at a condition once. @param since milliseconds for which it has been looked at */
async function look(condition: PageCondition, session: BrowserSession, since: number): Promise<PageLook> {
  if ('Duration' in condition)
    return { ok: since >= condition.Duration, detail: `${Math.trunc(since)} ms are over` };
  const page = session.page();
  if ('NetworkIdle' in condition) {
    const silence = session.silence(page);
    return {
      ok: silence >= condition.NetworkIdle,
      detail: `the page has asked for nothing for ${Math.trunc(silence)} ms`,
    };
  }
  if ('UrlMatches' in condition)
    return { ok: fits(condition.UrlMatches, page.url()), detail: `the page is ${shown(page.url())}` };
  if ('UrlEquals' in condition)
    return { ok: page.url() === condition.UrlEquals, detail: `the page is ${shown(page.url())}` };
  if ('TitleMatches' in condition) {
    const title = await page.title();
    return {
      ok: fits(condition.TitleMatches, title),
      detail: `the title is ${JSON.stringify(shown(title))}`,
    };
  }
  const isHidden = 'ElementHidden' in condition;
  const isVisible = await isAnyVisible(page, isHidden ? condition.ElementHidden : condition.ElementVisible);
  return {
    ok: isVisible !== isHidden,
    detail: isVisible ? 'the element is visible' : 'no such element is visible',
  };
}

/** Looks at a condition again and again, until it holds or the time is over. @returns the last look */
export async function lookUntil(
  condition: PageCondition,
  session: BrowserSession,
  { untilMs, signal }: { readonly untilMs: number; readonly signal: AbortSignal },
): Promise<PageLook> {
  const began = performance.now();
  for (;;) {
    const since = performance.now() - began;
    // A page that is just leaving cannot be asked.
    const seen = await look(condition, session, since).catch((thrown: unknown) => {
      if (since >= untilMs || signal.aborted || isRefusal(thrown)) throw thrown;
      return { ok: false, detail: 'the page is leaving' };
    });
    if (seen.ok || since >= untilMs || signal.aborted) return seen;
    await sleep(LOOK_MS, undefined, { signal }).catch(() => undefined);
  }
}

function isRefusal(thrown: unknown): boolean {
  return thrown instanceof Error && thrown.name === 'RefusedCall';
}

/** Tells whether a pattern of RE2, or where it is none a part of a text, is in a text. */
function fits(pattern: string, text: string): boolean {
  if (text.includes(pattern)) return true;
  try {
    return RE2JS.compile(pattern).test(text);
  } catch {
    return false;
  }
}

function shown(text: string): string {
  return truncate(text, 300);
}
