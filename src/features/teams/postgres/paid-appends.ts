import type { EventPayload } from '../../../plan/events.js';
import type { Outcome, PlanLog } from '../../../storage/plan-store.js';
import { sqlStateOf } from './database-errors.js';

/** Calls that stand in the ledger of a plan until an event of its log says what they have used. */
export interface PaidCalls {
  readonly ids: readonly string[];
  /**
   * `own`: they are this process's still; `forgotten`: they are, and nobody has to know that they were made, for the plan has no budget;
   * `lost`: nobody is at them any more.
   */
  readonly as: 'own' | 'forgotten' | 'lost';
}

/** What the log of a plan in a database has beside that of others. */
export interface PaidLog {
  /** The number of the last event that its plan holds. */
  seq(): number;
  /**
   * Appends events that say what calls have used. That and the ledger change together or not at all.
   * @throws PlanError as `append`; where one of the calls is not as it should be, one of which {@link isPaidElsewhere} holds
   */
  append(payloads: readonly EventPayload[], calls: PaidCalls): Promise<readonly Outcome[]>;
}

const PAID = new WeakMap<PlanLog, PaidLog>();

/** Says how a log takes events that say what calls have used. */
export function notePaidLog(log: PlanLog, paid: PaidLog): PlanLog {
  PAID.set(log, paid);
  return log;
}

/** @throws Error for the log of no plan in a database */
export function paidLogOf(log: PlanLog): PaidLog {
  const paid = PAID.get(log);
  if (paid === undefined) throw new Error('the log of this plan is in no database');
  return paid;
}

/** Whether events were refused because the log says already, or another process is to say, what some of the calls have used. */
export function isPaidElsewhere(thrown: unknown): boolean {
  return sqlStateOf(thrown) === '22012';
}

/**
 * SQL, to be part of a statement, for whether all of these calls are as they should be; where they are not it divides by
 * zero, which undoes whatever else the statement does.
 * @param ids SQL of their ids
 */
export function checkedCallsSql(ids: string, { as }: PaidCalls): string {
  return `paid as (
      select id from frctl_held where id = any(${ids}) and logged is null and ${as === 'lost' ? '' : 'not '}lost for update),
    checked as (select 1 / (case when (select count(*) from paid) = cardinality(${ids}) then 1 else 0 end) as fits)`;
}

/**
 * SQL, to be part of the same statement, that has the ledger know which event says it.
 * @param seq SQL of the number of that event, in a row of `log`
 */
export function enteredCallsSql(ids: string, seq: string, { as }: PaidCalls): string {
  return as === 'forgotten'
    ? `entered as (delete from frctl_held using log where frctl_held.id = any(${ids}))`
    : `entered as (update frctl_held set logged = ${seq} from log where frctl_held.id = any(${ids}))`;
}
