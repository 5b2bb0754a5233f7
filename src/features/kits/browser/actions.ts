import { setTimeout as sleep } from 'node:timers/promises';

import type { Page } from 'playwright-core';
import * as z from 'zod';

import { messageOf } from '../../../kernel/errors.js';
import { truncate } from '../../../kernel/text/truncate.js';
import type { Effects } from '../../actions/tools/bindings.js';
import type { Outcome, ToolCall, ToolFailure } from '../../runs/model/tool.js';
import {
  lostOutcome,
  notSentOutcome,
  RefusedCall,
  statusFailure,
  toolFailure,
} from '../../runs/runners/outcomes.js';
import { secretOfArgument } from '../../runs/model/values/secret-argument.js';
import type { Secrets } from '../../runs/runners/secrets.js';
import { asJson } from '../kit.js';
import { conditionSchema, lookUntil } from './conditions.js';
import { FIND_MS, locatorSchema, oneElement } from './locators.js';
import type { BrowserSession } from './session.js';

/** Milliseconds that an element is given to take what is done to it. */
const ACT_MS = 5000;
/** Milliseconds after a deed within which a page that leaves because of it begins to. */
const LEAVE_MS = 100;
const WAIT_MS = 15_000;

/** A page has answered, and not as was wanted. */
class PageFailure extends Error {
  override readonly name = 'PageFailure';
  readonly failure: ToolFailure;

  constructor(failure: ToolFailure) {
    super(failure.message);
    this.failure = failure;
  }
}

/** What a deed in a page is done with. */
export interface PageCall {
  readonly session: BrowserSession;
  readonly secrets: Secrets;
  /** Returns the value of a secret that options name. @throws RefusedCall POLICY_DENIED */
  readonly secret: (name: string, page: Page) => string;
  readonly call: ToolCall;
}

/** Something that a step of SoulBrowser does. */
export interface PageAction<Schema extends z.ZodObject = z.ZodObject> {
  readonly name: string;
  readonly description: string;
  readonly effects: Effects;
  readonly effectsOf?: (args: z.output<Schema>) => Effects;
  readonly input: Schema;
  readonly output: z.ZodType;
  /** @throws PageFailure, RefusedCall, and what Playwright throws */
  readonly work: (args: z.output<Schema>, at: PageCall) => Promise<object>;
}

const notes = {
  notes: z.array(z.string()).optional().describe('What happened that nobody asked for, such as a dialog.'),
};

function pageAction<Schema extends z.ZodObject>(action: PageAction<Schema>): PageAction {
  return action;
}

const navigate = pageAction({
  name: 'soul:Navigate',
  description: 'Opens an address in the browser.',
  effects: 'idempotent',
  input: z.strictObject({ url: z.string().min(1) }),
  output: z.strictObject({ url: z.string(), title: z.string(), status: z.int().nullable(), ...notes }),
  async work({ url }, { session, call }) {
    const page = await session.opened();
    const response = await page
      .goto(url, { waitUntil: 'domcontentloaded', timeout: call.timeoutMs })
      .catch((thrown: unknown) => {
        const said = truncate(messageOf(thrown).split('\n')[0] ?? '', 300);
        throw new PageFailure(toolFailure('UNREACHABLE', said, true));
      });
    await settle(page, call.wait);
    const status = response?.status() ?? null;
    if (status !== null && status >= 400)
      throw new PageFailure(statusFailure(status, `${page.url()} answered ${status}`));
    return { url: page.url(), title: await page.title(), status };
  },
});

const click = pageAction({
  name: 'soul:Click',
  description: 'Clicks on an element of the page.',
  effects: 'once',
  input: z.strictObject({ locator: locatorSchema }),
  output: z.strictObject({ url: z.string(), title: z.string(), navigated: z.boolean(), ...notes }),
  async work({ locator }, { session, call }) {
    const page = session.page();
    const before = page.url();
    const element = await oneElement(page, locator, call.signal);
    await acted('NOT_CLICKABLE', () => element.click({ trial: true, timeout: ACT_MS }));
    // From here on it may have been clicked, whatever else is said: a page can be busy with that for ever.
    await element.click({ timeout: ACT_MS });
    const now = await afterDeed(session, call);
    return { url: now.url(), title: await now.title(), navigated: now !== page || now.url() !== before };
  },
});

