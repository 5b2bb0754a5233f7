import { chmodSync, readdirSync, statSync, utimesSync } from 'node:fs';
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer as createNetServer } from 'node:net';
import type { AddressInfo, Server } from 'node:net';
import { basename, dirname, join } from 'node:path';

import { describe, expect, onTestFinished, test } from 'vitest';

import { writeOpeningFile } from '../../src/features/page/server/opening-file.js';
import { pageAssets } from '../../src/features/page/watching/page-assets.js';
import { defaultEnvironment } from '../../src/operations/shared/default-environment.js';
import { openWorkspace } from '../../src/workspace.js';
import { hasBrowser, openPage, useBrowser } from '../support/browser.js';
import { temporaryFolder } from '../support/folders.js';
import { ask, servePage } from '../support/page-server.js';

useBrowser();

async function newPlace() {
  const place = { folder: temporaryFolder(), home: temporaryFolder() };
  const workspace = openWorkspace({
    environment: {
      ...defaultEnvironment(),
      workingFolder: place.folder,
      homeFolder: place.home,
      variables: { PATH: process.env.PATH },
    },
  });
  await workspace.init({ goal: 'Move house', decompose: false }).result;
  return place;
}

const wholePage = async () => new Map(await pageAssets());

async function listening(server: Server, host: string, port = 0): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  return (server.address() as AddressInfo).port;
}

const closed = (server: Server) =>
  new Promise<void>((resolve) => {
    server.close(() => resolve());
  });

describe.skipIf(!hasBrowser)('a service worker that a former program left on the port', () => {
  /** Takes over every request of its origin, and with it the token, and tells the stranger of it. */
  const worker = (port: number) => `
    self.addEventListener('install', () => self.skipWaiting());
    self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()));
    self.addEventListener('fetch', (event) => {
      fetch('http://127.0.0.1:${port}/', { method: 'POST', mode: 'no-cors', body: event.request.url });
      event.respondWith(new Response('<p>taken over</p>', { headers: { 'content-type': 'text/html' } }));
    });`;

  test('sees nothing of the page, though it has the origins of before', async () => {
    const seen: string[] = [];
    const stranger = createServer((request: IncomingMessage, response: ServerResponse) => {
      request.on('data', (chunk: Buffer) => seen.push(chunk.toString('utf8')));
      request.on('end', () => response.end());
    });
    const strangersPort = await listening(stranger, '127.0.0.1');
    onTestFinished(() => closed(stranger));
    const former = createServer(({ url = '' }: IncomingMessage, response: ServerResponse) => {
      const isScript = url === '/worker.js';
      response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html');
      response.end(isScript ? worker(strangersPort) : '<p>former</p>');
    });
    const port = await listening(former, '127.0.0.1');
    const page = await openPage(`http://127.0.0.1:${port}/`);
    const controlled = `navigator.serviceWorker.register('/worker.js').then(() => new Promise((resolve) => {
      if (navigator.serviceWorker.controller) resolve(null);
      navigator.serviceWorker.addEventListener('controllerchange', () => resolve(null));
    }))`;
    for (const name of ['127.0.0.1', 'localhost']) {
      await page.goto(`http://${name}:${port}/`);
      await page.evaluate(controlled);
    }
    former.closeAllConnections();
    await closed(former);
    seen.length = 0;

    const server = await servePage(await newPlace(), { port, assets: await wholePage() });
    const ours = await page.context().newPage();
    await ours.goto(server.url);
    await ours.getByRole('link', { name: 'Move house' }).waitFor();
    await ours.getByText('live', { exact: true }).waitFor();
    expect(seen).toEqual([]);
    // It is there still, and takes whatever is opened by the names that it had.
    for (const name of ['127.0.0.1', 'localhost']) {
      await ours.goto(`http://${name}:${port}/#token=${server.token}`);
      await ours.getByText('taken over').waitFor();
    }
    await expect.poll(() => seen.length, { timeout: 60_000 }).toBeGreaterThan(1);
  });
});

