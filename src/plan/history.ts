import { apply } from './apply.js';
import { clockOf, clocksOf, comesBefore, withClock } from './events/clocks.js';
import type { Clocks, Place } from './events/clocks.js';
import { layeredMap } from '../kernel/layered-map.js';
import type { LayeredMap } from '../kernel/layered-map.js';
import type { Plan } from './plan.js';
import type { PlanEvent } from './events.js';
import type { Refusal } from './refusals.js';

/**
 * What has been read of a plan's history. Events are applied in one canonical order that does not depend
 * on where a merge of two copies put them in the file: by Lamport clock, then replica, then place in the
 * file. Within one replica the place in the file always rules, so on a single machine canonical order is
 * file order, and the first of two contenders in the file wins.
 */
export interface History {
  readonly plan: Plan | null;
  /** The greatest clock applied of each replica, never going back within one. */
  readonly clocks: Clocks;
  /** Ids of the events read since this history was begun. */
  readonly seen: LayeredMap<true>;
  /** The clocks it was begun with: of the events up to these the ids are not known. */
  readonly begunAt: Clocks;
  /** Whether there are any of those. */
  readonly hasUnknown: boolean;
}

/** What one event came to. `late` means that it belongs before an event already applied, or may be one of them. */
export type Verdict =
  | { readonly kind: 'accepted' }
  | { readonly kind: 'refused'; readonly refusal: Refusal }
  | { readonly kind: 'repeated' }
  | { readonly kind: 'late' };

/** A history that goes on from `plan`, or from nothing. */
export function beginHistory(plan: Plan | null = null, clocks: Clocks = clocksOf()): History {
  return { plan, clocks, seen: layeredMap(), begunAt: clocks, hasUnknown: plan !== null };
}

/**
 * Reads one more event. A late event changes nothing: the whole must be read again through
 * {@link inCanonicalOrder}. A line that a merge repeated counts once.
 */
export function extendHistory(
  history: History,
  event: PlanEvent,
): { readonly history: History; readonly verdict: Verdict } {
  if (history.seen.get(event.id) === true) return { history, verdict: { kind: 'repeated' } };
  if (event.clock <= clockOf(history.begunAt, event.replica)) return { history, verdict: { kind: 'late' } };
  // Its first line may be among the events of which no id is known.
  if (event.again === true && history.hasUnknown) return { history, verdict: { kind: 'late' } };
  const clock = Math.max(event.clock, clockOf(history.clocks, event.replica));
  if (comesBefore({ clock, replica: event.replica }, history.clocks.latest))
    return { history, verdict: { kind: 'late' } };

  const { plan, refused } = apply(history.plan, event);
  const next: History = {
    ...history,
    plan,
    seen: history.seen.with(event.id, true),
    clocks: withClock(history.clocks, event),
  };
  return {
    history: next,
    verdict: refused === null ? { kind: 'accepted' } : { kind: 'refused', refusal: refused },
  };
}

/**
 * Adds to the history an event that this version does not know. It changes nothing, but whoever wrote it had read
 * what stands before it, so what is written from here on comes after it.
 */
export function skipUnknownEvent(history: History, place: Place): History {
  return { ...history, clocks: withClock(history.clocks, place) };
}

/** The events of a history in the order in which they are applied. */
export function inCanonicalOrder<T extends Place>(events: readonly T[]): readonly T[] {
  const clocks = new Map<string, number>();
  const placed = events.map((event) => {
    const clock = Math.max(event.clock, clocks.get(event.replica) ?? 0);
    clocks.set(event.replica, clock);
    return { event, clock, replica: event.replica };
  });
  return placed
    .sort((a, b) => (comesBefore(a, b) ? -1 : comesBefore(b, a) ? 1 : 0))
    .map(({ event }) => event);
}

/** One event of a history with what it came to and the states around it. */
export interface Replayed {
  readonly event: PlanEvent;
  readonly verdict: Verdict;
  readonly before: Plan | null;
  readonly after: Plan | null;
}

/** Reads events that are in canonical order from the beginning. */
export function* replayHistory(events: readonly PlanEvent[]): Generator<Replayed> {
  let history = beginHistory();
  for (const event of events) {
    const before = history.plan;
    const extended = extendHistory(history, event);
    history = extended.history;
    yield { event, verdict: extended.verdict, before, after: history.plan };
  }
}

/**
 * The clock that an event written after this history, and after so many others, must carry. A clock that can
 * go no further stands still: then replica and place in the file decide.
 */
export function nextClock(history: History, others = 0): number {
  return Math.min((history.clocks.latest?.clock ?? 0) + 1 + others, Number.MAX_SAFE_INTEGER);
}
