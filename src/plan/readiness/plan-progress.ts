import { summarize } from '../plan.js';
import type { Plan } from '../plan.js';
import type { KeptSummary, Summary } from '../schema.js';

type Standing = Pick<
  KeptSummary,
  'status' | 'complete_goals' | 'atomic_goals' | 'failed_goals' | 'being_planned' | 'claimed_until'
>;

/**
 * Returns how it stands with a plan at a moment, an ISO 8601 time: `working` once a leaf is done or somebody holds a goal,
 * `done` when no leaf is left, a failed one neither, `failed` when planning failed and left nothing to do.
 * @param isPlanned whether somebody plans it now, where that is known better than the plan itself says
 */
export function planProgress(
  { status, complete_goals, atomic_goals, failed_goals, being_planned, claimed_until }: Standing,
  at: string,
  isPlanned = being_planned === true,
): Summary['progress'] {
  if (status === 'in_progress') return isPlanned ? 'planning' : 'to_plan';
  if (status !== 'complete') return status;
  if (failed_goals > 0 && atomic_goals === 0) return 'failed';
  if (failed_goals === 0 && complete_goals > 0 && complete_goals >= atomic_goals) return 'done';
  const isHeld = claimed_until !== undefined && Date.parse(claimed_until) > Date.parse(at);
  return complete_goals > 0 || isHeld ? 'working' : 'planned';
}

/** Returns the summary of a plan at a moment. */
export function summaryAt(plan: Plan, at: string): Summary {
  return withProgress(summarize(plan), at);
}

/** Returns a summary that was kept, as it is at a moment. */
export function withProgress(summary: KeptSummary, at: string): Summary {
  return { ...summary, progress: planProgress(summary, at) };
}

/** Whether all goals of a plan are planned, and it rests before the last question: which leaves need each other. */
export function isLinkWaiting({
  status,
  pending_goals,
}: Pick<KeptSummary, 'status' | 'pending_goals'>): boolean {
  return status === 'paused' && pending_goals === 0;
}

/**
 * Returns how it stands with a plan in what people read: its progress, `3 of 13 done` while it is worked, and why it is
 * paused. A plan of which nothing is done is never called complete, and what failed is counted.
 * @param count how a number is written
 */
export function planInWords(
  {
    progress,
    paused_because,
    complete_goals,
    atomic_goals,
    failed_goals,
  }: Pick<Summary, 'progress' | 'paused_because' | 'complete_goals' | 'atomic_goals' | 'failed_goals'>,
  count: (number: number) => string = String,
): string {
  const failed = failed_goals === 0 ? '' : `, ${count(failed_goals)} failed`;
  if (progress === 'working') return `${count(complete_goals)} of ${count(atomic_goals)} done${failed}`;
  if (progress === 'planned') return `planned${failed}`;
  if (progress === 'paused' && paused_because !== null) return `paused (${paused_because})`;
  return progress.replace('_', ' ');
}
