import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, inject, test } from 'vitest';

import { agree, newPlace } from '../support/approving.js';
import { hasBrowser } from '../support/browser.js';
import { startServer } from '../support/http-server.js';

type Part = Readonly<Record<string, unknown>>;

const PAGES: Readonly<Record<string, string>> = {
  '/': `<title>Order</title><h1>Order</h1><form action="/done" method="get">
    <label>Name <input name="name" value="old"></label>
    <label>Country <select name="country"><option value="fr">France<option value="de">Germany</select></label>
    <button>Send</button></form>
    <a href="/slow">Slow</a> <a href="/slow">Slow</a> <a href="/two" target="_blank">Two</a>
    <button onclick="document.title = confirm('sure?') ? 'yes' : 'no'">Ask</button>
    <p>same</p><p>same</p>`,
  '/slow': `<title>Slow</title><script>setTimeout(() => { document.body.innerHTML = '<button onclick="document.title=1">Late</button>'; }, 1500)</script>`,
  '/busy': `<button onclick="const r = new XMLHttpRequest(); r.open('GET', '/clicked', false); r.send(); for (;;);">Go</button>`,
  '/links': '<a href="/away-later">Here</a> <a href="/away-later" target="_blank">There</a>',
  '/ahead': `<a href="/away-later">Here</a><script>
    const foreign = new URLSearchParams(location.search).get('foreign');
    const rules = document.createElement('script');
    rules.type = 'speculationrules';
    rules.textContent = JSON.stringify({
      prefetch: [{ source: 'list', urls: [foreign + '/prefetched'], eagerness: 'immediate' }],
      prerender: [{ source: 'list', urls: ['/away-later', foreign + '/prerendered'], eagerness: 'immediate' }],
    });
    document.head.append(rules);
  </script>`,
  '/long': `<title>Long</title>${'<h1>a</h1>'.repeat(1003)}<table>${'<tr><td>a</td></tr>'.repeat(1001)}</table>`,
  '/two': '<title>Second window</title><h1>Two</h1><table><tr><td>a</td><td>b</td></tr></table>',
};

/** A site, and another one that no plan may reach. */
async function newSites() {
  const foreign = await startServer((_, response) => {
    response
      .writeHead(200, { 'content-type': 'text/html', 'supports-loading-mode': 'credentialed-prerender' })
      .end('<title>elsewhere</title>');
  });
  const site = await startServer(({ url }, response) => {
    const path = url.split('?')[0] ?? '/';
    const body = path === '/done' ? `<title>Done</title><h1>${url.replaceAll('&', ' ')}</h1>` : PAGES[path];
    const location =
      path === '/away' ? `${foreign.origin}/stolen` : path === '/away-later' ? '/away' : undefined;
    if (location !== undefined) response.writeHead(302, { location }).end();
    else
      response
        .writeHead(body === undefined ? 404 : 200, { 'content-type': 'text/html' })
        .end(`<!doctype html><link rel=icon href=data:>${body ?? ''}`);
  });
  return { site, foreign };
}

const aria = (role: string, name: string) => ({ Aria: { role, name } });
const step = (tool: string, args: Part, more: Part = {}) => ({ tool, args, ...more });
const open = (url: string) => step('soul:Navigate', { url });
const click = (locator: Part, more: Part = {}) => step('soul:Click', { locator }, more);

/** Carries steps out in Chromium. @returns the status, the error of the step that failed, and what each step brought */
async function carriedOut(origin: string, steps: readonly Part[], options: Part = {}) {
  const plan = {
    schema_version: '1.0',
    goal: 'g',
    steps: steps.map((one, index) => ({ id: `s${index + 1}`, ...one })),
  };
  const browser = { origins: [origin], chromium: inject('chromium'), ...options };
  const place = await newPlace(plan, JSON.stringify({ kits: { browser } }));
  const { workspace } = place;
  const prepared = await workspace.prepare('plan.json', {});
  if (prepared.approval !== null) await agree(workspace, prepared.approval?.code ?? '');
  const ended = await workspace.run(prepared.run, {}).result;
  const shown = await workspace.runs.show(prepared.run, { outputs: true });
  const failed = shown.steps.find(({ step: name }) => name === ended.failed);
  return { ...place, status: ended.status, error: failed?.error, outputs: shown.outputs };
}

