import { oneLine } from '../../../kernel/text/safe-text.js';
import { goalOf, rootOf } from '../../../plan/plan.js';
import type { Plan } from '../../../plan/plan.js';
import { depthFirst } from '../../../plan/tree.js';
import type { Baseline, BaselineEntry } from './baseline.js';
import { boxOfGoal } from './box-marks.js';
import type { ChecklistMerge } from './merge-checklist.js';
import { flattenItems } from './nested-item.js';
import { readChecklist } from './read-checklist.js';

/**
 * What both sides say now; of what the plan refused, what they said last. The order and the place of each line are those of
 * the file as it was written, so that reading it again finds nothing that has moved.
 * @param text the file
 */
export function baselineAfter(
  plan: Plan,
  {
    baseline,
    merge: { goals, kept },
  }: { readonly baseline: Baseline | null; readonly merge: Pick<ChecklistMerge, 'goals' | 'kept'> },
  text: string,
): Baseline {
  const parents = parentsInFile(plan, text);
  const had = new Set(goals.values());
  const entries = new Map<string, BaselineEntry>();
  for (const id of [...parents.keys(), ...Array.from(depthFirst(plan), ({ goal }) => goal.id)]) {
    const goal = goalOf(plan, id);
    const { parent_id, description } = goal;
    if (parent_id === null || entries.has(id)) continue;
    const before = baseline?.get(id);
    if (before !== undefined && kept.has(id)) entries.set(id, before);
    if (kept.has(id)) continue;
    const { ticked, mark } = boxOfGoal(goal);
    entries.set(id, {
      goal: id,
      parent: parents.get(id) ?? parent_id,
      text: oneLine(description).trim(),
      done: ticked,
      ...(mark === '' ? {} : { mark }),
      adopted: before === undefined ? baseline === null && had.has(id) : before.adopted !== false,
    });
  }
  return entries;
}

/** The goals of a file, each with the goal that its line stands below, in the order of their lines. */
function parentsInFile(plan: Plan, text: string): ReadonlyMap<string, string> {
  const idOf = (goal: string | null | undefined) => `${plan.header.id}-${goal ?? ''}`;
  const parents = new Map<string, string>();
  for (const { item, above } of flattenItems(readChecklist(text))) {
    const [id, parent] = [idOf(item.goal), above === null ? rootOf(plan).id : idOf(above.goal)];
    if (plan.goals.has(id) && plan.goals.has(parent) && !parents.has(id)) parents.set(id, parent);
  }
  return parents;
}
