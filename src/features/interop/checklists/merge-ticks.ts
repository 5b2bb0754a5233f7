import { goalOf } from '../../../plan/plan.js';
import { holdOf } from '../../../plan/readiness/holds.js';
import { waitingFor } from '../../../plan/readiness/dependencies.js';
import { subtree } from '../../../plan/tree.js';
import type { ChecklistItem } from './checklist.js';
import { attemptMerge, mergedGoalLabel, sayRefused } from './merge-state.js';
import type { MergeState } from './merge-state.js';

/** A goal without parts that a tick is to complete, and the goal that was ticked. */
interface TickedLeaf {
  readonly leaf: string;
  readonly top: string;
}

/** A tick completes the goal and all below it; one that was taken away opens it again. */
export function mergeTicks(state: MergeState, items: readonly ChecklistItem[]): void {
  complete(
    state,
    items.filter((item) => item.ticked && isChanged(state, item)),
  );
  // What is above is open again once anything below it is, so that comes first.
  for (const item of items.toReversed()) {
    const id = state.goals.get(item);
    if (id === undefined || item.ticked || !isChanged(state, item)) continue;
    const refused = attemptMerge(state, { type: 'goal_reopened', goal: id });
    if (refused !== null) sayRefused(state, `${mergedGoalLabel(state, id)} is not ticked`, refused);
  }
}

/** Whether a tick says something else than before, and than the plan. */
function isChanged({ plan, goals, baseline }: MergeState, item: ChecklistItem): boolean {
  const id = goals.get(item);
  const goal = id === undefined ? undefined : plan.goals.get(id);
  if (id === undefined || goal === undefined) return false;
  return item.ticked !== (baseline?.get(id)?.done ?? false) && item.ticked !== (goal.status === 'complete');
}

/** Completes what was ticked, each goal after those that it waits for; one that waits for others is refused. */
function complete(state: MergeState, items: readonly ChecklistItem[]): void {
  let pending = items.flatMap((item) => leavesOf(state, item));
  for (let before = -1; pending.length !== before;) {
    before = pending.length;
    pending = pending.filter((each) => !completeLeaf(state, each));
  }
  for (const { leaf, top } of pending) {
    const waiting_for = waitingFor(state.plan, goalOf(state.plan, leaf));
    refuseTick(state, top, { code: 'waiting', goal: leaf, waiting_for });
  }
}

function leavesOf({ plan, goals }: MergeState, item: ChecklistItem): readonly TickedLeaf[] {
  const top = goals.get(item);
  if (top === undefined) return [];
  return subtree(plan, goalOf(plan, top))
    .filter(({ child_ids, status }) => child_ids.length === 0 && status !== 'complete')
    .map(({ id }) => ({ leaf: id, top }));
}

/** Whether nothing is left to do about a goal: it is complete, or refused for good. */
function completeLeaf(state: MergeState, { leaf, top }: TickedLeaf): boolean {
  const goal = goalOf(state.plan, leaf);
  if (goal.status === 'complete') return true;
  const held = holdOf(state.plan, goal, state.at);
  if (held !== null) {
    refuseTick(state, top, { code: 'on_hold', goal: leaf, held: held.goal, ...held.hold });
    return true;
  }
  if (waitingFor(state.plan, goal).length > 0) return false;
  if (goal.status === 'failed') attemptMerge(state, { type: 'goal_reopened', goal: leaf });
  const refused = attemptMerge(state, { type: 'goal_completed', goal: leaf });
  if (refused !== null) refuseTick(state, top, refused);
  return true;
}

function refuseTick(state: MergeState, goal: string, refusal: Parameters<typeof sayRefused>[2]): void {
  state.kept.add(goal);
  sayRefused(state, `${mergedGoalLabel(state, goal)} is ticked`, refusal);
}