describe.runIf(hasBrowser)('the kit browser (needs Chromium)', () => {
  test('a form is filled in and checked, and its result is delivered as a file', async () => {
    const { site } = await newSites();
    const { folder, status, error } = await carriedOut(site.origin, [
      open(`${site.origin}/`),
      step('soul:TypeText', { locator: aria('textbox', 'Name'), text: 'Ada Lovelace', submit: false }),
      step('soul:Select', { locator: aria('combobox', 'Country'), value: 'Germany' }),
      click(aria('button', 'Send'), {
        verifications: [{ type: 'soul:UrlMatches', args: { value: '/done' } }],
      }),
      step('data.extract-site', {}),
      step('data.deliver.structured', {
        filename: 'out/order',
        source_step_id: 's5',
        schema: 'site',
        artifact_label: 'x',
      }),
      step('take-screenshot', { path: 'out/order.png' }),
    ]);
    expect({ status, error }).toEqual({ status: 'succeeded', error: undefined });
    expect(JSON.parse(readFileSync(join(folder, 'out/order.json'), 'utf8'))).toMatchObject({
      headings: [{ level: 1, text: '/done?name=Ada+Lovelace country=de' }],
    });
    expect(readFileSync(join(folder, 'out/order.png')).subarray(1, 4).toString()).toBe('PNG');
  });

  test('what is left out of a long page is counted', async () => {
    const { site } = await newSites();
    const { status, outputs } = await carriedOut(site.origin, [
      open(`${site.origin}/long`),
      step('data.extract-site', {}),
    ]);
    expect(status).toBe('succeeded');
    expect(outputs).toMatchObject({ s2: { notes: ['left out: 3 headings', 'left out: 1 rows of a table'] } });
  });

  test('late content is waited for, links to one address are one, and a dialog is dismissed', async () => {
    const { site } = await newSites();
    const { status, outputs } = await carriedOut(site.origin, [
      open(`${site.origin}/`),
      click(aria('button', 'Ask'), {
        verifications: [{ type: 'soul:TitleMatches', args: { value: '^no$' } }],
      }),
      click({ Text: { content: 'Slow', exact: true } }),
      click(aria('button', 'late'), { verifications: [{ type: 'soul:TitleMatches', args: { value: '1' } }] }),
    ]);
    expect(status).toBe('succeeded');
    expect(outputs).toMatchObject({ s2: { notes: ['a dialog was dismissed: sure?'] } });
  });

  test('a click that keeps the page busy for ever is not one that was refused: what came of it is unknown', async () => {
    const { site } = await newSites();
    const busy = click(aria('button', 'Go'), { retry: { max_attempts: 2 } });
    const { status } = await carriedOut(site.origin, [open(`${site.origin}/busy`), busy]);
    expect(status).toBe('waiting');
    expect(site.asked.filter(({ url }) => url === '/clicked')).toHaveLength(1);
  });

  test('of two windows the one that was opened last is meant', async () => {
    const { site } = await newSites();
    const { status, outputs } = await carriedOut(site.origin, [
      open(`${site.origin}/`),
      click(aria('link', 'Two'), {
        verifications: [{ type: 'soul:TitleMatches', args: { value: 'Second window' } }],
      }),
      step('data.extract-site', {}),
    ]);
    expect(status).toBe('succeeded');
    expect(outputs).toMatchObject({ s3: { url: `${site.origin}/two`, tables: [[['a', 'b']]] } });
  });

  test.each<[string, readonly Part[]]>([
    ['an address', [open('/away-later')]],
    ['a link', [open('/links'), click(aria('link', 'Here'))]],
    ['a link to a new window', [open('/links'), click(aria('link', 'There'))]],
  ])('%s that redirects to another origin is refused before that is asked', async (_, steps) => {
    const { site, foreign } = await newSites();
    const absolute = steps.map((one) =>
      one.tool === 'soul:Navigate' ? open(`${site.origin}${(one.args as { url: string }).url}`) : one,
    );
    const { status, error } = await carriedOut(site.origin, absolute);
    expect({ status, code: error?.code }).toEqual({ status: 'failed', code: 'ORIGIN_REFUSED' });
    expect(foreign.asked).toEqual([]);
  });

  test('what a page would have loaded ahead is not asked for either', async () => {
    const { site, foreign } = await newSites();
    const { status, error } = await carriedOut(site.origin, [
      open(`${site.origin}/ahead?foreign=${foreign.origin}`),
      step('soul:Wait', { condition: { Duration: 1000 } }),
      click(aria('link', 'Here')),
    ]);
    expect({ status, code: error?.code }).toEqual({ status: 'failed', code: 'ORIGIN_REFUSED' });
    expect(foreign.asked).toEqual([]);
  });

  test.each<[string, Part, string]>([
    ['several elements', click({ Text: { content: 'same', exact: true } }), 'AMBIGUOUS'],
    ['no element', click(aria('button', 'Nobody')), 'NOT_FOUND'],
  ])('%s: nothing is clicked on', async (_, last, code) => {
    const { site } = await newSites();
    const { status, error } = await carriedOut(site.origin, [open(`${site.origin}/`), last]);
    expect({ status, code: error?.code }).toEqual({ status: 'failed', code });
  });

  test('a page that is not there fails, and without a page there is nothing to click on', async () => {
    const { site } = await newSites();
    const missing = await carriedOut(site.origin, [open(`${site.origin}/nothing`)]);
    expect(missing).toMatchObject({ status: 'failed', error: { code: 'HTTP_STATUS' } });
    const none = await carriedOut(site.origin, [click(aria('button', 'Send'))]);
    expect(none).toMatchObject({ status: 'failed', error: { code: 'NO_PAGE' } });
  });

  test('an address outside its origins is refused when it is prepared', async () => {
    const { site, foreign } = await newSites();
    await expect(carriedOut(site.origin, [open(`${foreign.origin}/`)])).rejects.toMatchObject({
      message: expect.stringContaining('ORIGIN_REFUSED'),
    });
  });
});