describe('the name of a server', () => {
  test('is another for each, and is answered by as those of loopback are', async () => {
    const place = await newPlace();
    const [one, two] = [await servePage(place), await servePage(place)];
    const names = [one, two].map(({ url }) => new URL(url).hostname);
    expect(new Set(names).size).toBe(2);
    for (const name of names) expect(name).toMatch(/^[0-9a-f]{20}\.localhost$/);
    const headers = { authorization: `Bearer ${one.token}` };
    const statusFor = async (name: string) =>
      (await ask(one.port, '/api/plans', { headers: { ...headers, host: `${name}:${one.port}` } })).status;
    expect(await Promise.all([...names, 'localhost', 'other.localhost'].map(statusFor))).toEqual([
      200, 421, 200, 421,
    ]);
  });

  test('can be led to from elsewhere, as the file of --open does, but for data', async () => {
    const { port, url, token } = await servePage(await newPlace(), { write: true });
    const headers = {
      'sec-fetch-site': 'cross-site',
      'sec-fetch-mode': 'navigate',
      'sec-fetch-dest': 'document',
      authorization: `Bearer ${token}`,
    };
    const statusOf = async (path: string, host: string, more = {}) =>
      (await ask(port, path, { headers: { ...headers, host: `${host}:${port}`, ...more } })).status;
    const name = new URL(url).hostname;
    expect(await statusOf('/', name)).toBe(200);
    expect(await statusOf('/api/plans', name)).toBe(403);
    for (const host of ['127.0.0.1', 'localhost', '[::1]']) expect(await statusOf('/', host)).toBe(403);
    expect(await statusOf('/', name, { 'sec-fetch-mode': 'no-cors' })).toBe(403);
    expect(await statusOf('/', name, { 'sec-fetch-dest': 'iframe' })).toBe(403);
  });

  test('leads to no other program by the other address of loopback', async ({ skip }) => {
    const place = await newPlace();
    const other = createNetServer();
    const port = await listening(other, '::1').catch(() => null);
    if (port === null) return skip('there is no IPv6');
    onTestFinished(() => closed(other));
    await expect(servePage(place, { port })).rejects.toMatchObject({
      code: 'REFUSED',
      message: `port ${port} cannot be used: another program uses it`,
    });
    const server = await servePage(place);
    await expect(listening(createNetServer(), '::1', server.port)).rejects.toMatchObject({
      code: 'EADDRINUSE',
    });
    const answer = await fetch(`http://[::1]:${server.port}/`);
    expect(await answer.text()).toContain('page');
  });
});

describe('the file of --open', () => {
  const write = (home: string, variables: Readonly<Record<string, string>> = {}) =>
    writeOpeningFile({ variables, homeFolder: home, now: Date.now }, 'http://x.localhost/#code=1', 60_000);
  const modeOf = (path: string) => statSync(path).mode & 0o777;

  test('is nobody else’s, in a folder of the user’s own, and goes when it was used', async () => {
    const home = temporaryFolder();
    const file = await write(home);
    const folder = join(home, '.local/state/frctl/serve');
    expect(dirname(file.path)).toBe(folder);
    expect([modeOf(file.path), modeOf(folder)]).toEqual([0o600, 0o700]);
    chmodSync(folder, 0o755);
    const next = await write(home);
    expect(modeOf(folder)).toBe(0o700);
    await file.remove();
    await next.remove();
    expect(readdirSync(folder)).toEqual([]);
  });

  test('that a server left which was killed goes with the next', async () => {
    const home = temporaryFolder();
    const { path } = await write(home);
    utimesSync(path, new Date(), Date.now() / 1000 - 3600);
    const next = await write(home);
    expect(readdirSync(dirname(path))).toEqual([basename(next.path)]);
  });

  test('is where the session of the user keeps such, unless others can look into that', async () => {
    const [home, runtime] = [temporaryFolder(), temporaryFolder()];
    chmodSync(runtime, 0o700);
    const variables = { XDG_RUNTIME_DIR: runtime };
    expect(dirname((await write(home, variables)).path)).toBe(join(runtime, 'frctl/serve'));
    chmodSync(runtime, 0o755);
    expect(dirname((await write(home, variables)).path)).toBe(join(home, '.local/state/frctl/serve'));
  });

  test.skipIf(!hasBrowser)('brings the browser to the page by a code that is good once', async () => {
    const place = await newPlace();
    const server = await servePage(place, { assets: await wholePage() });
    let used = 0;
    const url = server.newOpeningUrl(() => void (used += 1));
    const environment = { variables: {}, homeFolder: place.home, now: Date.now };
    const file = await writeOpeningFile(environment, url, 60_000);
    const page = await openPage(`file://${file.path}`);
    await page.getByRole('link', { name: 'Move house' }).waitFor();
    expect(used).toBe(1);
    expect(page.url()).toBe(`${new URL(server.url).origin}/#/`);
    const again = await page.context().newPage();
    await again.goto(`file://${file.path}`);
    await again.getByText('access denied').waitFor();
  });
});
