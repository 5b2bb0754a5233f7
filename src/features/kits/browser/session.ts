import type { Browser, BrowserContext, BrowserType, Page, Route } from 'playwright-core';

import { messageOf } from '../../../kernel/errors.js';
import { truncate } from '../../../kernel/text/truncate.js';
import { RefusedCall } from '../../runs/runners/outcomes.js';

/** What a browser is opened with. */
export interface SessionOptions {
  /** Where documents of its windows may come from. */
  readonly origins: ReadonlySet<string>;
  readonly chromium: string;
  readonly variables: Readonly<Record<string, string | undefined>>;
}

/** A browser of one run, opened when it is first needed. */
export interface BrowserSession {
  /** The window that was opened last and is still there. @throws RefusedCall NO_PAGE */
  readonly page: () => Page;
  /** The same; a new one where there is none. @throws RefusedCall NOT_STARTED */
  readonly opened: () => Promise<Page>;
  /** Milliseconds for which a window has asked for nothing; 0 while something is on its way. */
  readonly silence: (page: Page) => number;
  /** Milliseconds since a document of any window was asked for last; 0 while a new window has none yet. */
  readonly sinceDocument: () => number;
  /** What was refused since it was asked last: an origin; null for nothing. */
  readonly takeRefused: () => string | null;
  /** What happened since it was asked last that nobody asked for, such as a dialog. */
  readonly takeNotes: () => readonly string[];
  readonly close: () => Promise<void>;
}

/** Milliseconds after which a window that was opened is taken for one that asks for nothing. */
const AWAITED_MS = 5000;

/** Traffic of a window. */
interface Traffic {
  underway: number;
  last: number;
}

const NO_PAGE =
  'no page is open: a plan begins with soul:Navigate, and a run that another process goes on with has no page until then';

