import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { describe, expect, inject, test } from 'vitest';

import { defaultEnvironment } from '../../src/operations/shared/default-environment.js';
import { openWorkspace } from '../../src/workspace.js';
import { hasBrowser } from '../support/browser.js';
import { temporaryFolder } from '../support/folders.js';
import { startServer } from '../support/http-server.js';
import type { TestServer } from '../support/http-server.js';

const SERVER = resolve(import.meta.dirname, '../support/mcp/browser.mjs');

const tool = (name: string, kind: string, args: object) => ({
  name: `soul:${kind}`,
  run: { mcp: `browser/${name}`, args },
});
const check = (kind: string) => ({
  tool: 'browser/condition',
  args: { condition: { [kind]: '${value}' } },
  expect: { type: 'object', properties: { holds: { const: true } }, required: ['holds'] },
});
const wait_tier = '${call:wait}';

/** What carries SoulBrowser's steps and conditions out, as a tools file. */
const toolsOf = (browser: string) => ({
  servers: { browser: { command: [process.execPath, SERVER, browser] } },
  tools: [
    tool('navigate-to-url', 'Navigate', { url: '${url}', wait_tier }),
    tool('click', 'Click', { anchor: '${locator}', wait_tier }),
    tool('type-text', 'TypeText', { anchor: '${locator}', text: '${text}', submit: '${submit}', wait_tier }),
    tool('select-option', 'Select', { anchor: '${locator}', value: '${value}', match_kind: '${method}' }),
    tool('scroll-page', 'Scroll', { target: '${target}', behavior: 'smooth' }),
    tool('wait-for-condition', 'Wait', { condition: '${condition}' }),
  ],
  checks: Object.fromEntries(
    ['UrlMatches', 'UrlEquals', 'TitleMatches', 'ElementVisible', 'ElementHidden'].map((kind) => [
      `soul:${kind}`,
      check(kind),
    ]),
  ),
});

const HOME = `<title>Home</title><h1>Home</h1><form action="/results">
<input type="search" name="q" aria-label="search"></form>`;
const RESULTS = `<title>Found</title><p id="r"></p><select aria-label="country"><option>France<option>Germany</select>
<a href="/docs">Docs</a><script>setTimeout(() => { document.getElementById('r').textContent = 'Results' }, 300)</script>`;
const DOCS = '<title>Docs</title><h1>Docs</h1><div style="height: 5000px"></div>';

const site = () =>
  startServer(({ url }, response) => {
    const body = url === '/' ? HOME : url.startsWith('/results') ? RESULTS : url === '/docs' ? DOCS : null;
    response.writeHead(body === null ? 404 : 200, { 'content-type': 'text/html' }).end(body ?? 'nothing');
  });

async function carriedOut(request: string, change = (plan: string) => plan) {
  const [folder, home] = [temporaryFolder(), temporaryFolder()];
  mkdirSync(join(folder, '.plans'));
  const browser = await (await fetch(inject('chromiumOnDemand'))).text();
  writeFileSync(join(folder, '.plans/tools.yaml'), JSON.stringify(toolsOf(browser)));
  const environment = {
    ...defaultEnvironment(),
    workingFolder: folder,
    homeFolder: home,
    variables: { PATH: process.env.PATH },
  };
  const workspace = openWorkspace({ environment });
  const { digest } = await workspace.tools.trust({});
  await workspace.tools.trust({ digest });
  const { action_plan } = await workspace.draft({ request });
  writeFileSync(join(folder, 'plan.json'), JSON.stringify(action_plan));
  // As SoulBrowser itself would have it.
  const { content } = await workspace.convert('plan.json', { to: 'soulbrowser' });
  writeFileSync(join(folder, 'soul.json'), change(content ?? ''));
  const { run, approval, dialect } = await workspace.prepare('soul.json', {});
  expect(dialect).toBe('soulbrowser');
  const { shown } = await workspace.approve({ code: approval?.code ?? '', dryRun: true });
  await workspace.approve({ code: approval?.code ?? '', agreed: { via: 'terminal', shown } });
  const result = await workspace.run(run, {}).result;
  return { result, log: readFileSync(join(folder, '.plans/runs', `${run}.events.jsonl`), 'utf8') };
}

const urls = ({ asked }: TestServer) => asked.map(({ url }) => url).filter((url) => url !== '/favicon.ico');

describe.runIf(hasBrowser)('a plan of SoulBrowser’s (needs Chromium)', () => {
  test('is carried out in a browser: it navigates, types, waits, chooses, clicks, scrolls and looks', async () => {
    const server = await site();
    const request = `open ${server.origin}/, then type "rust" into search and press enter; wait for "Results"; select "Germany" from the country dropdown; click "Docs"; check that the url contains "/docs"; scroll to the bottom`;
    const { result, log } = await carriedOut(request);
    expect(result).toMatchObject({ status: 'succeeded' });
    expect(urls(server)).toEqual(['/', '/results?q=rust', '/docs']);
    expect(log).toContain('"chosen":["Germany"]');
  });

  test('fails where the page is not as it says, and does nothing further: no navigation that it does not say', async () => {
    const server = await site();
    const request = `open ${server.origin}/; click "Home"; check that the url contains "/elsewhere"; open ${server.origin}/docs`;
    const { result } = await carriedOut(request);
    expect(result).toMatchObject({ status: 'failed' });
    expect(urls(server)).toEqual(['/']);
  });
});
