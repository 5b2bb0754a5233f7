import type { ExecutionEvent } from '../../../operations/execution/execution-event.js';
import type { Streamed } from '../../../operations/shared/streamed.js';
import { interruption } from '../interruption.js';
import type { Interruption } from '../interruption.js';
import { createRunProgress } from '../render/execution/run-progress.js';
import type { Terminal } from '../terminal.js';

/** Draws this often while nothing happens, so that time and the spinner move. */
const REDRAW_MS = 120;
/** What is over sooner is not watched. */
const FIRST_DRAWN_AFTER_MS = 400;

/** Carries out what a signal can stop, shows it live on a terminal, and says what it came to. */
export async function runVisibly<Result>(
  terminal: Terminal,
  start: (signals: Pick<Interruption, 'signal' | 'dropSignal'>) => Streamed<ExecutionEvent, Result>,
): Promise<Result> {
  const interrupt = interruption();
  const progress = createRunProgress(terminal.errorColors);
  const { stderr } = terminal;
  const screen = terminal.isLive ? (await import('../own-screen.js')).ownScreen(stderr) : null;
  const draw = () => screen?.show(progress.frame(stderr.columns || 80));
  // What is said while the screen is open is said below when it is closed.
  const said: string[] = [];
  const say = (message: string) => {
    if (screen === null) terminal.error(`${message}\n`);
    else said.push(message);
    progress.say(message);
  };
  const sayStopping = () => {
    if (!interrupt.dropSignal.aborted) say('Stopping after the calls in flight; Ctrl-C again drops them.');
  };
  interrupt.signal.addEventListener('abort', sayStopping, { once: true });
  let timer: NodeJS.Timeout | null = null;
  const begin = () => {
    draw();
    timer = setInterval(draw, REDRAW_MS);
  };
  const first = screen === null ? null : setTimeout(begin, FIRST_DRAWN_AFTER_MS);
  try {
    const run = start(interrupt);
    for await (const event of run) {
      const line = progress.take(event);
      // Whoever has no terminal reads of what happens in the log, which does not say what is waited for.
      if (line !== null && (screen !== null || event.type === 'step_waits')) say(line);
    }
    return await run.result;
  } finally {
    interrupt.signal.removeEventListener('abort', sayStopping);
    if (first !== null) clearTimeout(first);
    if (timer !== null) clearInterval(timer);
    screen?.end();
    if (screen !== null) for (const message of said) terminal.error(`${message}\n`);
    interrupt.release();
  }
}
