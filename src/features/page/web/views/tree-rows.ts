import type { Goal } from '../../../../plan/schema.js';
import type { GoalState } from '../../../../plan/readiness/goal-state.js';
import type { PlanModel } from '../plan-model.js';

/** A plan of more goals shows its first levels, the root’s being the first, until somebody unfolds more. */
const FOLDED_FROM = 3000;
const LEVELS = 3;

/** What somebody has folded or unfolded himself, by goals. */
export type Folds = ReadonlyMap<string, boolean>;

/** Which goals are shown. */
export interface TreeFilter {
  readonly text: string;
  /** Only goals in this state, and all above them; null for every goal. */
  readonly state: GoalState | null;
}

/** A row of the tree. */
export interface TreeRow {
  readonly goal: Goal;
  readonly number: string;
  readonly state: GoalState;
  readonly isOpen: boolean | null;
  /** Its place among its siblings that are shown, from 1. */
  readonly position: number;
  readonly siblings: number;
  /** Whether it is what was looked for, and not only above that. */
  readonly fits: boolean;
}

/** Whether the sub-goals of a goal are shown. */
function isOpen(model: PlanModel, folds: Folds, { id, depth }: Goal): boolean {
  return folds.get(id) ?? (model.plan.goals.size <= FOLDED_FROM || depth + 1 < LEVELS);
}

/** The rows that are to be seen, from top to bottom. */
export function treeRows(
  model: PlanModel,
  states: ReadonlyMap<string, GoalState>,
  folds: Folds,
  filter: TreeFilter,
): readonly TreeRow[] {
  const fitting = goalsThatFit(model, states, filter);
  const shown = fitting === null ? null : withAllAbove(model, fitting);
  const rows: TreeRow[] = [];
  const stack: { readonly id: string; readonly position: number; readonly siblings: number }[] = [
    { id: model.header.root_goal_id, position: 1, siblings: 1 },
  ];
  for (let top = stack.pop(); top !== undefined; top = stack.pop()) {
    const goal = model.plan.goals.get(top.id);
    if (goal === undefined || shown?.has(goal.id) === false) continue;
    const children = goal.child_ids.filter((id) => shown?.has(id) !== false);
    // Whatever is looked for is unfolded.
    const open = children.length === 0 ? null : shown !== null || isOpen(model, folds, goal);
    rows.push({
      goal,
      number: model.numbers.get(goal.id) ?? '',
      state: states.get(goal.id) ?? 'to_plan',
      isOpen: open,
      position: top.position,
      siblings: top.siblings,
      fits: fitting?.has(goal.id) ?? true,
    });
    if (open !== true) continue;
    for (let index = children.length - 1; index >= 0; index -= 1)
      stack.push({ id: children[index] ?? '', position: index + 1, siblings: children.length });
  }
  return rows;
}

/** Null where every goal fits. */
function goalsThatFit(
  model: PlanModel,
  states: ReadonlyMap<string, GoalState>,
  { text, state }: TreeFilter,
): ReadonlySet<string> | null {
  if (text.trim() === '' && state === null) return null;
  const isFound = search(text);
  const found = new Set<string>();
  for (const each of model.order)
    if ((state === null || states.get(each.goal.id) === state) && isFound(each)) found.add(each.goal.id);
  return found;
}

/** Returns what tells whether a goal has every word of a text: in its number, its words, its tags or who claimed it. */
export function search(text: string): (each: PlanModel['order'][number]) => boolean {
  const words = text.toLowerCase().split(/\s+/);
  return ({ goal, number }) => {
    const where =
      `${number} ${goal.description} ${goal.tags?.join(' ') ?? ''} ${goal.claim?.by ?? ''}`.toLowerCase();
    return words.every((word) => where.includes(word));
  };
}

function withAllAbove({ plan }: PlanModel, goals: ReadonlySet<string>): ReadonlySet<string> {
  const all = new Set<string>();
  for (const id of goals)
    for (
      let up = plan.goals.get(id);
      up !== undefined && !all.has(up.id);
      up = plan.goals.get(up.parent_id ?? '')
    )
      all.add(up.id);
  return all;
}
