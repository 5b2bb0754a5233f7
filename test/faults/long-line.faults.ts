import { spawn } from 'node:child_process';
import { appendFileSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { crc32 } from 'node:zlib';

import { expect, test } from 'vitest';

import { complete, expand, id, newWorkplace, PLAN } from '../support/worked-plan.js';
import type { Workplace } from '../support/worked-plan.js';
import { scale } from './support/scale.js';

const LINE_BYTES = scale(600, 6) * 1024 ** 2;
const CHUNK_BYTES = 1024 ** 2;
/** Of a line so much is kept until it is longer than any event. */
const MOST_RESIDENT_KB = 900 * 1024;

/** Lines that are no events, by what they are made of: letters, and what looks like the beginning of an event. */
const LINES: Readonly<Record<string, string>> = { letters: 'x', 'the beginning of an event': '{"id":"' };

const COMMANDS: readonly (readonly string[])[] = [
  ['status', PLAN],
  ['list'],
  ['validate', PLAN],
  ['log', PLAN],
  ['tree', PLAN],
  ['export', PLAN],
  ['next', PLAN],
  ['show', id('a')],
  ['context', id('a')],
  ['publish', PLAN],
  ['edit', id('a'), '--description', 'Another'],
  ['undo', PLAN, '--any'],
  ['complete', id('a'), '--summary', 'Did it'],
  ['doctor'],
  ['doctor', '--accept'],
];

/** Runs a command, and tells the most memory that it had. */
async function run({ folder, home }: Workplace, args: readonly string[]) {
  const node = ['--max-old-space-size=256', resolve('dist/cli/plan.js'), ...args];
  const child = spawn(process.execPath, node, {
    cwd: folder,
    env: { PATH: process.env.PATH ?? '', HOME: home },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [out, error, resident] = ['', '', 0];
  child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (error += chunk.toString()));
  const watching = setInterval(() => (resident = Math.max(resident, residentKb(child.pid ?? 0))), 20);
  const [status, signal] = await new Promise<[number | null, NodeJS.Signals | null]>((done) => {
    child.on('close', (code, by) => done([code, by]));
  });
  clearInterval(watching);
  return { args, status, signal, out, error, resident };
}

function residentKb(pid: number): number {
  try {
    return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0);
  } catch {
    return 0;
  }
}

test.each(Object.entries(LINES).slice(0, scale(2, 1)))(
  'a line of hundreds of megabytes in a log is named and costs no change around it: %s',
  async (_kind, beginning) => {
    const place = await newWorkplace();
    await place.change(expand('root', ['a', 'b']), complete('b'));
    appendFileSync(place.eventLog, `\n${beginning}`);
    const chunk = Buffer.alloc(CHUNK_BYTES, 'x');
    for (let written = 0; written < LINE_BYTES; written += CHUNK_BYTES) appendFileSync(place.eventLog, chunk);
    appendFileSync(place.eventLog, '\n');
    const named = /damage|torn|cannot be read|longer than any event|cut off/i;
    for (const args of COMMANDS.filter((_, index) => index % scale(1, 4) === 0)) {
      const end = await run(place, args);
      const shown = { ...end, out: end.out.slice(0, 2000), error: end.error.slice(0, 2000) };
      expect([shown, end.signal]).toEqual([shown, null]);
      expect([shown, [0, 1].includes(end.status ?? -1)]).toEqual([shown, true]);
      expect([shown, /went wrong|^\s+at |heap/m.test(end.error)]).toEqual([shown, false]);
      expect([shown, end.resident < MOST_RESIDENT_KB]).toEqual([shown, true]);
      // A line that a writer may have been stopped at is no damage, and only worth a note.
      if (args[0] === 'validate' || (args[0] === 'status' && beginning === 'x'))
        expect([shown, named.test(`${end.out}${end.error}`)]).toEqual([shown, true]);
    }
    const { plan } = await place.open();
    expect(plan.goals.get(id('b'))?.status).toBe('complete');
  },
);

test.skipIf(scale(false, true))(
  'a line that is longer than any event is damage, also with a checksum that fits (in full alone: an event may have 256 MB)',
  async () => {
    const place = await newWorkplace();
    await place.change(expand('root', ['a', 'b']));
    const head = Buffer.from(
      `{"id":"long","at":"2026-03-01T00:00:00Z","by":"x","replica":"r","clock":9,"note":"`,
    );
    const megabyte = Buffer.alloc(1024 * 1024, 'x');
    const body = [head, ...Array.from({ length: 260 }, () => megabyte), Buffer.from('"')];
    for (const part of body) appendFileSync(place.eventLog, part);
    const crc = body.reduce((sum, part) => crc32(part, sum), 0);
    appendFileSync(place.eventLog, `,"crc":"${crc.toString(16).padStart(8, '0')}"}\n`);
    let told = '';
    for (const args of [['complete', id('a')], ['doctor']]) {
      const { status, out, error } = await place.run(args);
      expect([args, [0, 1].includes(status ?? 70), error.includes('went wrong')]).toEqual([
        args,
        true,
        false,
      ]);
      told = out;
    }
    expect(told).toContain('DAMAGED_EVENT');
  },
);
