import { apply } from '../../../plan/apply.js';
import { clocksOf, withClock } from '../../../plan/events/clocks.js';
import type { Clocks } from '../../../plan/events/clocks.js';
import type { EventVerdict } from '../../../storage/log/event-verdict.js';
import type { PlanEvent } from '../../../plan/events.js';
import { beginHistory } from '../../../plan/history.js';
import type { History } from '../../../plan/history.js';
import type { Plan } from '../../../plan/plan.js';
import { decodeEvent } from '../../../storage/log/event-line.js';
import type { Line } from '../../../storage/log/line-codec.js';
import { damageOf } from '../../../storage/log/line-damage.js';
import { lagBehind } from '../../../storage/log/lag.js';
import type { Lag } from '../../../storage/log/lag.js';
import type { Damage } from '../../../storage/plan-store.js';
import { PLAN_EVENTS } from './event-table.js';
import { decodeEventRow } from './read-event-rows.js';
import type { NumberedRow } from './read-event-rows.js';

/**
 * How far the log of a plan was read. All events that are written in a database have one replica, and those that were
 * brought there stand before them in canonical order: so the number of an event is its order.
 */
export interface PlanReading {
  readonly plan: Plan | null;
  /** The greatest clock of each replica, for the events that come. */
  readonly clocks: Clocks;
  /** The number of the last event that was read. */
  readonly seq: number;
  /** Its id. */
  readonly last: string | null;
  /** Grows as rows are read: a copy for each would square. */
  readonly damage: Damage[];
  /** What the snapshot lacks; null where there is none that shows a state of the log. */
  readonly lag: Lag | null;
}

/** What becomes of events that somebody waits for, by their ids. */
export type Verdicts = Map<string, EventVerdict>;

/** A reading of nothing yet, or of what a snapshot holds. */
export function beginPlanReading(from: Partial<PlanReading> = {}): PlanReading {
  return { plan: null, clocks: clocksOf(), seq: 0, last: null, damage: [], lag: null, ...from };
}

/** Decodes the event of a row of a plan's log, and says of what bytes. Never throws. */
export function decodeRow(row: NumberedRow): { readonly bytes: Buffer; readonly line: Line<PlanEvent> } {
  return decodeEventRow(PLAN_EVENTS, row, decodeEvent);
}

/** Reads one event as it is kept. What is no event that this version can read changes nothing and is noted. */
export function readRow(reading: PlanReading, row: NumberedRow, verdicts?: Verdicts): PlanReading {
  const { bytes, line } = decodeRow(row);
  if ('event' in line)
    return readInEvent(reading, line.event, { seq: row.seq, length: bytes.length }, verdicts);
  const { kind, mark, reason } = damageOf({ bytes, offset: 0 }, line);
  reading.damage.push({ kind, line: row.seq, mark, reason });
  return {
    ...reading,
    ...(line.unknown === undefined ? {} : { clocks: withClock(reading.clocks, line.unknown) }),
    seq: row.seq,
  };
}

/** Applies the event with a number of the log. */
export function readInEvent(
  reading: PlanReading,
  event: PlanEvent,
  { seq, length }: { readonly seq: number; readonly length: number },
  verdicts?: Verdicts,
): PlanReading {
  const before = reading.plan;
  const { plan, refused } = apply(before, event);
  verdicts?.set(event.id, { refused, before, after: plan });
  return {
    ...reading,
    plan,
    clocks: withClock(reading.clocks, event),
    seq,
    last: event.id,
    lag: reading.lag === null ? null : lagBehind(reading.lag, event, length),
  };
}

/** The history of a plan that was read, which new events follow. */
export function historyOfReading({ plan, clocks }: PlanReading): History {
  return beginHistory(plan, clocks);
}
