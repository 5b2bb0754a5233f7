import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readlinkSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { newUser } from '../support/command.js';
import { writeLargePlan } from '../support/large-plan.js';
import { ask, readLines } from '../support/page-server.js';
import { servedApart } from '../support/serving.js';

/** A server in a process of its own, with somebody who looks at a plan. */
async function newPlace() {
  const user = newUser();
  const { plan } = await writeLargePlan(user.folder, 60, 'words');
  const other = await writeLargePlan(user.folder, 10, 'more', 'b1b2c3d4');
  const server = await servedApart(user);
  const headers = { authorization: `Bearer ${server.token}` };
  const get = async (path: string) => (await ask(server.port, path, { headers })).status;
  const lines = await readLines(server.port, `/api/stream?plan=${plan}&plan=${other.plan}`, server.token);
  const names = new Set<unknown>();
  while (names.size < 3) names.add((await lines.next()).plan);
  const log = join(user.folder, '.plans', `${plan}.events.jsonl`);
  const open = () => readdirSync(`/proc/${server.child.pid ?? 0}/fd`).length;
  return { user, plan, other: other.plan, server, get, lines, log, open };
}

/** Every route that looks at the plan. */
const routesOf = (plan: string) => [
  `/api/plans/${plan}`,
  `/api/plans/${plan}/log`,
  `/api/plans/${plan}/log?before=500`,
  `/api/plans/${plan}/goals/1`,
  '/api/plans',
  '/api/runs',
];

describe.skipIf(!existsSync('/proc/self/fd'))('while it is looked at', () => {
  test.each([
    ['a FIFO', (path: string) => void execFileSync('mkfifo', [path])],
    ['/dev/zero', (path: string) => symlinkSync('/dev/zero', path)],
    ['/dev/tty', (path: string) => symlinkSync('/dev/tty', path)],
    ['a folder', (path: string) => void execFileSync('mkdir', [path])],
    ['itself', (path: string) => symlinkSync(path, path)],
  ])('a log that %s has taken the place of hangs nothing, and its return is noticed', async (_what, put) => {
    const { user, plan, other, get, lines, log, open, server } = await newPlace();
    renameSync(log, `${log}.away`);
    put(log);
    const before = open();
    for (let round = 0; round < 3; round += 1)
      for (const route of routesOf(plan)) expect([route, (await get(route)) < 600]).toEqual([route, true]);
    expect(open()).toBeLessThanOrEqual(before + 3);
    // The other plan is as live as it was.
    await user.run(['claim', '1.1', '--plan', other, '--by', 'ana']);
    for (let line = await lines.next(); line.plan !== other;) line = await lines.next();
    rmSync(log, { recursive: true });
    renameSync(`${log}.away`, log);
    expect(await get(`/api/plans/${plan}`)).toBe(200);
    await user.run(['claim', '1.1', '--plan', plan, '--by', 'bob']);
    const late = await readLines(server.port, `/api/plans/${plan}/stream`, server.token);
    let known = await late.next();
    while (!JSON.stringify(known).includes('"by":"bob"')) known = await late.next();
    expect(known.gone).toEqual([]);
  });

  test('a store that is gone is told, hangs nothing, and its return is noticed', async () => {
    const { user, plan, get, lines, open } = await newPlace();
    const store = join(user.folder, '.plans');
    const before = open();
    renameSync(store, `${store}.away`);
    let line = await lines.next();
    while (line.type !== 'gone') line = await lines.next();
    expect(line).toMatchObject({ error: { code: 'PLAN_NOT_FOUND' } });
    for (const route of routesOf(plan)) expect([route, (await get(route)) < 600]).toEqual([route, true]);
    expect(open()).toBeLessThanOrEqual(before + 3);
    renameSync(`${store}.away`, store);
    expect(await get(`/api/plans/${plan}`)).toBe(200);
  });

  test('requests that are none hang nothing', async () => {
    const { server, get, plan } = await newPlace();
    for (const first of [
      'GET //[ HTTP/1.1',
      'GET /[ HTTP/1.1',
      'GET http://[ HTTP/1.1',
      '\0\0\0',
      'GET /'.repeat(9000),
    ]) {
      const socket = connect(server.port, '127.0.0.1');
      socket.on('error', () => undefined);
      const closed = new Promise((resolve) => socket.on('close', resolve));
      socket.write(`${first}\r\nHost: 127.0.0.1:${server.port}\r\nConnection: close\r\n\r\n`);
      socket.resume();
      await closed;
    }
    expect(await get(`/api/plans/${plan}`)).toBe(200);
    expect(readlinkSync(`/proc/${server.child.pid ?? 0}/exe`)).toContain('node');
  });
});
