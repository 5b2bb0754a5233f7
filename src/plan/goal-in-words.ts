import { oneLine } from '../kernel/text/safe-text.js';
import { truncate } from '../kernel/text/truncate.js';
import { isWaiting } from './plan.js';
import type { Plan } from './plan.js';
import type { Goal, GoalStatus, Summary } from './schema.js';
import { numberOf } from './tree.js';

/** As much of a goal's description as a message has room for. */
const SHOWN = 80;

/** A goal in a message: by number and words. */
export function goalInWords(plan: Plan, goal: Goal): string {
  const number = numberOf(plan, goal);
  return `${number === '' ? 'root' : number} ${inQuotes(goal.description)}`;
}

/** The goal of an id in a message; one that is not in the plan is called by its id. */
export function namedGoal(plan: Plan, id: string): string {
  const goal = plan.goals.get(id);
  return goal === undefined ? id : goalInWords(plan, goal);
}

/** The words of a goal that has no number, on one line. */
export function inQuotes(description: string): string {
  return `“${truncate(oneLine(description), SHOWN)}”`;
}

/** What the statuses of goals are called in what people read. */
export const STATUS_WORDS: Readonly<Record<GoalStatus, string>> = {
  pending: 'to plan',
  decomposing: 'divided',
  atomic: 'to do',
  complete: 'done',
  failed: 'failed',
};

/** What the status of a goal is called. One that is to be divided, but is not yet, is still to plan. */
export function statusInWords(goal: Goal): string {
  return STATUS_WORDS[isWaiting(goal) ? 'pending' : goal.status];
}

/** The size of a goal in words, on one line; null for one that has sub-goals, of which a size says nothing any more. */
export function sizeInWords({ size, child_ids }: Goal): string | null {
  return size === undefined || child_ids.length > 0 ? null : oneLine(size) || null;
}

type Standing = Pick<
  Summary,
  'status' | 'paused_because' | 'complete_goals' | 'atomic_goals' | 'pending_goals' | 'total_goals'
>;

/**
 * How it stands with a plan in what people read: `to plan`, `planning`, `planned`, `3 of 13 done`, `done`, `paused
 * (budget)`, `failed`. A plan of which nothing is done is never called complete.
 * @param count how a number is written
 * @param isPlanned whether somebody plans it now; where that is not known, whether any of it is planned
 */
export function planInWords(
  { status, paused_because, complete_goals, atomic_goals, pending_goals, total_goals }: Standing,
  count: (number: number) => string = String,
  isPlanned = pending_goals < total_goals,
): string {
  if (status === 'in_progress') return isPlanned ? 'planning' : 'to plan';
  if (status === 'paused') return paused_because === null ? 'paused' : `paused (${paused_because})`;
  if (status === 'failed') return 'failed';
  if (complete_goals === 0) return 'planned';
  return complete_goals >= atomic_goals ? 'done' : `${count(complete_goals)} of ${count(atomic_goals)} done`;
}
