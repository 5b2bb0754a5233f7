import { checkInvariants } from '../invariants.js';
import type { Goal, PlanFile } from '../schema.js';

/**
 * Mends the links of a plan file so that every invariant holds: goals that hang on nothing come under the
 * root, lists of children follow what goals say of their parents, depths are counted anew, dependencies on
 * goals that do not exist, on relatives or round a circle are dropped. No goal is lost, and nothing else is
 * changed. Null when that is not enough.
 */
export function repairPlanFile(file: PlanFile): PlanFile | null {
  const root = file.goals[file.root_goal_id];
  if (root === undefined) return null;
  let mended: PlanFile = { ...file, goals: relinked(file, root) };
  for (
    let problem = checkInvariants(mended)[0];
    problem !== undefined;
    problem = checkInvariants(mended)[0]
  ) {
    const goal = dependentIn(problem.path, mended);
    if (goal === null) return null;
    mended = { ...mended, goals: { ...mended.goals, [goal.id]: goal } };
  }
  return mended;
}

function relinked(file: PlanFile, root: Goal): Record<string, Goal> {
  const parents = new Map(Object.entries(file.goals).map(([id, goal]) => [id, parentOf(id, goal, file)]));
  for (const id of parents.keys()) if (!leadsTo(root.id, id, parents)) parents.set(id, root.id);
  const children = new Map<string, string[]>();
  for (const [id, parent] of inOldOrder(file, parents))
    children.set(parent, [...(children.get(parent) ?? []), id]);

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

/** Whether going from parent to parent ends at the root, and not in a circle. */
function leadsTo(root: string, id: string, parents: ReadonlyMap<string, string>): boolean {
  const seen = new Set<string>();
  for (let at: string | undefined = id; at !== undefined && !seen.has(at); at = parents.get(at)) {
    if (at === root) return true;
    seen.add(at);
  }
  return false;
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

/** The goal that a problem of a dependency names, without what is wrong with it. */
function dependentIn(path: string, file: PlanFile): Goal | null {
  const match = /^\$\.goals\["([^"]+)"\]\.dependencies(?:\[(\d+)\])?$/.exec(path);
  const goal = match?.[1] === undefined ? undefined : file.goals[match[1]];
  if (goal === undefined || goal.dependencies.length === 0) return null;
  const drop = match?.[2] === undefined ? goal.dependencies.length - 1 : Number(match[2]);
  return { ...goal, dependencies: goal.dependencies.filter((_, index) => index !== drop) };
}