/** Returns a browser that is not opened yet. */
export function createSession(options: SessionOptions): BrowserSession {
  let browser: Promise<Browser> | null = null;
  let context: BrowserContext | null = null;
  let refused: string | null = null;
  const documents = { underway: 0, last: 0, awaited: 0 };
  /** A new window, or one that is told to go on, is about to ask for a document. */
  const awaitDocument = () => {
    documents.awaited += 1;
    documents.last = performance.now();
  };
  const notes: string[] = [];
  const traffic = new WeakMap<Page, Traffic>();
  /** Windows whose redirects are looked at. */
  const guarded = new WeakSet<Page>();

  const isAllowed = (url: string) => {
    if (/^(?:about|data|blob):/.test(url)) return true;
    const origin = URL.parse(url)?.origin ?? '';
    if (options.origins.has(origin)) return true;
    refused = origin;
    return false;
  };

  function watch(page: Page): void {
    const seen: Traffic = { underway: 0, last: performance.now() };
    traffic.set(page, seen);
    const moved = (change: number) => () => {
      seen.underway = Math.max(0, seen.underway + change);
      seen.last = performance.now();
    };
    page.on('request', moved(1));
    page.on('requestfinished', moved(-1));
    page.on('requestfailed', moved(-1));
    page.on('dialog', (dialog) => {
      notes.push(`a dialog was dismissed: ${truncate(dialog.message(), 200)}`);
      void dialog.dismiss().catch(() => undefined);
    });
  }

  /** Looks at each request for a document of a window, redirects included, which routes do not see. */
  async function guard(page: Page): Promise<void> {
    const client = await page.context().newCDPSession(page);
    const { frameTree } = await client.send('Page.getFrameTree');
    client.on('Fetch.requestPaused', ({ requestId, frameId, request }) => {
      const stays = frameId !== frameTree.frame.id || isAllowed(request.url);
      const answer = stays
        ? client.send('Fetch.continueRequest', { requestId })
        : client.send('Fetch.failRequest', { requestId, errorReason: 'BlockedByClient' });
      answer.catch(() => undefined);
    });
    client.on('Page.windowOpen', awaitDocument);
    await client.send('Page.enable');
    await client.send('Fetch.enable', { patterns: [{ resourceType: 'Document', requestStage: 'Request' }] });
    guarded.add(page);
  }

  async function opened(): Promise<Page> {
    const known = context?.pages().at(-1);
    if (known !== undefined) return known;
    context ??= await newContext();
    const page = await context.newPage();
    await guard(page);
    return page;
  }

  async function newContext(): Promise<BrowserContext> {
    browser ??= launch(options);
    const made = await (
      await browser
    ).newContext({
      viewport: { width: 1280, height: 800 },
      locale: 'en-US',
      timezoneId: 'UTC',
      reducedMotion: 'reduce',
      serviceWorkers: 'block',
      acceptDownloads: false,
    });
    made.on('page', watch);
    await made.route('**/*', (route) => firstHop(route).catch(() => undefined));
    return made;
  }

  /** Lets a request go, unless it is for a document of a window from elsewhere. */
  async function firstHop(route: Route): Promise<void> {
    const request = route.request();
    if (!request.isNavigationRequest()) return route.continue();
    const page = pageOf(route);
    if (page === 'frame within') return route.continue();
    documents.last = performance.now();
    if (!isAllowed(request.url())) return route.abort('blockedbyclient');
    if (page !== null && guarded.has(page)) return route.continue();
    // A new window cannot be guarded before its first document is there, so its redirects are followed one by one.
    documents.awaited = Math.max(0, documents.awaited - 1);
    documents.underway += 1;
    await followed(route).finally(() => {
      documents.underway -= 1;
      documents.last = performance.now();
    });
  }

  async function followed(route: Route): Promise<void> {
    const request = route.request();
    const response = await route.fetch({ maxRedirects: 0 });
    const { location } = response.headers();
    if (response.status() < 300 || response.status() > 399 || location === undefined)
      return route.fulfill({ response });
    const target = URL.parse(location, request.url())?.href ?? '';
    if (!isAllowed(target)) return route.abort('blockedbyclient');
    awaitDocument();
    const script = JSON.stringify(target).replaceAll('<', String.raw`\u003c`);
    return route.fulfill({ contentType: 'text/html', body: `<script>location.replace(${script})</script>` });
  }

  return {
    opened,
    page() {
      const page = context?.pages().at(-1);
      if (page === undefined) throw new RefusedCall('NO_PAGE', NO_PAGE);
      return page;
    },
    silence(page) {
      const seen = traffic.get(page);
      return seen === undefined || seen.underway > 0 ? 0 : performance.now() - seen.last;
    },
    sinceDocument() {
      const since = performance.now() - documents.last;
      if (documents.awaited > 0 && since > AWAITED_MS) documents.awaited = 0;
      return documents.underway + documents.awaited > 0 ? 0 : since;
    },
    takeRefused() {
      const taken = refused;
      refused = null;
      return taken;
    },
    takeNotes: () => notes.splice(0),
    async close() {
      const running = await browser?.catch(() => null);
      await running?.close().catch(() => undefined);
    },
  };
}

/** The window whose document is asked for; null for a new one, which has none yet. */
function pageOf(route: Route): Page | 'frame within' | null {
  try {
    const frame = route.request().frame();
    return frame.parentFrame() === null ? frame.page() : 'frame within';
  } catch {
    return null;
  }
}

async function launch({ chromium: executablePath, variables }: SessionOptions): Promise<Browser> {
  const passed = ['PATH', 'HOME', 'LANG', 'LC_ALL', 'TMPDIR', 'XDG_CONFIG_HOME', 'FONTCONFIG_FILE'];
  const isRoot = process.getuid?.() === 0;
  try {
    return await (
      await playwright()
    ).launch({
      executablePath,
      chromiumSandbox: !isRoot,
      env: Object.fromEntries(
        passed.flatMap((name) => (variables[name] === undefined ? [] : [[name, variables[name]]])),
      ),
      handleSIGINT: false,
      handleSIGTERM: false,
      handleSIGHUP: false,
    });
  } catch (thrown) {
    if (thrown instanceof RefusedCall) throw thrown;
    throw new RefusedCall(
      'NOT_STARTED',
      `${executablePath} did not start: ${truncate(messageOf(thrown), 300)}`,
    );
  }
}

async function playwright(): Promise<BrowserType> {
  try {
    return (await import('playwright-core')).chromium;
  } catch {
    throw new RefusedCall(
      'NOT_STARTED',
      'the kit browser needs the package playwright-core: `npm install playwright-core`',
    );
  }
}
