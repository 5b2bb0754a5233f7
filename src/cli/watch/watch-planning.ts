import { oneLine } from '../../kernel/text/safe-text.js';
import type { PlanningResult, PlanningRun } from '../../operations/planning/planning-progress.js';
import type { Interruption } from '../interruption.js';
import { createProgress } from '../render/parts/progress.js';
import type { Terminal } from '../terminal.js';
import { showLive } from './show-live.js';

/** Plans until it ends or a signal stops it, and shows it live on a terminal. */
export async function watchPlanning<Result extends PlanningResult>(
  terminal: Terminal,
  start: (signals: Pick<Interruption, 'signal' | 'dropSignal'>) => PlanningRun<Result>,
): Promise<Result> {
  const progress = createProgress(terminal.errorColors);
  return showLive(terminal, start, {
    stopping: 'Pausing after the calls in flight; Ctrl-C again drops them.',
    take(event) {
      progress.take(event);
      return event.type === 'notice' ? oneLine(event.message) : null;
    },
    topic: (event) => (event.type === 'notice' ? event.topic : undefined),
    telling: { isDim: true },
    say: (messages) => {
      progress.say(messages);
    },
    frame: (size) => progress.frame(size),
  });
}
