import axe from 'axe-core';
import { chromium } from 'playwright-core';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, onTestFinished } from 'vitest';
import { z } from 'zod';

/** Whether there is a browser to test the page in; where there is none these tests are skipped. */
export const hasBrowser = inject('chromium') !== '';

/** Where to leave pictures of the page to be looked at, if anywhere. */
export const SCREENSHOTS = process.env.FRCTL_SCREENSHOTS;

let browser: Browser | undefined;

/** Connects the tests of a file to the browser of this run. */
export function useBrowser(): void {
  beforeAll(async () => {
    if (!hasBrowser) return;
    const answer = await fetch(inject('chromiumOnDemand'));
    const address = await answer.text();
    if (!answer.ok) throw new Error(address);
    browser = await chromium.connect(address);
  });
  afterAll(() => browser?.close());
}

interface Look {
  readonly width?: number;
  readonly theme?: 'light' | 'dark';
  /** Where whoever looks is. */
  readonly zone?: string;
  /** Whether it is a screen that is touched. */
  readonly touch?: boolean;
}

/** The page of a store, opened as its address says; whatever goes wrong in it fails the test. */
export async function openPage(url: string, look?: Look): Promise<Page> {
  const [page] = await openTabs([url], look);
  if (page === undefined) throw new Error('there is no page');
  return page;
}

/** The same in tabs of one browser, all of which are seen. */
export async function openTabs(
  urls: readonly string[],
  { width = 1280, theme = 'light', zone = 'UTC', touch = false }: Look = {},
): Promise<readonly Page[]> {
  if (browser === undefined) throw new Error('call useBrowser() first');
  const context = await browser.newContext({
    viewport: { width, height: 800 },
    colorScheme: theme,
    timezoneId: zone,
    hasTouch: touch,
    // What is looked at in the middle of a transition has colours that nothing has.
    reducedMotion: 'reduce',
  });
  // How long anything may take is said by the test; where it hangs is told before that.
  context.setDefaultTimeout(240_000);
  onTestFinished(() => context.close());
  const pages: Page[] = [];
  for (const url of urls) pages.push(await openTab(context, url));
  return pages;
}

async function openTab(context: BrowserContext, url: string): Promise<Page> {
  const page = await context.newPage();
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(error.message));
  page.on('console', (message) => {
    // That a server does not answer, or refuses a token, is what some tests want.
    if (message.type() === 'error' && !/Failed to load resource/.test(message.text()))
      faults.push(message.text());
  });
  onTestFinished(() => expect(faults).toEqual([]));
  await page.goto(url);
  return page;
}

/** What axe finds wrong, by its rules for WCAG 2.2 A and AA and good practice. */
export async function violations(page: Page): Promise<readonly string[]> {
  // The page itself lets no such script in.
  if ((await page.evaluate('typeof axe')) === 'undefined') await page.evaluate(`${axe.source};0`);
  const found: unknown = await page.evaluate(
    `axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) => violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html, any }) => html.slice(0, 120) + ' ' + any.map(({ message }) => message).join()).join(' | ')))`,
  );
  return z.array(z.string()).parse(found);
}
