import { oneLine } from '../../kernel/text/safe-text.js';
import type { PlanningResult, PlanningRun } from '../../operations/planning/planning-run.js';
import { interruption, type Interruption } from './interruption.js';
import { createProgress } from './render/parts/progress.js';
import type { Terminal } from './terminal.js';

/** Draws this often while nothing happens, so that time and the spinner move. */
const REDRAW_MS = 120;
/** What is over sooner is not watched. */
const FIRST_DRAWN_AFTER_MS = 400;

/** Runs planning that a signal can stop, shows it, and says what it came to. */
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

/** Shows a planning run until it ends: live on a terminal, else only what must be known. */
async function watchPlanning<Result extends PlanningResult>(
  run: PlanningRun<Result>,
  terminal: Terminal,
  { signal, dropSignal }: Interruption,
): Promise<Result> {
  const progress = createProgress(terminal.errorColors);
  const { stderr } = terminal;
  const screen = terminal.isLive ? (await import('./own-screen.js')).ownScreen(stderr) : null;
  const draw = () => {
    screen?.show(progress.frame({ columns: stderr.columns || 80, rows: stderr.rows || 24 }));
  };
  // What is said while the screen is open is shown there, and said below when it is closed.
  const said: string[] = [];
  const say = (message: string) => {
    if (screen === null) terminal.error(`${message}\n`);
    else said.push(message);
    progress.say(message);
  };
  const sayPausing = () => {
    if (!dropSignal.aborted) say('Pausing after the calls in flight; Ctrl-C again drops them.');
  };
  signal.addEventListener('abort', sayPausing, { once: true });
  let timer: NodeJS.Timeout | null = null;
  const begin = () => {
    draw();
    stderr.on('resize', draw);
    timer = setInterval(draw, REDRAW_MS);
  };
  const first = screen === null ? null : setTimeout(begin, FIRST_DRAWN_AFTER_MS);
  try {
    for await (const event of run) {
      progress.take(event);
      if (event.type === 'notice') say(terminal.errorColors.dim(oneLine(event.message)));
    }
    return await run.result;
  } finally {
    signal.removeEventListener('abort', sayPausing);
    if (first !== null) clearTimeout(first);
    if (timer !== null) clearInterval(timer);
    stderr.off('resize', draw);
    screen?.end();
    for (const message of said) terminal.error(`${message}\n`);
  }
}
