import { checkInvariants } from '../invariants.js';
import { relativesIn } from '../dependencies/relatives.js';
import type { Goal, PlanFile } from '../schema.js';
import { breakCircles } from './break-circles.js';

/**
 * Mends the links of a plan file so that every invariant holds: goals that hang on nothing come under the
 * root, lists of children follow what goals say of their parents, depths are counted anew, dependencies on
 * goals that do not exist, on relatives or round a circle are dropped. No goal is lost, and nothing else is
 * changed. Null when that is not enough.
 */
export function repairPlanFile(file: PlanFile): PlanFile | null {
  const root = file.goals[file.root_goal_id];
  if (root === undefined) return null;
  const linked = { ...file, goals: relinked(file, root) };
  const mended = breakCircles({ ...linked, goals: withoutRelatives(linked.goals) });
  return checkInvariants(mended).length === 0 ? mended : null;
}

/** Goals without the dependencies on those above and below them. */
function withoutRelatives(goals: Readonly<Record<string, Goal>>): Record<string, Goal> {
  const isRelative = relativesIn(new Map(Object.entries(goals)));
  return Object.fromEntries(
    Object.entries(goals).map(([id, goal]) => [
      id,
      { ...goal, dependencies: goal.dependencies.filter((other) => !isRelative(id, other)) },
    ]),
  );
}

function relinked(file: PlanFile, root: Goal): Record<string, Goal> {
  const parents = new Map(Object.entries(file.goals).map(([id, goal]) => [id, parentOf(id, goal, file)]));
  openCircles(root.id, parents);
  const children = childrenOf(inOldOrder(file, parents));

  const goals: Record<string, Goal> = {};
  const open: { readonly id: string; readonly depth: number }[] = [{ id: root.id, depth: 0 }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { id, depth } = next;
    const goal = file.goals[id];
    if (goal === undefined) continue;
    const child_ids = children.get(id) ?? [];
    const dependencies = [...new Set(goal.dependencies)].filter(
      (other) => other !== id && file.goals[other] !== undefined,
    );
    const parent_id = id === root.id ? null : (parents.get(id) ?? root.id);
    goals[id] = { ...goal, id, depth, parent_id, child_ids, dependencies };
    for (const child of child_ids) open.push({ id: child, depth: depth + 1 });
  }
  return withFittingStatuses(goals);
}

function parentOf(id: string, goal: Goal, file: PlanFile): string {
  const named = goal.parent_id;
  return named === null || named === id || file.goals[named] === undefined ? file.root_goal_id : named;
}

/** Puts each goal below the root from which going from parent to parent does not end there, but in a circle. */
function openCircles(root: string, parents: Map<string, string>): void {
  const children = childrenOf(parents);
  const reached = new Set<string>();
  const reach = (top: string) => {
    const open = [top];
    for (let id = open.pop(); id !== undefined; id = open.pop()) {
      if (reached.has(id)) continue;
      reached.add(id);
      for (const child of children.get(id) ?? []) open.push(child);
    }
  };
  reach(root);
  for (const id of parents.keys()) {
    if (reached.has(id)) continue;
    parents.set(id, root);
    reach(id);
  }
}

function childrenOf(parents: Iterable<readonly [string, string]>): ReadonlyMap<string, string[]> {
  const children = new Map<string, string[]>();
  for (const [id, parent] of parents) {
    const known = children.get(parent);
    if (known === undefined) children.set(parent, [id]);
    else known.push(id);
  }
  return children;
}

/** Goals with their parents, siblings in the order in which their parent lists them, unlisted ones last. */
function inOldOrder(
  file: PlanFile,
  parents: ReadonlyMap<string, string>,
): readonly (readonly [string, string])[] {
  const position = new Map<string, number>();
  for (const goal of Object.values(file.goals)) {
    for (const [index, child] of goal.child_ids.entries())
      if (!position.has(child)) position.set(child, index);
  }
  return [...parents]
    .filter(([id]) => id !== file.root_goal_id)
    .toSorted(
      ([a], [b]) =>
        (position.get(a) ?? Number.MAX_SAFE_INTEGER) - (position.get(b) ?? Number.MAX_SAFE_INTEGER),
    );
}

/** Children before their parents, so that a divided goal below which something is open is not taken for complete. */
function withFittingStatuses(goals: Record<string, Goal>): Record<string, Goal> {
  const repaired = { ...goals };
  for (const [id, goal] of Object.entries(goals).toSorted(([, a], [, b]) => b.depth - a.depth)) {
    const status = statusOf(goal, repaired);
    if (status !== goal.status) repaired[id] = { ...goal, status };
  }
  return repaired;
}

function statusOf(goal: Goal, repaired: Readonly<Record<string, Goal>>): Goal['status'] {
  if (goal.child_ids.length === 0) return goal.status;
  const done = goal.child_ids.every((id) => repaired[id]?.status === 'complete');
  if (goal.status === 'complete' && !done) return 'decomposing';
  return goal.status === 'pending' || goal.status === 'atomic' ? 'decomposing' : goal.status;
}
