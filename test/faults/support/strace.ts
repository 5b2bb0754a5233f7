import { spawn, spawnSync } from 'node:child_process';
import { resolve } from 'node:path';

import { onTestFinished } from 'vitest';

import { ended } from './processes.js';

const traced = spawnSync('strace', ['-f', '-o', '/dev/null', process.execPath, '-e', '0']);

/** Whether strace is there and may trace; what needs it is skipped where it is not. */
export const CAN_TRACE = traced.status === 0;

/** The arguments of a program that starts another, whose system calls go wrong: `fdatasync:delay_exit=500000`. */
export function under(...injections: readonly string[]): readonly string[] {
  return ['strace', '-f', '-qq', '-o', '/dev/null', ...injections.flatMap((one) => ['-e', `inject=${one}`])];
}

/** Where and how the command is run. */
export interface Running {
  readonly folder: string;
  readonly home: string;
  /** What starts it, such as {@link under}. */
  readonly under?: readonly string[];
  readonly variables?: Readonly<Record<string, string>>;
  readonly uid?: number;
  /** The group, where that is not the user's own. */
  readonly gid?: number;
}

/** Runs the command to its end, in a folder, as a user, with system calls that are delayed, fail, or kill it. */
export async function runPlan(
  { folder, home, under: before = [], variables = {}, uid, gid = uid }: Running,
  args: readonly string[],
) {
  const [program = '', ...rest] = [...before, process.execPath, resolve('dist/cli/plan.js'), ...args];
  const child = spawn(program, rest, {
    cwd: folder,
    // One thread, so that the calls of the system come in the same order each time.
    env: { PATH: process.env.PATH ?? '', HOME: home, UV_THREADPOOL_SIZE: '1', ...variables },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(uid === undefined ? {} : { uid, gid }),
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let out = '';
  child.stdout?.on('data', (chunk: Buffer) => (out += chunk.toString()));
  const end = await ended(child);
  return { ...end, out };
}
