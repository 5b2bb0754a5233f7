import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';

import { expect, test } from 'vitest';

import { runProgram } from '../../src/host/processes/run-program.js';
import type { Program } from '../../src/host/processes/run-program.js';
import { temporaryFolder } from '../support/folders.js';

const PLAIN = {
  variables: process.env,
  group: 'own',
  most: { out: 1000, error: 1000 },
  lingerMs: { beforeKill: 0, afterKill: 2000 },
} satisfies Omit<Program, 'argv'>;

const shell = (script: string) => ['/bin/sh', '-c', script];

test('a program reads its input, and its outputs are told apart', async () => {
  const end = await runProgram({ ...PLAIN, argv: shell('cat; echo bad >&2; exit 3'), input: 'good' });
  expect(end).toMatchObject({ kind: 'exited', status: 3, by: null });
  if (end.kind === 'not_started') throw new Error('it was not started');
  expect([String(end.out.bytes), String(end.error.bytes)]).toEqual(['good', 'bad\n']);
});

test('of a long output the beginning is kept, or the program is ended where all of it is needed', async () => {
  const argv = shell('while :; do echo 0123456789; done');
  const cut = await runProgram({ ...PLAIN, argv: shell('yes | head -c 100000') });
  expect(cut).toMatchObject({ kind: 'exited', out: { isCut: true } });
  if (cut.kind === 'not_started') throw new Error('it was not started');
  expect(cut.out.bytes).toHaveLength(1000);
  expect(await runProgram({ ...PLAIN, argv, isWholeNeeded: true })).toMatchObject({ kind: 'too_long' });
});

test('what does not end when it is asked to is killed, with what it has started', async () => {
  const pids = join(temporaryFolder(), 'pids');
  const argv = shell(
    `trap '' TERM; sleep 1000 & echo $! > '${pids}'; echo started; while :; do sleep 1000; done`,
  );
  const stop = new AbortController();
  const end = await runProgram({ ...PLAIN, argv, signal: stop.signal, onOutput: () => stop.abort() });
  expect(end).toMatchObject({ kind: 'aborted', by: 'SIGKILL' });
  await expect.poll(() => isThere(Number(readFileSync(pids, 'utf8'))), { timeout: 20_000 }).toBe(false);
});

test('what was aborted before, takes too long or is not there is told', async () => {
  const signal = AbortSignal.abort();
  expect(await runProgram({ ...PLAIN, argv: ['sleep', '1000'], signal })).toMatchObject({ kind: 'aborted' });
  expect(await runProgram({ ...PLAIN, argv: ['sleep', '1000'], timeoutMs: 1 })).toMatchObject({
    kind: 'timed_out',
  });
  expect(await runProgram({ ...PLAIN, argv: ['no-such-program'] })).toMatchObject({ kind: 'not_started' });
  expect(await runProgram({ ...PLAIN, argv: ['a\0b'] })).toMatchObject({ kind: 'not_started' });
});

test('a program in our own group is ended alone', async () => {
  const end = await runProgram({ ...PLAIN, argv: ['sleep', '1000'], group: 'ours', timeoutMs: 1 });
  expect(end).toMatchObject({ kind: 'timed_out', by: 'SIGTERM' });
});

function isThere(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
