import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import type { Readable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';

import { messageOf } from '../../kernel/errors.js';
import { endAttempt } from './orphans.js';

/** How long a group that was asked to end may take, in milliseconds. */
const GRACE_MS = 2000;
/** How long what is in the pipes may take to be read after all that could write is gone. */
const DRAIN_MS = 2000;

/** A program to run, in a process group of its own. */
export interface ChildCommand {
  readonly argv: readonly string[];
  readonly folder: string;
  readonly environment: Readonly<Record<string, string>>;
  /** By which whatever it starts is found. */
  readonly attempt: string;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  /** Bytes that are kept of each of its outputs. */
  readonly most: number;
}

/** How a program ended. */
export type ChildEnd =
  | { readonly kind: 'not_started'; readonly reason: string }
  | {
      readonly kind: 'exited' | 'timed_out' | 'dropped';
      readonly status: number | null;
      readonly by: NodeJS.Signals | null;
      readonly out: Kept;
      readonly error: Kept;
    };

/** What was kept of an output. */
interface Kept {
  readonly bytes: Buffer;
  readonly isCut: boolean;
}

/**
 * Runs a program without a shell, with nothing on standard input. It ends when the program exits, not when its pipes
 * close, because what it has started may keep them; and then nothing of its group is left, nor of what carries its mark.
 */
export async function runChild(command: ChildCommand): Promise<ChildEnd> {
  const { argv, folder, environment, timeoutMs, signal, most, attempt } = command;
  if (signal.aborted) return { kind: 'not_started', reason: 'it was dropped before it began' };
  const [program = '', ...rest] = argv;
  let child: ChildProcess;
  try {
    child = spawn(program, rest, {
      cwd: folder,
      env: environment,
      detached: true,
      shell: false,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  } catch (cause) {
    return { kind: 'not_started', reason: messageOf(cause) };
  }
  const out = collect(child.stdout, most);
  const error = collect(child.stderr, most);
  const exit = new Promise<Exit>((resolve) => {
    child.once('error', (cause) => {
      // Also said of a signal that could not be sent; then the program did start.
      if (child.pid === undefined) resolve({ reason: cause.message });
    });
    child.once('exit', (status, by) => {
      resolve({ status, by });
    });
  });
  const why = await watched(child, exit, { timeoutMs, signal });
  const ended = await exit;
  if ('reason' in ended) return { kind: 'not_started', reason: ended.reason };
  killGroup(child, 'SIGKILL');
  await endAttempt(attempt, 0);
  await Promise.race([Promise.all([out.done, error.done]), wait(DRAIN_MS, undefined, { ref: false })]);
  return { kind: why, ...ended, out: out.take(), error: error.take() };
}

type Exit =
  { readonly status: number | null; readonly by: NodeJS.Signals | null } | { readonly reason: string };

/** Waits for the end, and brings it about when the time is up or the call is dropped. */
async function watched(
  child: ChildProcess,
  exit: Promise<Exit>,
  { timeoutMs, signal }: { readonly timeoutMs: number; readonly signal: AbortSignal },
): Promise<'exited' | 'timed_out' | 'dropped'> {
  const over = new AbortController();
  const timer = wait(timeoutMs, 'timed_out' as const, { signal: over.signal }).catch(() => 'exited' as const);
  const dropped = new Promise<'dropped'>((resolve) => {
    signal.addEventListener(
      'abort',
      () => {
        resolve('dropped');
      },
      { once: true, signal: over.signal },
    );
  });
  const why = await Promise.race([exit.then(() => 'exited' as const), timer, dropped]);
  over.abort();
  if (why === 'exited') return why;
  killGroup(child, 'SIGTERM');
  const isGone = await Promise.race([exit.then(() => true), wait(GRACE_MS, false)]);
  if (!isGone) killGroup(child, 'SIGKILL');
  return why;
}

/** Signals a whole group. What is gone is not missed. */
export function killGroup({ pid }: Pick<ChildProcess, 'pid'>, name: NodeJS.Signals): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, name);
  } catch {
    // Nobody is left in it.
  }
}

/** Keeps the beginning of a stream, and reads the rest away so that whoever writes does not wait. */
function collect(stream: Readable | null, most: number) {
  const chunks: Buffer[] = [];
  let length = 0;
  let isCut = false;
  stream?.on('data', (chunk: Buffer) => {
    const rest = most - length;
    if (chunk.length > rest) isCut = true;
    if (rest <= 0) return;
    chunks.push(chunk.subarray(0, rest));
    length += Math.min(rest, chunk.length);
  });
  const done = new Promise<void>((resolve) => {
    if (stream === null) resolve();
    else
      stream.once('close', resolve).once('error', () => {
        resolve();
      });
  });
  return {
    done,
    take(): Kept {
      stream?.destroy();
      return { bytes: Buffer.concat(chunks), isCut };
    },
  };
}