const typeText = pageAction({
  name: 'soul:TypeText',
  description: 'Fills a field of the page in, in place of what it holds.',
  effects: 'once',
  effectsOf: ({ submit }) => (submit ? 'once' : 'idempotent'),
  input: z.strictObject({
    locator: locatorSchema,
    text: z.string().describe('`secret:NAME` stands for a secret of the kit.'),
    submit: z.boolean().default(false).describe('Whether Enter follows.'),
  }),
  output: z.strictObject({ submitted: z.boolean(), url: z.string(), ...notes }),
  async work({ locator, text, submit }, { session, call, secret }) {
    const page = session.page();
    const name = secretOfArgument(text);
    const value = name === undefined ? text : secret(name, page);
    const element = await oneElement(page, locator, call.signal);
    await acted('NOT_EDITABLE', () => element.fill(value, { timeout: ACT_MS }));
    if (submit) await element.press('Enter', { timeout: ACT_MS, noWaitAfter: true });
    return { submitted: submit, url: (await afterDeed(session, call)).url() };
  },
});

const select = pageAction({
  name: 'soul:Select',
  description: 'Chooses an option of a list of the page.',
  effects: 'idempotent',
  input: z.strictObject({
    locator: locatorSchema,
    value: z.string(),
    method: z.enum(['value', 'text', 'label', 'index']).nullish(),
  }),
  output: z.strictObject({ chosen: z.array(z.string()), ...notes }),
  async work({ locator, value, method }, { session, call }) {
    const element = await oneElement(session.page(), locator, call.signal);
    const wanted =
      method === 'index' ? { index: Number(value) } : method === 'value' ? { value } : { label: value };
    const chosen = await acted('NO_OPTION', () => element.selectOption(wanted, { timeout: ACT_MS }));
    await afterDeed(session, call);
    return { chosen };
  },
});

const nothing = z.null().optional();
const scroll = pageAction({
  name: 'soul:Scroll',
  description: 'Scrolls the page.',
  effects: 'once',
  effectsOf: ({ target }) => (typeof target === 'object' && 'Pixels' in target ? 'once' : 'idempotent'),
  input: z.strictObject({
    target: z.union([
      z.enum(['Top', 'Bottom']),
      z.strictObject({ Top: nothing }),
      z.strictObject({ Bottom: nothing }),
      z.strictObject({ Selector: locatorSchema }),
      z.strictObject({ Pixels: z.int() }),
    ]),
  }),
  output: z.strictObject({ scrollY: z.number(), ...notes }),
  async work({ target }, { session, call }) {
    const page = session.page();
    if (typeof target === 'object' && 'Selector' in target)
      await (
        await oneElement(page, target.Selector, call.signal)
      ).scrollIntoViewIfNeeded({ timeout: ACT_MS });
    else {
      const pixels = typeof target === 'object' && 'Pixels' in target ? target.Pixels : null;
      const isTop = target === 'Top' || (typeof target === 'object' && 'Top' in target);
      const to =
        pixels === null ? (isTop ? '0' : 'document.documentElement.scrollHeight') : `scrollY + ${pixels}`;
      await page.evaluate(`scrollTo({ top: ${to}, behavior: 'instant' })`);
    }
    return { scrollY: Number(await page.evaluate('scrollY')) };
  },
});

const waitFor = pageAction({
  name: 'soul:Wait',
  description: 'Waits until something holds in the page.',
  effects: 'none',
  input: z.strictObject({ condition: conditionSchema }),
  output: z.strictObject({ seen: z.string(), ...notes }),
  async work({ condition }, { session, call }) {
    const own =
      'Duration' in condition ? condition.Duration : 'NetworkIdle' in condition ? condition.NetworkIdle : 0;
    const untilMs = Math.max(0, Math.min(own + WAIT_MS, call.timeoutMs - 1000));
    const { ok, detail } = await lookUntil(condition, session, { untilMs, signal: call.signal });
    if (ok) return { seen: detail };
    const message = `it did not come in ${untilMs} ms: ${detail}`;
    throw new PageFailure(toolFailure('WAIT_TIMEOUT', message, true));
  },
});

