import { PlanError } from '../../../kernel/errors.js';
import { entriesSince } from '../watching/log-feed.js';
import { isEmptyDelta, planDelta, textOfGoal } from '../watching/plan-delta.js';
import type { PlanDelta } from '../watching/plan-delta.js';
import type { StoreWatch, WatchedState } from '../watching/plan-watch.js';
import { errorToSend } from './send.js';

/** Where a stream has lines from. */
export interface LineSource {
  /** The next line as {@link streamLines} wants it. */
  next(): Iterable<string> | 'over' | null;
  stop(): void;
}

/**
 * The stream of the lines of a plan: all of it, then what changed, whenever it did. A reader that is slow gets fewer
 * lines, each from what it was sent last to what holds now, so that nothing is kept for it but that state, which
 * shares with others what is the same.
 * @param wake called when there may be another line
 * @param label what each line begins with
 * @throws PlanError PLAN_NOT_FOUND, and what opening throws
 */
export async function planLines(
  watch: StoreWatch,
  name: string,
  wake: () => void,
  label: object = {},
): Promise<LineSource> {
  let sent: WatchedState | null = null;
  let seq = 0;
  let isOver = false;
  let news: WatchedState | PlanError | null = null;
  const watched = await watch.plan(name, (state) => {
    news = state;
    wake();
  });
  news ??= watched.state;
  return {
    stop: () => watched.stop(),
    next() {
      const now = news;
      news = null;
      if (now === null) return isOver ? 'over' : null;
      if (now instanceof PlanError) {
        isOver = true;
        return [streamLine({ ...label, type: 'gone', ...errorToSend(now) })];
      }
      const line = lineOf(sent, now);
      sent = now;
      if (line === null) return null;
      seq += 1;
      const { goals, ...members } = line;
      return streamLineWithGoals({ ...label, seq, ...members }, goals);
    },
  };
}

/** A document as a line. */
export function streamLine(document: object): string {
  return `${JSON.stringify(document)}\n`;
}

/** A document with goals as a line, in parts. */
export function* streamLineWithGoals(document: object, goals: PlanDelta['goals']): Generator<string> {
  yield `${JSON.stringify(document).slice(0, -1)},"goals":[`;
  for (const [index, goal] of goals.entries()) yield `${index === 0 ? '' : ','}${textOfGoal(goal)}`;
  yield ']}\n';
}

/** What a reader is told who knows one state; null where it knows all there is to tell. */
function lineOf(sent: WatchedState | null, now: WatchedState) {
  const delta = planDelta(sent?.plan ?? null, now.plan);
  const log = entriesSince(now.feed, sent?.feed.at(-1)?.event ?? null);
  const archived = sent?.archived === now.archived ? {} : { archived: now.archived };
  if (sent !== null && isEmptyDelta(delta) && log.length === 0 && !('archived' in archived)) return null;
  return { type: sent === null ? ('whole' as const) : ('changed' as const), ...delta, ...archived, log };
}
