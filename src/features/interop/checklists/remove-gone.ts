import { oneLine } from '../../../kernel/text/safe-text.js';
import { goalSuffix } from '../../../plan/ids.js';
import type { Goal } from '../../../plan/schema.js';
import { subtree } from '../../../plan/tree.js';
import type { Baseline } from './baseline.js';
import type { Checklist } from './checklist.js';
import { attemptMerge, mergedGoalLabel, reasonFor } from './merge-state.js';
import type { MergeState } from './merge-state.js';

/** Goals that a message names. */
const MOST_NAMED = 5;

/**
 * Takes away the goals whose lines are gone, if nothing has happened to them since, nor to anything below them. Without the mark at the
 * end of the file, which may have been cut off, nothing is taken away.
 */
export function removeGone(state: MergeState, { plan, named }: Checklist, lines: number): void {
  const { baseline } = state;
  if (baseline === null || lines === 0) return;
  const there = new Set(state.goals.values());
  const missing = [...baseline.keys()].filter((id) => state.plan.goals.has(id) && !there.has(id));
  if (plan === null) {
    if (missing.length > 0) state.contradictions.push(cutOff(state, missing));
    return;
  }
  for (const id of missing) {
    const goal = state.plan.goals.get(id);
    if (goal === undefined || goal.parent_id === null) continue;
    const why = reasonToStay(state, goal, { there, baseline, named });
    if (why !== null)
      state.contradictions.push(
        `the line of ${mergedGoalLabel(state, id)} is gone, but ${why}; it was put back`,
      );
  }
}

interface Lines {
  /** The goals that have a line. */
  readonly there: ReadonlySet<string>;
  readonly baseline: Baseline;
  readonly named: ReadonlySet<string>;
}

/** Takes a goal away; or says why not. */
function reasonToStay(state: MergeState, goal: Goal, { there, baseline, named }: Lines): string | null {
  const below = subtree(state.plan, goal);
  // A goal below it that has a line was moved there, or is new; it keeps what is above it.
  if (below.some((each) => there.has(each.id) || !isAsBefore(each, baseline))) return 'the goal has changed';
  if (below.some(({ id }) => named.has(goalSuffix(id)))) return 'its mark still stands in the text';
  const refused = attemptMerge(state, { type: 'goal_removed', goal: goal.id });
  return refused === null ? null : reasonFor(state, refused);
}

function cutOff(state: MergeState, missing: readonly string[]): string {
  const names = missing.slice(0, MOST_NAMED).map((id) => mergedGoalLabel(state, id));
  const more = missing.length > names.length ? ` and ${missing.length - names.length} more` : '';
  return `the file does not end with its mark <!-- plan:${state.plan.header.id} -->, as if it had been cut off, so nothing is removed; put back: ${names.join(', ')}${more}`;
}

function isAsBefore(goal: Goal, baseline: Baseline): boolean {
  const before = baseline.get(goal.id);
  const isDone = goal.status === 'complete';
  return (
    before !== undefined &&
    before.text === oneLine(goal.description).trim() &&
    before.done === isDone &&
    before.parent === goal.parent_id
  );
}
