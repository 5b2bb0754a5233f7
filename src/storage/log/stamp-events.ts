import type { EventPayload } from '../../plan/events.js';
import { nextClock } from '../../plan/history.js';
import type { History } from '../../plan/history.js';
import type { Outcome, Stamp } from '../plan-store.js';
import { encodeReadably } from './event-line.js';
import type { ReadableLine } from './event-line.js';

/** What one call of `append` wants written, and who waits for it. */
export interface Waiting {
  readonly payloads: readonly EventPayload[];
  /** Who acts, where that is not whom the store stamps. */
  readonly by: string | undefined;
  readonly onWritten?: (() => void) | undefined;
  readonly resolve: (outcomes: readonly Outcome[]) => void;
  readonly reject: (cause: unknown) => void;
}

/** Where events are written: who writes them, and what they follow. */
export interface AppendContext {
  readonly replica: string;
  readonly history: History;
}

/** The lines of one call, ready to be appended. */
export interface Stamped {
  readonly lines: readonly ReadableLine[];
  readonly resolve: Waiting['resolve'];
}

/**
 * Stamps the events of calls that are written together and makes their lines, to follow a history. A call whose
 * events nobody could read is told so, and holds up no other.
 */
export function stampBatch(
  batch: readonly Waiting[],
  stamp: Stamp,
  replica: string,
  history: History,
): readonly Stamped[] {
  const stamped: Stamped[] = [];
  let others = 0;
  for (const { payloads, by, resolve, reject } of batch) {
    try {
      const lines = payloads.map((payload, index) =>
        encodeReadably({
          ...stamp(),
          ...(by === undefined ? {} : { by }),
          replica,
          clock: nextClock(history, others + index),
          ...payload,
        }),
      );
      others += lines.length;
      stamped.push({ lines, resolve });
    } catch (cause) {
      reject(cause);
    }
  }
  return stamped;
}

/**
 * Stamps events that are written for the second time, into another file, to follow its history: who read that
 * before must find nothing new in front of what he knew. Events that the history has are left out.
 */
export function stampAgain(
  lines: readonly Pick<ReadableLine, 'event'>[],
  replica: string,
  history: History,
): readonly ReadableLine[] {
  return lines
    .filter(({ event }) => history.seen.get(event.id) === undefined)
    .map(({ event }, index) =>
      encodeReadably({ ...event, replica, clock: nextClock(history, index), again: true }),
    );
}

/** The replica with which events are stamped that are written into a log file with a mark. */
export function replicaWith(store: string, mark: string): string {
  return mark === '' ? store : `${store}-${mark}`;
}
