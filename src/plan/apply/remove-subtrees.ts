import { findCycleThrough } from '../readiness/dependencies.js';
import { goalOf, putGoal, removeGoal } from '../plan.js';
import type { Plan } from '../plan.js';
import type { Goal } from '../schema.js';
import { subtree } from '../tree.js';

interface RemovalOptions {
  readonly at: string;
  /** The goal that those who waited for what is gone wait for now, where that closes no cycle. */
  readonly standIn?: string;
  /** Whether they wait for it also where that closes a cycle, which the caller then refuses. */
  readonly always?: boolean;
}

/**
 * The plan without some goals and all below them. Their parents no longer list them, and nothing depends on
 * them: what did depends on the stand-in, or else on what they themselves depended on. With `always` the
 * result may have a cycle; it leads through the stand-in.
 */
export function removeSubtrees(plan: Plan, tops: readonly string[], options: RemovalOptions): Plan {
  const gone = new Map(tops.flatMap((id) => subtree(plan, goalOf(plan, id))).map((goal) => [goal.id, goal]));
  if (gone.size === 0) return plan;
  let left = plan;
  for (const id of tops) left = unlisted(left, goalOf(plan, id), options.at);
  for (const id of gone.keys()) left = removeGoal(left, id);
  const dependents = dependentsOf(plan, gone);
  // To wait for the replacements closes no cycle, for they were waited for already; only then can the stand-in be tried.
  for (const { id } of dependents) left = waitingForReplacements(left, id, gone, options.at);
  const { standIn } = options;
  if (standIn === undefined) return left;
  for (const dependent of dependents) {
    if (dependent.id === standIn) continue;
    const kept = dependent.dependencies.filter((dependency) => !gone.has(dependency));
    const next = withDependencies(left, dependent.id, [...kept, standIn], options.at);
    if (options.always === true || findCycleThrough(next, [dependent.id]) === null) left = next;
  }
  return left;
}

/** The goals that stay and depend on some that are gone, by their ids: one order, whatever the map's. */
function dependentsOf(plan: Plan, gone: ReadonlyMap<string, Goal>): readonly Goal[] {
  return [...plan.goals.values()]
    .filter(({ id, dependencies }) => !gone.has(id) && dependencies.some((other) => gone.has(other)))
    .sort((a, b) => (a.id < b.id ? -1 : 1));
}

function waitingForReplacements(plan: Plan, id: string, gone: ReadonlyMap<string, Goal>, at: string): Plan {
  const { dependencies } = goalOf(plan, id);
  const kept = dependencies.filter((dependency) => !gone.has(dependency));
  const lost = dependencies.filter((dependency) => gone.has(dependency));
  return withDependencies(plan, id, [...kept, ...lost.flatMap((one) => [...replacements(one, gone)])], at);
}

function withDependencies(plan: Plan, id: string, dependencies: readonly string[], at: string): Plan {
  return putGoal(plan, { ...goalOf(plan, id), dependencies: [...new Set(dependencies)], updated_at: at });
}

/** What a goal that is gone, and those above it that are gone too, depended on and is still there. */
function replacements(id: string, gone: ReadonlyMap<string, Goal>): ReadonlySet<string> {
  const found = new Set<string>();
  const seen = new Set<string>();
  const stack = [id];
  for (let top = stack.pop(); top !== undefined; top = stack.pop()) {
    const goal = gone.get(top);
    if (goal === undefined) found.add(top);
    else if (!seen.has(top)) {
      seen.add(top);
      for (const dependency of goal.dependencies) stack.push(dependency);
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
