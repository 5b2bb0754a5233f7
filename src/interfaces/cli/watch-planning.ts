import { oneLine } from '../../kernel/text/safe-text.js';
import type { PlanningResult, PlanningRun } from '../../operations/planning/planning-run.js';
import { interruption, type Interruption } from './interruption.js';
import { createProgress } from './render/parts/progress.js';
import type { Terminal } from './terminal.js';

/** Draws this often while nothing happens, so that time and the spinner move. */
const REDRAW_MS = 120;

/** Runs what a signal can stop, shows it, and says what it came to. */
export async function runInterruptibly<Result extends PlanningResult>(
  terminal: Terminal,
  start: (signals: Pick<Interruption, 'signal' | 'dropSignal'>) => PlanningRun<Result>,
): Promise<Result> {
  const interrupt = interruption();
  try {
    return await watchPlanning(start(interrupt), terminal, interrupt);
  } finally {
    interrupt.release();
  }
}

/** Lines that are drawn over again; loaded for a terminal only. */
async function liveScreen({ stderr }: Terminal) {
  const { createLogUpdate } = await import('log-update');
  return createLogUpdate(stderr);
}

/** Shows a planning run until it ends: live on a terminal, else only what must be known. */
async function watchPlanning<Result extends PlanningResult>(
  run: PlanningRun<Result>,
  terminal: Terminal,
  { signal, dropSignal }: Interruption,
): Promise<Result> {
  const progress = createProgress(terminal.errorColors);
  const screen = terminal.isLive ? await liveScreen(terminal) : null;
  const draw = () => screen?.(progress.frame(terminal.stderr.columns || 80));
  // Above the live lines, which the next drawing would write over otherwise.
  const say = (message: string) => {
    screen?.clear();
    terminal.error(`${message}\n`);
  };
  const sayPausing = () => {
    if (!dropSignal.aborted) say('Pausing after the calls in flight; Ctrl-C again drops them.');
  };
  signal.addEventListener('abort', sayPausing, { once: true });
  const timer = screen === null ? null : setInterval(draw, REDRAW_MS);
  try {
    for await (const event of run) {
      progress.take(event);
      if (event.type === 'notice') say(terminal.errorColors.dim(oneLine(event.message)));
    }
    return await run.result;
  } finally {
    signal.removeEventListener('abort', sayPausing);
    if (timer !== null) clearInterval(timer);
    screen?.clear();
    screen?.done();
  }
}
