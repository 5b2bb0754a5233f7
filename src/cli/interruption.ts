import process from 'node:process';

import { isWaitingForPipe } from '../operations/shared/named-file.js';
import type { Terminal } from './terminal.js';

/** The exit status of a process that a signal ended. */
const INTERRUPTED = 130;

/**
 * The signals that stop what asks a model: the first ends waits and retries, the next drops the calls in flight. A third
 * ends the process at once, whatever it waits for; so does the first while it reads a pipe, and has not begun.
 */
export interface Interruption {
  readonly signal: AbortSignal;
  readonly dropSignal: AbortSignal;
  readonly release: () => void;
}

/** Turns Ctrl-C and a request to end into a pause. */
export function interruption(): Interruption {
  const pause = new AbortController();
  const drop = new AbortController();
  let count = 0;
  const onSignal = (name: NodeJS.Signals) => {
    count += 1;
    if (count > 2 || isWaitingForPipe()) process.exit(INTERRUPTED);
    if (pause.signal.aborted || name === 'SIGTERM') drop.abort();
    pause.abort();
  };
  const names: readonly NodeJS.Signals[] = ['SIGINT', 'SIGTERM', 'SIGHUP'];
  for (const name of names) process.on(name, onSignal);
  return {
    signal: pause.signal,
    dropSignal: drop.signal,
    release: () => {
      for (const name of names) process.off(name, onSignal);
    },
  };
}

type Signals = Pick<Interruption, 'signal' | 'dropSignal'>;

/**
 * Runs what asks a model several questions with interruption by Ctrl-C; what the calls in flight bring is kept after
 * a first one.
 */
export async function runStoppably<T>(
  terminal: Terminal,
  work: (signals: Signals) => Promise<T>,
): Promise<T> {
  const { signal, dropSignal, release } = interruption();
  const say = () => {
    if (!dropSignal.aborted) terminal.tell('Stopping after what is under way; Ctrl-C again drops it.');
  };
  signal.addEventListener('abort', say, { once: true });
  try {
    return await work({ signal, dropSignal });
  } finally {
    release();
  }
}

/** Runs what asks a model one question with interruption by Ctrl-C, which drops the call. */
export async function runDroppably<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const { signal, release } = interruption();
  try {
    return await work(signal);
  } finally {
    release();
  }
}
