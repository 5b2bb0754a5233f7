import { goalOf } from '../../../plan/plan.js';
import { moveInto, orderedChildren } from './child-order.js';
import { attemptMerge, parentOfLine } from './merge-state.js';
import type { MergeState } from './merge-state.js';
import type { NestedItem } from './nested-item.js';

/** Brings the siblings below each goal into the order of the file, where that is another than before. */
export function orderLines(state: MergeState, items: readonly NestedItem[]): void {
  const lines = new Map<string, string[]>();
  for (const { item, above } of items) {
    const id = state.goals.get(item);
    const parent = id === undefined ? null : goalOf(state.plan, id).parent_id;
    // One that the plan has put elsewhere has its place from there; one that came from the file has it from its line.
    const isElsewhere = parent !== parentOfLine(state, above) && !state.arrived.has(id ?? '');
    if (id === undefined || parent === null || isElsewhere) continue;
    lines.set(parent, lines.get(parent) ?? []);
    lines.get(parent)?.push(id);
  }
  for (const [parent, order] of lines) {
    const goal = state.plan.goals.get(parent);
    if (goal === undefined) continue;
    for (const { id, index } of moveInto(goal.child_ids, orderedChildren(goal, order, state)))
      attemptMerge(state, { type: 'goal_moved', goal: id, parent, at_index: index });
  }
}
