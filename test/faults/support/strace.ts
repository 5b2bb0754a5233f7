import { spawn, spawnSync } from 'node:child_process';
import { resolve } from 'node:path';

import { onTestFinished } from 'vitest';

import type { User } from '../../support/command.js';
import { ended } from './processes.js';

const traced = spawnSync('strace', ['-f', '-o', '/dev/null', process.execPath, '-e', '0']);

/** Whether strace is there and may trace; what needs it is skipped where it is not. */
export const CAN_TRACE = traced.status === 0;

/** How strace is told what to do to which system calls: `fdatasync:delay_exit=500000`. */
export type Injection = string;

/** The arguments of a program that starts another, whose system calls go wrong as they are told. */
export function under(...injections: readonly Injection[]): readonly string[] {
  return ['strace', '-f', '-qq', '-o', '/dev/null', ...injections.flatMap((one) => ['-e', `inject=${one}`])];
}

/** Runs the command of a user with system calls that are delayed, fail, or kill it. */
export async function runTraced(user: User, args: readonly string[], ...injections: readonly Injection[]) {
  const [program = '', ...before] = under(...injections);
  const child = spawn(program, [...before, process.execPath, resolve('dist/cli/plan.js'), ...args], {
    cwd: user.folder,
    env: { PATH: process.env.PATH ?? '', HOME: user.home, UV_THREADPOOL_SIZE: '1' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let out = '';
  child.stdout?.on('data', (chunk: Buffer) => (out += chunk.toString()));
  const end = await ended(child);
  return { ...end, out };
}
