import { findCycleThrough } from '../dependencies.js';
import { goalOf, putGoal, removeGoal } from '../plan.js';
import type { Plan } from '../plan.js';
import type { Goal } from '../schema.js';
import { subtree } from '../tree.js';

interface TakingOut {
  readonly at: string;
  /** The goal that those who waited for what is gone wait for now, where that closes no circle. */
  readonly standIn?: string;
}

/**
 * The plan without some goals and all below them. Their parents no longer list them, and nothing depends on
 * them: what did depends on the stand-in, or else on what they themselves waited for, so that the order of
 * the goals that stay is kept.
 */
export function takeOut(plan: Plan, tops: readonly string[], { at, standIn }: TakingOut): Plan {
  const gone = new Map(tops.flatMap((id) => subtree(plan, goalOf(plan, id))).map((goal) => [goal.id, goal]));
  if (gone.size === 0) return plan;
  let left = plan;
  for (const id of tops) left = unlisted(left, goalOf(plan, id), at);
  for (const id of gone.keys()) left = removeGoal(left, id);
  for (const { id, dependencies } of dependentsOf(plan, gone)) {
    const lost = dependencies.filter((dependency) => gone.has(dependency));
    left = waitInstead(left, id, { lost, gone, at, standIn });
  }
  return left;
}

/** The goals that stay and depend on some that are gone, by their ids: one order, whatever the map's. */
function dependentsOf(plan: Plan, gone: ReadonlyMap<string, Goal>): readonly Goal[] {
  return [...plan.goals.values()]
    .filter(({ id, dependencies }) => !gone.has(id) && dependencies.some((other) => gone.has(other)))
    .sort((a, b) => (a.id < b.id ? -1 : 1));
}

interface Loss {
  readonly lost: readonly string[];
  readonly gone: ReadonlyMap<string, Goal>;
  readonly at: string;
  readonly standIn: string | undefined;
}

function waitInstead(plan: Plan, id: string, { lost, gone, at, standIn }: Loss): Plan {
  const goal = goalOf(plan, id);
  const kept = goal.dependencies.filter((dependency) => !gone.has(dependency));
  const waitFor = (instead: readonly string[]): Plan =>
    putGoal(plan, { ...goal, dependencies: [...new Set([...kept, ...instead])], updated_at: at });
  if (standIn !== undefined && standIn !== id) {
    // Until all are rewired others may name goals that are gone; those are no arrows.
    const next = waitFor([standIn]);
    if (findCycleThrough(next, [id]) === null) return next;
  }
  return waitFor(lost.flatMap((dependency) => [...survivors(dependency, gone)]));
}

/** What goals that are gone waited for and is still there. */
function survivors(id: string, gone: ReadonlyMap<string, Goal>): ReadonlySet<string> {
  const found = new Set<string>();
  const seen = new Set<string>();
  const stack = [id];
  for (let top = stack.pop(); top !== undefined; top = stack.pop()) {
    const goal = gone.get(top);
    if (goal === undefined) found.add(top);
    else if (!seen.has(top)) {
      seen.add(top);
      stack.push(...goal.dependencies);
      if (goal.parent_id !== null && gone.has(goal.parent_id)) stack.push(goal.parent_id);
    }
  }
  return found;
}

function unlisted(plan: Plan, goal: Goal, at: string): Plan {
  if (goal.parent_id === null) return plan;
  const parent = goalOf(plan, goal.parent_id);
  const child_ids = parent.child_ids.filter((id) => id !== goal.id);
  return putGoal(plan, { ...parent, child_ids, updated_at: at });
}
