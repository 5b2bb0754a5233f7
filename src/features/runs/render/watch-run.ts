import type { ExecutionEvent } from '../executor/session.js';
import type { Streamed } from '../../../operations/shared/streamed.js';
import type { Interruption } from '../../../cli/interruption.js';
import { createRunProgress } from './run-progress.js';
import type { Terminal } from '../../../cli/terminal.js';
import { showLive } from '../../../cli/watch/show-live.js';

/** Carries out an action plan that a signal can stop, and shows it live on a terminal. */
export async function watchRun<Result>(
  terminal: Terminal,
  start: (signals: Pick<Interruption, 'signal' | 'dropSignal'>) => Streamed<ExecutionEvent, Result>,
): Promise<Result> {
  const progress = createRunProgress(terminal.errorColors);
  return showLive(terminal, start, {
    stopping: 'Stopping after the calls in flight; Ctrl-C again drops them.',
    take(event) {
      const line = progress.take(event);
      // Whoever has no terminal reads of what happens in the log, which does not say what is waited for.
      return terminal.isLive || event.type === 'step_waits' || event.type === 'approval_asked' ? line : null;
    },
    say: (message) => {
      progress.say(message);
    },
    frame: ({ columns }) => progress.frame(columns),
  });
}