/** Texts, links and tables of a page are cut here, in characters and in number; what is left out is counted. */
const EXTRACT = `(() => {
  const notes = [];
  const first = (list, most, name) => {
    if (list.length > most) notes.push('left out: ' + (list.length - most) + ' ' + name);
    return list.slice(0, most);
  };
  const text = (node) => (node.innerText ?? node.textContent ?? '').trim();
  const all = (query, most, name) => first([...document.querySelectorAll(query)], most, name);
  const rowsOf = (table) => first([...table.rows], 1000, 'rows of a table');
  return {
    url: location.href,
    title: document.title,
    text: first(document.body?.innerText ?? '', 500000, 'characters of text'),
    headings: all('h1,h2,h3,h4,h5,h6', 1000, 'headings').map((node) => ({ level: Number(node.tagName[1]), text: text(node) })),
    links: all('a[href]', 2000, 'links').map((node) => ({ text: text(node), url: node.href })),
    tables: all('table', 100, 'tables').map((table) => rowsOf(table).map((row) => [...row.cells].map(text))),
    ...(notes.length === 0 ? {} : { notes }),
  };
})()`;

const extracted = z.strictObject({
  url: z.string(),
  title: z.string(),
  text: z.string(),
  headings: z.array(z.strictObject({ level: z.int(), text: z.string() })),
  links: z.array(z.strictObject({ text: z.string(), url: z.string() })),
  tables: z.array(z.array(z.array(z.string()))),
  ...notes,
});

const extract = pageAction({
  name: 'data.extract-site',
  description: 'Reads the text, headings, links and tables of the page.',
  effects: 'none',
  input: z.looseObject({}),
  output: extracted,
  work: async (_, { session }) => extracted.parse(await session.page().evaluate(EXTRACT)),
});

/** All that is done in pages. */
export const PAGE_ACTIONS: readonly PageAction[] = [
  navigate,
  click,
  typeText,
  select,
  scroll,
  waitFor,
  extract,
];

/** Does something in a page, and tells what came of it. */
export async function carriedOut<Schema extends z.ZodObject>(
  action: PageAction<Schema>,
  args: z.output<Schema>,
  at: PageCall,
): Promise<Outcome> {
  const { session } = at;
  session.takeRefused();
  let done: object & { readonly notes?: readonly string[] };
  try {
    done = await action.work(args, at);
  } catch (thrown) {
    if (thrown instanceof RefusedCall) return refusedOr(session, notSentOutcome(thrown.code, thrown.message));
    if (thrown instanceof PageFailure)
      return refusedOr(session, { outcome: 'failed', error: thrown.failure });
    return refusedOr(session, lostOutcome('BROWSER', truncate(messageOf(thrown), 300)));
  }
  const told = session.takeNotes();
  const output = asJson(told.length === 0 ? done : { ...done, notes: [...(done.notes ?? []), ...told] });
  return refusedOr(session, { outcome: 'succeeded', output });
}

/** What was refused because of where it would have led says more than what came of that. */
function refusedOr(session: BrowserSession, outcome: Outcome): Outcome {
  const origin = session.takeRefused();
  if (origin === null) return outcome;
  const message = `${origin} is none of the origins of the kit browser`;
  return { outcome: 'failed', error: toolFailure('ORIGIN_REFUSED', message, false) };
}

/** @throws RefusedCall with a code, where an element did not take what was done to it */
async function acted<Value>(code: string, deed: () => Promise<Value>): Promise<Value> {
  try {
    return await deed();
  } catch (thrown) {
    if (!(thrown instanceof Error) || thrown.name !== 'TimeoutError') throw thrown;
    throw new RefusedCall(
      code,
      `the element did not take it in ${ACT_MS} ms: ${truncate(thrown.message, 300)}`,
    );
  }
}

/** Waits for what a deed has set off, as the step says. @returns the window that is looked at from now on */
async function afterDeed(session: BrowserSession, { wait }: ToolCall): Promise<Page> {
  const until = performance.now() + FIND_MS;
  do await sleep(LEAVE_MS);
  while (session.sinceDocument() < LEAVE_MS && performance.now() < until);
  const page = session.page();
  await settle(page, wait ?? 'dom_ready');
  return page;
}

async function settle(page: Page, wait: ToolCall['wait']): Promise<void> {
  await page.waitForLoadState('domcontentloaded', { timeout: FIND_MS }).catch(() => undefined);
  // A page that never is silent is gone on with all the same.
  if (wait === 'idle')
    await page.waitForLoadState('networkidle', { timeout: FIND_MS }).catch(() => undefined);
}
