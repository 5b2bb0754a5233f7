import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';

import { describe, expect, test } from 'vitest';

import { errorOf, newUser } from '../support/command.js';
import { temporaryFolder } from '../support/folders.js';
import { ask } from '../support/page-server.js';
import { readySchema, serving } from '../support/serving.js';

test.each(['SIGINT', 'SIGTERM'] as const)(
  'says where it serves, and %s ends it without failure',
  async (signal) => {
    const user = newUser();
    await user.run(['init', 'Move house', '--no-decompose']);
    const { line, process: child, ended } = await serving(user, ['--json']);
    const { url, port, pid } = readySchema.parse(JSON.parse(line));
    expect(pid).toBe(child.pid);
    expect(url).toMatch(new RegExp(`^http://[0-9a-f]{20}\\.localhost:${port}/#token=[\\w-]{43}$`));
    const page = await ask(port, '/');
    expect(page.text).toContain('<script type="module" src="/page.js">');
    const headers = { authorization: `Bearer ${url.split('=')[1] ?? ''}` };
    expect((await ask(port, '/api/plans', { headers })).text).toContain('Move house');
    expect((await ask(port, '/api/server', { headers })).json()).toMatchObject({ write: false });
    child.kill(signal);
    expect(await ended).toMatchObject({ status: 0, signal: null, error: '' });
  },
);

test('prints an address and nothing else for people', async () => {
  const user = newUser();
  await user.run(['init', 'Move house', '--no-decompose']);
  const { line, process: child, ended } = await serving(user, ['--write']);
  expect(line).toMatch(/^http:\/\/[0-9a-f]{20}\.localhost:\d+\/#token=[\w-]+\n$/);
  child.kill('SIGINT');
  expect((await ended).error).toBe('Ctrl-C ends it.\n');
});

describe.skipIf(process.platform !== 'linux')('--open', () => {
  /** A user whose browser notes what its command line says. */
  async function userWithBrowser() {
    const user = newUser();
    await user.run(['init', 'Move house', '--no-decompose']);
    const programs = temporaryFolder();
    const said = join(programs, 'said');
    const browser = `#!/bin/sh\ntr '\\0' '\\n' </proc/$$/cmdline >'${said}.tmp'\nmv '${said}.tmp' '${said}'\n`;
    writeFileSync(join(programs, 'xdg-open'), browser, { mode: 0o755 });
    const environment = { PATH: `${programs}:${process.env.PATH ?? ''}` };
    const server = await serving(user, ['--open', '--json'], environment);
    const { url, port } = readySchema.parse(JSON.parse(server.line));
    await expect.poll(() => existsSync(said), { timeout: 60_000 }).toBe(true);
    const words = readFileSync(said, 'utf8').trim().split('\n');
    return { ...server, words, file: words.at(-1) ?? '', token: url.split('=')[1] ?? '', port };
  }

  test('hands the browser a file that nobody else can read, and no secret', async () => {
    const { words, file, token, port, process: child, ended } = await userWithBrowser();
    const text = readFileSync(file, 'utf8');
    const code = /#code=([\w-]{43})"/.exec(text)?.[1] ?? '';
    expect(text).not.toContain(token);
    for (const secret of [token, code, '#'])
      expect(words.filter((word) => word.includes(secret))).toEqual([]);
    expect([statSync(file).mode & 0o777, statSync(dirname(file)).mode & 0o777]).toEqual([0o600, 0o700]);
    const redeem = () => ask(port, '/api/session', { headers: { authorization: `Bearer ${code}` } });
    expect((await redeem()).json()).toEqual({ token });
    await expect.poll(() => existsSync(file), { timeout: 60_000 }).toBe(false);
    expect((await redeem()).status).toBe(401);
    child.kill('SIGINT');
    expect((await ended).status).toBe(0);
  });

  test('leaves no file behind that was not used', async () => {
    const { file, process: child, ended } = await userWithBrowser();
    expect(existsSync(file)).toBe(true);
    child.kill('SIGTERM');
    expect((await ended).status).toBe(0);
    expect(existsSync(file)).toBe(false);
  });
});

test('says why it cannot serve', async () => {
  const user = newUser();
  const nowhere = await user.run(['serve', '--json']);
  expect(nowhere.status).toBe(3);
  expect(errorOf(nowhere.json())).toMatchObject({ code: 'STORE_NOT_FOUND' });
  await user.run(['init', 'Move house', '--no-decompose']);
  const { line } = await serving(user, ['--json']);
  const { port } = readySchema.parse(JSON.parse(line));
  const taken = await user.run(['serve', '--port', String(port), '--json']);
  expect(errorOf(taken.json()).message).toBe(`port ${port} cannot be used: another program uses it`);
  expect(taken.status).toBe(4);
  for (const wrong of ['70000', '1.5', '-1', 'x']) {
    const { status, error } = await user.run(['serve', `--port=${wrong}`]);
    expect([wrong, status]).toEqual([wrong, 2]);
    expect(error).toContain('--port');
  }
});

test('tells on standard error what the store warns of, of a file once', async () => {
  const user = newUser();
  await user.run(['init', 'Move house', '--no-decompose']);
  await user.run(['add', 'Pack', '--under', 'root']);
  // The list of plans cannot be written where a folder is in the way.
  rmSync(join(user.folder, '.plans/index.json'));
  mkdirSync(join(user.folder, '.plans/index.json/x'), { recursive: true });
  const { line, process: child, ended } = await serving(user, ['--write', '--json']);
  const { url, port } = readySchema.parse(JSON.parse(line));
  const headers = {
    authorization: `Bearer ${url.split('=')[1] ?? ''}`,
    'content-type': 'application/json',
  };
  for (const description of ['Pack all', 'Pack it all']) {
    const body = JSON.stringify({ goal: '1', description });
    expect((await ask(port, '/api/operations/edit', { method: 'POST', headers, body })).status).toBe(200);
  }
  child.kill('SIGINT');
  const { status, error } = await ended;
  expect(status).toBe(0);
  expect(error).toMatch(/^warning: [^\n]*index\.json[^\n]*\n$/);
});

test('what a browser loads is small', () => {
  const sizes = ['page.js', 'page.css', 'index.html'].map(
    (file) => gzipSync(readFileSync(`dist/web/${file}`)).length,
  );
  expect(sizes[0]).toBeLessThan(35_000);
  expect(sizes[1]).toBeLessThan(6_000);
});
