import { interruption } from '../interruption.js';
import type { Interruption } from '../interruption.js';
import type { Telling } from '../render/parts/told-text.js';
import type { Terminal } from '../terminal.js';

/** Draws this often while nothing happens, so that time and the spinner move. */
const REDRAW_MS = 120;
/** What is over sooner is not watched. */
const FIRST_DRAWN_AFTER_MS = 400;
/** As many of the things said as are drawn. */
const SAID_SHOWN = 5;

/** How something long is shown while it goes on. */
export interface LiveView<Event> {
  /** What is said when a signal asks it to stop after the calls in flight. */
  readonly stopping: string;
  /** Takes what happened. @returns what is to be said of it, besides what is drawn, without styling; null for nothing */
  take(event: Event): string | null;
  /** What is said again and again as it changes, of which one line is shown, the last; undefined for what stands alone. */
  topic?(event: Event): string | undefined;
  /** Takes what was said last, without styling, to be drawn with the rest. */
  say(messages: readonly string[]): void;
  /** How what happened is written where nothing is drawn; as it is when left out. */
  readonly telling?: Telling;
  /** What a person is asked because of what happened, who sees nothing else until he has answered; null for nothing. */
  question?(event: Event): (() => Promise<void>) | null;
  /** The screen as it is now. */
  frame(size: { readonly columns: number; readonly rows: number }): string;
}

/** Carries out what a signal can stop, shows it live on a terminal, else only what must be known, and says what it came to. */
export async function showLive<Event, Result>(
  terminal: Terminal,
  start: (
    signals: Pick<Interruption, 'signal' | 'dropSignal'>,
  ) => AsyncIterable<Event> & { readonly result: Promise<Result> },
  view: LiveView<Event>,
): Promise<Result> {
  const interrupt = interruption();
  const { signal, dropSignal } = interrupt;
  const { stderr } = terminal;
  const screen = terminal.isLive ? (await import('../own-screen.js')).ownScreen(stderr) : null;
  let questions = 0;
  const draw = () => {
    if (questions === 0) screen?.show(view.frame({ columns: stderr.columns || 80, rows: stderr.rows || 24 }));
  };
  const ask = async (question: () => Promise<void>) => {
    questions += 1;
    screen?.end();
    await question();
    questions -= 1;
  };
  // What is said while the screen is open is shown there, and said below when it is closed.
  const said: Said[] = [];
  const say = (message: string, how: Telling = {}, topic?: string) => {
    if (screen === null) {
      terminal.tell(message, how);
      return;
    }
    const at = said.findIndex((one) => topic !== undefined && one.topic === topic);
    const [before] = at < 0 ? [] : said.splice(at, 1);
    said.push({ message, how, topic, times: (before?.times ?? 0) + 1 });
    view.say(said.slice(-SAID_SHOWN).map(lineOf));
  };
  const sayStopping = () => {
    if (!dropSignal.aborted) say(view.stopping);
  };
  signal.addEventListener('abort', sayStopping, { once: true });
  let timer: NodeJS.Timeout | null = null;
  const begin = () => {
    draw();
    stderr.on('resize', draw);
    timer = setInterval(draw, REDRAW_MS);
  };
  const first = screen === null ? null : setTimeout(begin, FIRST_DRAWN_AFTER_MS);
  try {
    const run = start(interrupt);
    for await (const event of run) {
      const line = view.take(event);
      if (line !== null) say(line, view.telling, view.topic?.(event));
      const question = view.question?.(event) ?? null;
      if (question !== null) void ask(question);
    }
    return await run.result;
  } finally {
    signal.removeEventListener('abort', sayStopping);
    if (first !== null) clearTimeout(first);
    if (timer !== null) clearInterval(timer);
    stderr.off('resize', draw);
    screen?.end();
    for (const one of said) terminal.tell(lineOf(one), one.how);
    interrupt.release();
  }
}

/** What was said while the screen is open. */
interface Said {
  readonly message: string;
  readonly how: Telling;
  readonly topic: string | undefined;
  readonly times: number;
}

function lineOf({ message, times }: Said): string {
  return times === 1 ? message : `${message} (${times} times)`;
}
