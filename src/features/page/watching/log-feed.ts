import { truncate } from '../../../kernel/text/truncate.js';
import { messageFor } from '../../../plan/event-message.js';
import type { PlanEvent } from '../../../plan/events.js';
import type { Plan } from '../../../plan/plan.js';

/** An event as the page tells it. Whether it was accepted is not known without reading the log from its beginning. */
export interface FeedEntry {
  readonly event: string;
  readonly at: string;
  readonly by: string;
  readonly type: string;
  /** The goal that it names as its own. */
  readonly goal: string | null;
  readonly message: string;
}

const MOST_TEXT = 500;

/** Says what an event did, with goals called as they are now. */
export function feedEntry(event: PlanEvent, plan: Plan): FeedEntry {
  return {
    event: event.id,
    at: event.at,
    by: truncate(event.by, 100),
    type: event.type,
    goal: 'goal' in event && typeof event.goal === 'string' ? event.goal : null,
    message: truncate(messageFor(event, plan), MOST_TEXT),
  };
}

/** The entries of the feed after the one that was told last; all of them where that one is not among them. */
export function entriesSince(entries: readonly FeedEntry[], lastTold: string | null): readonly FeedEntry[] {
  const place = entries.findLastIndex(({ event }) => event === lastTold);
  return entries.slice(place + 1);
}
