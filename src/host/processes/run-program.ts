import type { ChildProcess } from 'node:child_process';
import { setTimeout as wait } from 'node:timers/promises';

import { readBoundedOutput } from './bounded-output.js';
import type { BoundedOutput } from './bounded-output.js';
import { killGroup, startProgram } from './process-group.js';
import type { ProgramStart } from './process-group.js';

/** How long a program that was asked to end may take, in milliseconds. */
const GRACE_MS = 2000;

/** A program to run to its end. Times are in milliseconds, sizes in bytes. */
export interface Program extends Omit<ProgramStart, 'hasInput'> {
  /** What it reads on standard input; nothing when left out. */
  readonly input?: string;
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
  /** How much of each of its outputs is kept. */
  readonly most: { readonly out: number; readonly error: number };
  /** Whether it is ended when its standard output is longer than that. */
  readonly isWholeNeeded?: boolean;
  /** Told of each part of either output as it comes. */
  readonly onOutput?: (part: Buffer) => void;
  /**
   * How long output is waited for once the program has ended, for what it has started may hold its pipes open: before its
   * group is killed, and after.
   */
  readonly lingerMs: { readonly beforeKill: number; readonly afterKill: number };
  /** Ends what it has started outside its group. */
  readonly endRest?: () => Promise<unknown>;
}

/** How a program ended. */
export type ProgramEnd =
  | { readonly kind: 'not_started'; readonly cause: unknown }
  | {
      readonly kind: 'exited' | 'timed_out' | 'aborted' | 'too_long';
      readonly status: number | null;
      /** The signal that ended it. */
      readonly by: NodeJS.Signals | null;
      readonly out: BoundedOutput;
      readonly error: BoundedOutput;
    };

/**
 * Runs a program without a shell. It ends when the program exits, not when its pipes close. One that takes too long, writes
 * too much or is aborted is asked to end, and killed two seconds later; of a group of its own nothing is left in any
 * case. Never throws.
 */
export async function runProgram(program: Program): Promise<ProgramEnd> {
  let child: ChildProcess;
  try {
    child = startProgram({ ...program, hasInput: program.input !== undefined });
  } catch (cause) {
    return { kind: 'not_started', cause };
  }
  const tooLong = new AbortController();
  const noted = program.onOutput ?? (() => undefined);
  const out = readBoundedOutput(child.stdout, program.most.out, (part, isCut) => {
    noted(part);
    if (isCut && program.isWholeNeeded === true) tooLong.abort();
  });
  const error = readBoundedOutput(child.stderr, program.most.error, noted);
  child.stdin?.on('error', () => undefined);
  child.stdin?.end(program.input);
  const exit = exitOf(child);
  const kind = await endOf(child, exit, program, tooLong.signal);
  const ended = await exit;
  if ('cause' in ended) return { kind: 'not_started', cause: ended.cause };
  const read = Promise.all([out.done, error.done]);
  await within(read, program.lingerMs.beforeKill);
  if (program.group === 'own') killGroup(child, 'SIGKILL');
  await program.endRest?.();
  await within(read, program.lingerMs.afterKill);
  return { kind, ...ended, out: out.take(), error: error.take() };
}

type Exit =
  { readonly status: number | null; readonly by: NodeJS.Signals | null } | { readonly cause: unknown };

function exitOf(child: ChildProcess): Promise<Exit> {
  return new Promise((resolve) => {
    child.once('error', (cause) => {
      // Also said of a signal that could not be sent; then the program did start.
      if (child.pid === undefined) resolve({ cause });
    });
    child.once('exit', (status, by) => {
      resolve({ status, by });
    });
  });
}

/** Waits for the end, and brings it about when the time is up, the call is aborted or too much was written. */
async function endOf(
  child: ChildProcess,
  exit: Promise<Exit>,
  { timeoutMs, signal, group }: Program,
  tooLong: AbortSignal,
): Promise<'exited' | 'timed_out' | 'aborted' | 'too_long'> {
  const over = new AbortController();
  const timer =
    timeoutMs === undefined
      ? []
      : [wait(timeoutMs, 'timed_out' as const, { signal: over.signal }).catch(() => 'exited' as const)];
  const kind = await Promise.race([
    exit.then(() => 'exited' as const),
    ...timer,
    ...(signal === undefined ? [] : [aborted(signal, over.signal).then(() => 'aborted' as const)]),
    aborted(tooLong, over.signal).then(() => 'too_long' as const),
  ]);
  over.abort();
  if (kind === 'exited') return kind;
  const kill = (name: NodeJS.Signals) => (group === 'own' ? killGroup(child, name) : child.kill(name));
  kill('SIGTERM');
  const isGone = await Promise.race([exit.then(() => true), wait(GRACE_MS, false, { ref: false })]);
  if (!isGone) kill('SIGKILL');
  return kind;
}

/** Fulfilled when a signal is aborted; never when it is not listened to any more. */
function aborted(signal: AbortSignal, over: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener(
      'abort',
      () => {
        resolve();
      },
      { once: true, signal: over },
    );
  });
}

async function within(done: Promise<unknown>, milliseconds: number): Promise<void> {
  if (milliseconds > 0) await Promise.race([done, wait(milliseconds, undefined, { ref: false })]);
}
