import { existsSync } from 'node:fs';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';

import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';

import { newUser } from '../support/command.js';
import { sharedFolder } from '../support/folders.js';
import { writeLargePlan } from '../support/large-plan.js';
import { PLAN_ID } from '../support/plans.js';
import { ask, readLines, servePage } from '../support/page-server.js';
import { servedApart } from '../support/serving.js';

/** Twelve megabytes as a line: more than the system takes in for a reader that reads nothing. */
let folder = '';
beforeAll(async () => {
  folder = sharedFolder();
  await writeLargePlan(folder, 6000, 'x'.repeat(1900));
});

const STREAM = `/api/plans/${PLAN_ID}/stream`;
const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

/** A connection, and how it ends. */
async function connected(port: number) {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => undefined);
  onTestFinished(() => void socket.destroy());
  const closed = new Promise<void>((resolve) => socket.on('close', () => resolve()));
  await new Promise<void>((resolve) => socket.on('connect', resolve));
  return { socket, closed };
}

/** Somebody who asks for something and takes in only the beginning of the answer. */
async function asksAndStops(port: number, path: string, token: string) {
  const { socket, closed } = await connected(port);
  socket.write(`GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer ${token}\r\n\r\n`);
  await new Promise<void>((resolve) => socket.once('readable', resolve));
  return { socket, closed };
}

/** Returns the number of sockets that this process has open. */
function openSockets(): number {
  return process.getActiveResourcesInfo().filter((name) => name === 'TCPSocketWrap').length;
}

/** Reads so much now and then, until the connection is closed. @returns the number of bytes */
async function readSlowly(socket: Socket, bytes: number, everyMs: number): Promise<number> {
  let read = 0;
  while (!socket.destroyed && !socket.readableEnded) {
    const chunk: unknown = socket.read(Math.max(1, Math.min(bytes, socket.readableLength)));
    if (Buffer.isBuffer(chunk)) read += chunk.length;
    await sleep(everyMs);
  }
  return read;
}

describe('a reader', () => {
  test.skipIf(!existsSync('/proc/self/status'))(
    'that never reads costs next to no memory, and a hundred of them neither',
    async () => {
      const { port, token, megabytes } = await servedApart(newUser(folder));
      const lines = await readLines(port, STREAM, token);
      expect(await lines.next()).toMatchObject({ type: 'whole' });
      const before = megabytes();
      for (let count = 0; count < 50; count += 1) await asksAndStops(port, STREAM, token);
      for (let count = 0; count < 50; count += 1) await asksAndStops(port, `/api/plans/${PLAN_ID}`, token);
      // Whoever reads is served all the same.
      expect((await ask(port, '/api/plans', { headers: bearer(token) })).status).toBe(200);
      expect(megabytes() - before).toBeLessThan(200);
    },
  );

  test('that takes nothing, or a kilobyte a second, is dropped, and another has everything', async () => {
    const before = openSockets();
    const { port, token } = await servePage(newUser(folder), { limits: { pieceMs: 500 } });
    const [silent, slow, answer] = await Promise.all(
      [STREAM, STREAM, `/api/plans/${PLAN_ID}`].map((path) => asksAndStops(port, path, token)),
    );
    const lines = await readLines(port, STREAM, token);
    const whole = await lines.next();
    expect(whole).toMatchObject({ type: 'whole' });
    // The server runs in this process: three ends of its own go, theirs and both of the last reader stay.
    for (; openSockets() > before + 5; await sleep(50)) slow?.socket.read(50);
    const all = JSON.stringify(whole).length;
    for (const each of [silent, slow, answer])
      expect(await readSlowly(each?.socket as Socket, 1_000_000, 0)).toBeLessThan(0.9 * all);
    await newUser(folder).run(['claim', '1.1', '--by', 'ana']);
    expect(JSON.stringify(await lines.next())).toContain('ana');
  });
});

describe('a connection', () => {
  test('that says nothing is closed, and one that says too little too', async () => {
    const { port } = await servePage(newUser(folder), { limits: { requestMs: 200 } });
    const silent = await connected(port);
    const stuck = await connected(port);
    stuck.socket.write('GET / HTTP/1.1\r\nHost: 127');
    for (const { socket, closed } of [silent, stuck]) {
      socket.resume();
      await closed;
      expect(socket.bytesRead).toBeLessThan(200);
    }
  });

  test.each([
    ['says nothing', ''],
    ['says too little', 'GET / HTT'],
    ['has no token', 'GET /api/plans HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\n\r\n'],
    ['never reads the page', 'GET /page.js HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\n\r\n'],
  ])('that %s keeps no browser out, however many there are', async (_what, words) => {
    const assets = new Map([['/page.js', { type: 'text/javascript', text: 'x'.repeat(1_000_000) }]]);
    const { port, token } = await servePage(newUser(folder), { assets });
    for (let count = 0; count < 300; count += 1) {
      const { socket } = await connected(port);
      socket.write(words.replace('PORT', String(port)));
    }
    const lines = await readLines(port, '/api/stream', token);
    expect(await lines.next()).toMatchObject({ type: 'changed' });
    expect((await ask(port, '/api/plans', { headers: bearer(token) })).status).toBe(200);
  });

  test('of a hundred streams keeps no new one out, and no answer', async () => {
    const { port, token } = await servePage(newUser(folder));
    const first = await readLines(port, '/api/stream', token);
    for (let count = 0; count < 100; count += 1) await readLines(port, '/api/stream', token);
    await first.ended;
    expect((await ask(port, '/api/plans', { headers: bearer(token) })).status).toBe(200);
    const lines = await readLines(port, '/api/stream', token);
    expect(await lines.next()).toMatchObject({ type: 'changed' });
  });

  test('that asks on and on without reading the answers is closed', async () => {
    const { port, token } = await servePage(newUser(folder));
    const { closed, socket } = await asksAndStops(port, `/api/plans/${PLAN_ID}`, token);
    for (let count = 0; count < 10; count += 1)
      socket.write(`GET / HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`);
    socket.resume();
    await closed;
    expect(socket.bytesRead).toBeLessThan(12_000_000);
  });
});
