import type { BrowserContext, BrowserType, Page, Route } from 'playwright-core';

import { helperPath } from '../../../host/processes/find-helper.js';
import { messageOf } from '../../../kernel/errors.js';
import { truncate } from '../../../kernel/text/truncate.js';
import { RefusedCall } from '../../runs/runners/outcomes.js';
import { newProfile, removeProfile } from './profile.js';

/** What a browser is opened with. */
export interface SessionOptions {
  /** Where documents of its windows may come from. */
  readonly origins: ReadonlySet<string>;
  readonly chromium: string;
  readonly variables: Readonly<Record<string, string | undefined>>;
  /** The workspace: no program that Chromium's own script looks for is taken from it. */
  readonly folder: string;
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

/** Requests for documents of windows. */
interface Documents {
  /** Whether a document may be asked for at an address; one that may not is noted. */
  readonly isAllowed: (url: string) => boolean;
  readonly takeRefused: () => string | null;
  readonly asked: () => void;
  /** A new window, or one that is told to go on, is about to ask for one. */
  readonly awaited: () => void;
  /** Counts the first document of a new window until it is there. */
  readonly first: (work: Promise<void>) => Promise<void>;
  readonly since: () => number;
}

function watchDocuments(origins: ReadonlySet<string>): Documents {
  let refused: string | null = null;
  let [underway, awaited, last] = [0, 0, 0];
  const asked = () => {
    last = performance.now();
  };
  return {
    isAllowed(url) {
      if (/^(?:about|data|blob|chrome-error):/.test(url)) return true;
      const origin = URL.parse(url)?.origin ?? '';
      if (origins.has(origin)) return true;
      refused = origin;
      return false;
    },
    takeRefused() {
      const taken = refused;
      refused = null;
      return taken;
    },
    asked,
    awaited() {
      awaited += 1;
      asked();
    },
    async first(work) {
      awaited = Math.max(0, awaited - 1);
      underway += 1;
      await work.finally(() => {
        underway -= 1;
        asked();
      });
    },
    since() {
      const since = performance.now() - last;
      if (awaited > 0 && since > AWAITED_MS) awaited = 0;
      return underway + awaited > 0 ? 0 : since;
    },
  };
}

/** Looks at each request for a document of a window, redirects included, which routes do not see. */
async function guard(page: Page, documents: Documents): Promise<void> {
  const client = await page.context().newCDPSession(page);
  const { frameTree } = await client.send('Page.getFrameTree');
  client.on('Fetch.requestPaused', ({ requestId, frameId, request }) => {
    const stays = frameId !== frameTree.frame.id || documents.isAllowed(request.url);
    const answer = stays
      ? client.send('Fetch.continueRequest', { requestId })
      : client.send('Fetch.failRequest', { requestId, errorReason: 'BlockedByClient' });
    answer.catch(() => undefined);
  });
  client.on('Page.windowOpen', documents.awaited);
  await client.send('Page.enable');
  await client.send('Fetch.enable', {
    patterns: [{ resourceType: 'Document', requestStage: 'Request' }],
  });
}

/** Lets a request go, unless it is for a document of a window from elsewhere. */
async function letGo(route: Route, documents: Documents, guarded: WeakSet<Page>): Promise<void> {
  const request = route.request();
  if (!request.isNavigationRequest()) return route.continue();
  const page = pageOf(route);
  if (page === 'frame within') return route.continue();
  documents.asked();
  if (!documents.isAllowed(request.url())) return route.abort('blockedbyclient');
  if (page !== null && guarded.has(page)) return route.continue();
  // A new window cannot be guarded before its first document is there, so its redirects are followed one by one.
  return documents.first(followed(route, documents));
}

async function followed(route: Route, documents: Documents): Promise<void> {
  const response = await route.fetch({ maxRedirects: 0 });
  const { location } = response.headers();
  if (response.status() < 300 || response.status() > 399 || location === undefined)
    return route.fulfill({ response });
  const target = URL.parse(location, route.request().url())?.href ?? '';
  if (!documents.isAllowed(target)) return route.abort('blockedbyclient');
  documents.awaited();
  const script = JSON.stringify(target).replaceAll('<', String.raw`\u003c`);
  return route.fulfill({
    contentType: 'text/html',
    body: `<script>location.replace(${script})</script>`,
  });
}

interface Watched {
  readonly traffic: WeakMap<Page, Traffic>;
  readonly notes: string[];
  readonly documents: Documents;
}

/** Notes the traffic of a window and where it is, and dismisses its dialogs. */
function watch(page: Page, { traffic, notes, documents }: Watched): void {
  const seen: Traffic = { underway: 0, last: performance.now() };
  traffic.set(page, seen);
  const moved = (change: number) => () => {
    seen.underway = Math.max(0, seen.underway + change);
    seen.last = performance.now();
  };
  page.on('request', moved(1));
  page.on('requestfinished', moved(-1));
  page.on('requestfailed', moved(-1));
  page.on('framenavigated', (frame) => {
    if (frame === page.mainFrame()) documents.isAllowed(frame.url());
  });
  page.on('dialog', (dialog) => {
    notes.push(`a dialog was dismissed: ${truncate(dialog.message(), 200)}`);
    void dialog.dismiss().catch(() => undefined);
  });
}

/** Returns a browser that is not opened yet. */
export function createSession(options: SessionOptions): BrowserSession {
  let profile: string | null = null;
  let context: BrowserContext | null = null;
  const notes: string[] = [];
  const documents = watchDocuments(options.origins);
  const traffic = new WeakMap<Page, Traffic>();
  /** Windows whose redirects are looked at. */
  const guarded = new WeakSet<Page>();

  async function opened(): Promise<Page> {
    const known = context?.pages().at(-1);
    if (known !== undefined) return known;
    profile ??= await newProfile();
    context ??= await newContext(profile);
    const blank = context.pages();
    const page = await context.newPage();
    for (const one of blank) await one.close();
    await guard(page, documents);
    guarded.add(page);
    return page;
  }

  async function newContext(folder: string): Promise<BrowserContext> {
    const made = await launch(folder, options);
    made.on('page', (page) => watch(page, { traffic, notes, documents }));
    await made.route('**/*', (route) => letGo(route, documents, guarded).catch(() => undefined));
    return made;
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
    sinceDocument: documents.since,
    takeRefused: documents.takeRefused,
    takeNotes: () => notes.splice(0),
    async close() {
      await context?.close().catch(() => undefined);
      if (profile !== null) await removeProfile(profile);
    },
  };
}

const CONTEXT = {
  viewport: { width: 1280, height: 800 },
  locale: 'en-US',
  timezoneId: 'UTC',
  reducedMotion: 'reduce',
  serviceWorkers: 'block',
  acceptDownloads: false,
} as const;

/** The window whose document is asked for; null for a new one, which has none yet. */
function pageOf(route: Route): Page | 'frame within' | null {
  try {
    const frame = route.request().frame();
    return frame.parentFrame() === null ? frame.page() : 'frame within';
  } catch {
    return null;
  }
}

async function launch(
  profile: string,
  { chromium: executablePath, variables, folder }: SessionOptions,
): Promise<BrowserContext> {
  const passed = ['HOME', 'LANG', 'LC_ALL', 'TMPDIR', 'XDG_CONFIG_HOME', 'FONTCONFIG_FILE'];
  const isRoot = process.getuid?.() === 0;
  try {
    return await (
      await playwright()
    ).launchPersistentContext(profile, {
      ...CONTEXT,
      executablePath,
      chromiumSandbox: !isRoot,
      env: {
        ...Object.fromEntries(
          passed.flatMap((name) => (variables[name] === undefined ? [] : [[name, variables[name]]])),
        ),
        PATH: helperPath({ variables, folder }),
      },
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
