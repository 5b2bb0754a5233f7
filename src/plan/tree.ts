import { goalOf, rootOf } from './plan.js';
import type { Plan } from './plan.js';
import type { Goal } from './schema.js';

/** A goal with its place: `number` is `1.2.3` counted from the root's children, and empty for the root. */
export interface NumberedGoal {
  readonly goal: Goal;
  readonly number: string;
}

/**
 * Every goal of the tree, depth-first, parents before children, siblings in order. Iterative: depth is no limit.
 */
export function* depthFirst(plan: Plan): Generator<NumberedGoal> {
  const stack: NumberedGoal[] = [{ goal: rootOf(plan), number: '' }];
  for (let top = stack.pop(); top !== undefined; top = stack.pop()) {
    yield top;
    const { goal, number } = top;
    for (let index = goal.child_ids.length - 1; index >= 0; index -= 1)
      stack.push({ goal: goalOf(plan, goal.child_ids[index] ?? ''), number: childNumber(number, index) });
  }
}

/**
 * The part of the goal tree below a goal: it and all below it, parents before children. Iterative: depth is no
 * limit.
 */
export function subtree(plan: Plan, top: Goal): readonly Goal[] {
  const found: Goal[] = [];
  const stack = [top];
  for (let goal = stack.pop(); goal !== undefined; goal = stack.pop()) {
    found.push(goal);
    for (const id of goal.child_ids.toReversed()) stack.push(goalOf(plan, id));
  }
  return found;
}

/** The goals of the tree from the root down to, but without, `goal`. */
export function ancestors(plan: Plan, goal: Goal): readonly Goal[] {
  const chain: Goal[] = [];
  for (let id = goal.parent_id; id !== null;) {
    const parent = goalOf(plan, id);
    chain.push(parent);
    id = parent.parent_id;
  }
  return chain.toReversed();
}

/** The other children of a goal's parent in the tree, in order. */
export function siblings(plan: Plan, goal: Goal): readonly Goal[] {
  if (goal.parent_id === null) return [];
  return goalOf(plan, goal.parent_id)
    .child_ids.filter((id) => id !== goal.id)
    .map((id) => goalOf(plan, id));
}

/** The position of a goal as child indices from the root, counted from 0; empty for the root. */
function pathOf(plan: Plan, goal: Goal): readonly number[] {
  const path: number[] = [];
  for (let current = goal; current.parent_id !== null;) {
    const parent = goalOf(plan, current.parent_id);
    path.push(parent.child_ids.indexOf(current.id));
    current = parent;
  }
  return path.toReversed();
}

/** The number of a goal by its place in the tree, as people write it: `1.2.3`, or an empty string for the root. */
export function numberOf(plan: Plan, goal: Goal): string {
  return pathOf(plan, goal)
    .map((index) => index + 1)
    .join('.');
}

/**
 * Numbers goals of one tree as {@link numberOf} does; the children of a parent are counted once for all of them.
 */
export function numbering(plan: Plan): (goal: Goal) => string {
  const numbers = new Map<string, string>();
  return (goal) => {
    if (goal.parent_id === null) return '';
    const known = numbers.get(goal.id);
    if (known !== undefined) return known;
    const parent = goalOf(plan, goal.parent_id);
    const above = numbers.get(parent.id) ?? numberOf(plan, parent);
    for (const [index, id] of parent.child_ids.entries()) numbers.set(id, childNumber(above, index));
    return numbers.get(goal.id) ?? '';
  };
}

/**
 * Finds a goal by its full id, its suffix (`k3f9x2`, `root`) or its number in the tree (`1.2.3`), in
 * this order of precedence; a suffix of digits alone can thus be named by its full id.
 */
export function findGoal(plan: Plan, name: string): Goal | null {
  const byId = plan.goals.get(name) ?? plan.goals.get(`${plan.header.id}-${name}`);
  if (byId !== undefined) return byId;
  return /^\d+(\.\d+)*$/.test(name) ? goalAt(plan, name) : null;
}

function goalAt(plan: Plan, number: string): Goal | null {
  let goal = rootOf(plan);
  for (const part of number.split('.')) {
    const id = goal.child_ids[Number(part) - 1];
    if (id === undefined) return null;
    goal = goalOf(plan, id);
  }
  return goal;
}

/**
 * The number of a child in the tree of goals by that of its parent.
 * @param index its place among the children, from 0
 */
export function childNumber(parent: string, index: number): string {
  return parent === '' ? String(index + 1) : `${parent}.${index + 1}`;
}
