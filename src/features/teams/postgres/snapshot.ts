import { clocksByReplica, clocksOf } from '../../../plan/events/clocks.js';
import { planOfGoals } from '../../../plan/make-plan.js';
import type { Plan } from '../../../plan/plan.js';
import { summarize } from '../../../plan/plan.js';
import { SUMMARY_KIND } from '../../../storage/log/summary-shape.js';
import { planFilePieces } from '../../../plan/snapshot/plan-text.js';
import { withFileChecksum } from '../../../storage/log/checksum.js';
import { isDue, noLag } from '../../../storage/log/lag.js';
import { readPublished } from '../../../storage/log/published-snapshot.js';
import type { PublishTime } from '../../../storage/plan-store.js';
import type { Database } from './database.js';
import { beginPlanReading } from './plan-reading.js';
import type { PlanReading } from './plan-reading.js';

/** `cheaply` waits this many times as long as publishing takes: at most 2 % of the time. */
const PUBLISH_PAUSE = 49;
/** The longest snapshot that is written, in bytes: it goes to the database as one text, which Node and PostgreSQL both hold to a limit. */
const LONGEST = 256 * 1024 * 1024;

/** SQL for the snapshot of a plan; null also where it is longer than any that was written, for then the log says what the plan is. */
export const SNAPSHOT = `case when octet_length(snapshot) <= ${LONGEST} then snapshot end as snapshot`;

/** Writes the snapshot and the summary of one plan, as often as it pays. Both can be made again of the log. */
export interface Snapshots {
  /** Whether the snapshot is missing or too far behind what was read. */
  isDue(reading: PlanReading): boolean;
  /** @returns the reading, whose snapshot has it now. @throws PlanError STORAGE_FAILED */
  publish(reading: PlanReading, when: PublishTime): Promise<PlanReading>;
}

export interface SnapshotOptions {
  readonly database: Database;
  readonly planId: string;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** How large the snapshot is that is there, in characters. */
  readonly size: number;
  /** The longest that is written, in bytes. */
  readonly longest?: number;
}

/** Makes what publishes one plan. Where that would be too long, the log alone says what it is. */
export function createSnapshots({
  database,
  planId,
  now,
  size: found,
  longest = LONGEST,
}: SnapshotOptions): Snapshots {
  let size = found;
  let published: { readonly seq: number; readonly at: number; readonly took: number } | null = null;
  let summarized = -1;
  const isDueNow = (reading: PlanReading) =>
    reading.plan !== null && reading.damage.length === 0 && isDue(reading.lag, reading.plan, size, now());

  return {
    isDue: isDueNow,
    async publish(reading, when) {
      const begun = performance.now();
      const { plan, seq } = reading;
      const isTooSoon = published !== null && begun - published.at < published.took * PUBLISH_PAUSE;
      if (plan === null || published?.seq === seq || (when === 'cheaply' && isTooSoon)) return reading;
      // What this version cannot read another may: the snapshot would hide it.
      const isWanted = reading.damage.length === 0 && (when !== 'when_due' || isDueNow(reading));
      const text = isWanted ? snapshotOf(reading, plan, longest) : null;
      if (text === null && summarized === seq) return reading;
      await keep(reading, plan, text);
      summarized = seq;
      if (!isWanted) return reading;
      // One that is too long counts as well: it takes as long to find that out.
      published = { seq, at: performance.now(), took: performance.now() - begun };
      if (text === null) return reading;
      size = text.length;
      return { ...reading, lag: noLag(plan) };
    },
  };

  /** The disk is not waited for, and an older state never replaces a newer one. */
  async function keep({ seq }: PlanReading, plan: Plan, text: string | null): Promise<void> {
    await database.query(
      `with quick as (select set_config('synchronous_commit', 'off', true))
       update frctl_plan set
         summary = case when summary_seq <= $2 then $3::json else summary end,
         summary_seq = greatest(summary_seq, $2),
         snapshot = case when $4::text is not null and coalesce(snapshot_seq, 0) <= $2 then $4 else snapshot end,
         snapshot_seq = case when $4::text is not null and coalesce(snapshot_seq, 0) <= $2 then $2 else snapshot_seq end
       from quick where id = $1 and seq >= $2`,
      [planId, seq, snapshotSummaryText(plan, seq), text],
    );
  }
}

/** The summary of a plan, with the number of the last event that it holds. */
export function snapshotSummaryText(plan: Plan, seq: number): string {
  return JSON.stringify({ seq, kind: SUMMARY_KIND, summary: summarize(plan) });
}

/** The snapshot; null when it is too long. */
function snapshotOf({ seq, last, clocks }: PlanReading, plan: Plan, longest: number): string | null {
  const log = { bytes: seq, event: last ?? '', clocks: clocksByReplica(clocks) };
  const pieces: Buffer[] = [];
  let length = 0;
  for (const piece of withFileChecksum(planFilePieces(plan, log))) {
    length += piece.length;
    if (length > longest) return null;
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString('utf8');
}

/** The reading that a snapshot holds; null unless it is to the byte what was published of this plan at that number. */
export function readingOfSnapshot(planId: string, text: string | null, seq: number): PlanReading | null {
  const published = text === null ? null : readPublished(Buffer.from(text));
  if (published === null || published.header.id !== planId || published.log.bytes !== seq) return null;
  const plan = planOfGoals(published.header, published.goals);
  const { clocks = {}, event } = published.log;
  return beginPlanReading({ plan, clocks: clocksOf(clocks), seq, last: event, lag: noLag(plan) });
}
