import { messageOf } from '../../../../kernel/errors.js';
import type { BoundedOutput } from '../../../../host/processes/bounded-output.js';
import { runProgram } from '../../../../host/processes/run-program.js';
import { endOrphansOfAttempt } from './orphans.js';

/** How long what is in the pipes may take to be read after all that could write is gone. */
const DRAIN_MS = 2000;

/** A program to run, in a process group of its own. */
export interface ChildCommand {
  readonly argv: readonly string[];
  readonly folder: string;
  readonly environment: Readonly<Record<string, string>>;
  /** What it reads on descriptor 3. */
  readonly options?: string | undefined;
  /** What it reads on standard input; nothing when left out. */
  readonly input?: string | undefined;
  /** By which whatever it starts is found. */
  readonly attempt: string;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  /** Bytes that are kept of each of its outputs. */
  readonly most: { readonly out: number; readonly error: number };
}

/** How a program ended. */
export type ChildEnd =
  | { readonly kind: 'not_started'; readonly reason: string }
  | {
      readonly kind: 'exited' | 'timed_out' | 'dropped';
      readonly status: number | null;
      readonly by: NodeJS.Signals | null;
      readonly out: BoundedOutput;
      readonly error: BoundedOutput;
    };

/**
 * Runs a program without a shell. It ends when the program exits, not when its pipes
 * close, because what it has started may keep them; and then nothing of its group is left, nor of what carries its mark.
 */
export async function runChild(command: ChildCommand): Promise<ChildEnd> {
  const { argv, folder, environment, options, input, timeoutMs, signal, most, attempt } = command;
  if (signal.aborted) return { kind: 'not_started', reason: 'it was dropped before it began' };
  const end = await runProgram({
    argv,
    folder,
    variables: environment,
    options,
    ...(input === undefined ? {} : { input }),
    group: 'own',
    timeoutMs,
    signal,
    most,
    lingerMs: { beforeKill: 0, afterKill: DRAIN_MS },
    endRest: () => endOrphansOfAttempt(attempt, 0),
  });
  if (end.kind === 'not_started') return { kind: 'not_started', reason: messageOf(end.cause) };
  const { status, by, out, error } = end;
  const kind = end.kind === 'exited' || end.kind === 'timed_out' ? end.kind : 'dropped';
  return { kind, status, by, out, error };
}
