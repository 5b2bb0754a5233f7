import { setTimeout as sleep } from 'node:timers/promises';

import type { Locator, Page } from 'playwright-core';
import * as z from 'zod';

import { truncate } from '../../../kernel/text/truncate.js';
import { RefusedCall } from '../../runs/runners/outcomes.js';

const LOOK_MS = 100;
/** Milliseconds that an element is waited for. */
export const FIND_MS = 10_000;
/** Of several elements these many are told. */
const MOST_TOLD = 5;

/** How SoulBrowser names an element. */
export const locatorSchema = z.union([
  z.strictObject({ Css: z.string().min(1) }),
  z.strictObject({ Aria: z.strictObject({ role: z.string().regex(/^[a-z]+$/), name: z.string() }) }),
  z.strictObject({ Text: z.strictObject({ content: z.string().min(1), exact: z.boolean() }) }),
]);

export type ElementLocator = z.output<typeof locatorSchema>;

/** Returns the visible elements that are meant: those that fit exactly, else those that fit loosely. */
async function visible(page: Page, locator: ElementLocator): Promise<Locator> {
  for (const one of readings(page, locator)) {
    const shown = one.filter({ visible: true });
    if ((await shown.count()) > 0) return shown;
  }
  return page.locator(':not(*)');
}

function readings(page: Page, locator: ElementLocator): readonly Locator[] {
  if ('Css' in locator) return [page.locator(`css=${locator.Css}`)];
  if ('Text' in locator) return [page.getByText(locator.Text.content, { exact: locator.Text.exact })];
  const { role, name } = locator.Aria;
  if (name === '') return [page.locator(`role=${role}`)];
  const loose = name.replaceAll(/[.*+?^${}()|[\]\\/"]/g, String.raw`\$&`);
  return [
    page.locator(`role=${role}[name=${JSON.stringify(name)}]`),
    page.locator(`role=${role}[name=/${loose}/i]`),
  ];
}

/** Tells whether any element that is meant is visible now. */
export async function isAnyVisible(page: Page, locator: ElementLocator): Promise<boolean> {
  return (await (await visible(page, locator)).count()) > 0;
}

/**
 * Returns the one visible element that is meant, and waits for it.
 * @throws RefusedCall NOT_FOUND, AMBIGUOUS
 */
export async function oneElement(page: Page, locator: ElementLocator, signal: AbortSignal): Promise<Locator> {
  const until = performance.now() + FIND_MS;
  for (;;) {
    const found = await visible(page, locator);
    const chosen = await chosenOf(found, locator);
    if (chosen !== null) return chosen;
    if (performance.now() > until || signal.aborted)
      throw new RefusedCall(
        'NOT_FOUND',
        `no visible element is ${truncate(JSON.stringify(locator), 200)} on ${page.url()}`,
      );
    await sleep(LOOK_MS, undefined, { signal }).catch(() => undefined);
  }
}

async function chosenOf(found: Locator, locator: ElementLocator): Promise<Locator | null> {
  const all = await found.all();
  if (all.length <= 1) return all[0] ?? null;
  const enabled: Locator[] = [];
  for (const one of all.slice(0, 50)) if (await one.isEnabled().catch(() => false)) enabled.push(one);
  const hrefs = new Set(await Promise.all(enabled.map((one) => one.getAttribute('href').catch(() => null))));
  const [only] = enabled;
  if (only !== undefined && (enabled.length === 1 || (hrefs.size === 1 && !hrefs.has(null)))) return only;
  const told = await Promise.all(all.slice(0, MOST_TOLD).map(asText));
  throw new RefusedCall(
    'AMBIGUOUS',
    `${all.length} elements are ${truncate(JSON.stringify(locator), 200)}: ${told.join(', ')}`,
  );
}

async function asText(element: Locator): Promise<string> {
  const html: unknown = await element.evaluate('(node) => node.outerHTML').catch(() => '');
  return truncate(String(html).replaceAll(/\s+/g, ' '), 100);
}
