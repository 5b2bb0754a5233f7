import type { ExecutionEvent } from '../executor/session.js';
import type { Streamed } from '../../../operations/shared/streamed.js';
import type { Interruption } from '../../../cli/interruption.js';
import { askInPlace } from './ask-in-place.js';
import { createRunProgress } from './run-progress.js';
import { canAsk } from '../../../cli/confirm.js';
import type { View } from '../../../cli/renderer.js';
import type { Terminal } from '../../../cli/terminal.js';
import { showLive } from '../../../cli/watch/show-live.js';

/** Carries out an action plan that a signal can stop, shows it live on a terminal, and asks there when a step asks. */
export async function watchRun<Result>(
  terminal: Terminal,
  start: (signals: Pick<Interruption, 'signal' | 'dropSignal'>) => Streamed<ExecutionEvent, Result>,
  view: Pick<View, 'context' | 'json'>,
): Promise<Result> {
  const progress = createRunProgress(terminal.errorColors);
  const inPlace = askInPlace({ terminal, ...view });
  const asksHere = canAsk(terminal, view.json);
  const stoppable: typeof start = ({ signal, dropSignal }) =>
    start({ signal: AbortSignal.any([signal, inPlace.declined]), dropSignal });
  try {
    return await showLive(terminal, stoppable, {
      stopping: 'Stopping after the calls in flight; Ctrl-C again drops them.',
      take(event) {
        const line = progress.take(event);
        if (event.type === 'approval_asked') return asksHere ? null : line;
        // Whoever has no terminal reads of what happens in the log, which does not say what is waited for.
        return terminal.isLive || event.type === 'step_waits' ? line : null;
      },
      say: (messages) => {
        progress.say(messages);
      },
      question: (event) => inPlace.question(event),
      frame: ({ columns }) => progress.frame(columns),
    });
  } finally {
    inPlace.end();
  }
}
