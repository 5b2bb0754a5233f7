import { liveClaim, heldBy } from '../claims.js';
import { findCycleThrough } from '../dependencies.js';
import type { EventStamp, NewGoal, PayloadOf } from '../events.js';
import { whyItMustStay } from '../must-stay.js';
import { goalOf, isWaiting, putGoal } from '../plan.js';
import type { Plan } from '../plan.js';
import type { Goal } from '../schema.js';
import { subtree } from '../tree.js';
import { accept } from './applied.js';
import type { Applied, Refuse } from './applied.js';
import { bornGoal, wrongNewGoals } from './born-goals.js';
import { takeOut } from './take-out.js';
import { settle } from './settle.js';
import { spend, withUsage } from './spend.js';
import { restateAncestors, withChildren } from './ancestors.js';

/**
 * A goal gets other sub-goals: some of its children go, new ones come. Whatever is finished, or held by
 * somebody, stays as it is. An atomic, failed or waiting goal is split by it; one that keeps no child is atomic.
 */
export function replanGoal(
  plan: Plan,
  event: PayloadOf<'goal_replanned'> & EventStamp,
  refuse: Refuse,
): Applied {
  const goal = plan.goals.get(event.goal);
  if (goal === undefined) return refuse(`there is no goal ${event.goal}`);
  if (goal.status === 'complete') return refuse(`goal ${goal.id} is complete; reopen it first`);
  const held = liveClaim(goal, event.at);
  if (held !== null) return refuse(`goal ${goal.id} is claimed; ${heldBy(held)}`);
  const stranger = event.remove.find((id) => !goal.child_ids.includes(id));
  if (stranger !== undefined) return refuse(`goal ${stranger} is no child of ${goal.id}`);
  for (const id of event.remove) {
    const kept = whyItMustStay(plan, id, { at: event.at });
    if (kept !== null) return refuse(kept);
  }
  const without = takeOut(plan, event.remove, { at: event.at, standIn: goal.id });
  const { failure: _answered, claim: _expired, ...rest } = goalOf(without, goal.id);
  const asked: Goal = { ...rest, reasoning: event.reasoning ?? goal.reasoning, updated_at: event.at };
  const ready = putGoal(without, withUsage(withChildren(without, asked), event.usage));
  const grown = addChildren(ready, goal.id, event.sub_goals, event.at, undefined);
  if (typeof grown === 'string') return refuse(grown);
  return accept(settle(spend(restateAncestors(grown, goal.id, event.at), event), event));
}

/** An expansion is taken back: all below the goal goes, and it waits to be planned again. */
export function rollBackExpansion(
  plan: Plan,
  event: PayloadOf<'expansion_rolled_back'> & EventStamp,
  refuse: Refuse,
): Applied {
  const goal = plan.goals.get(event.goal);
  if (goal === undefined) return refuse(`there is no goal ${event.goal}`);
  if (goal.child_ids.length === 0) return refuse(`goal ${goal.id} has no sub-goals`);
  for (const id of goal.child_ids) {
    const kept = whyItMustStay(plan, id, { at: event.at });
    if (kept !== null) return refuse(kept);
  }
  const without = takeOut(plan, goal.child_ids, { at: event.at, standIn: goal.id });
  const waiting: Goal = { ...goalOf(without, goal.id), status: 'pending', updated_at: event.at };
  return accept(settle(restateAncestors(putGoal(without, waiting), goal.id, event.at), event));
}

/** New goals under a goal that is not finished as a leaf; a finished composite is open again by it. */
export function addGoals(plan: Plan, event: PayloadOf<'goals_added'> & EventStamp, refuse: Refuse): Applied {
  const parent = plan.goals.get(event.parent);
  if (parent === undefined) return refuse(`there is no goal ${event.parent}`);
  const wrong = wrongParent(parent, event.at);
  if (wrong !== null) return refuse(wrong);
  const grown = addChildren(plan, parent.id, event.sub_goals, event.at, event.at_index);
  if (typeof grown === 'string') return refuse(grown);
  return accept(settle(restateAncestors(grown, parent.id, event.at), event));
}

/** A goal goes to another parent, or to another place among its siblings, with all below it. */
export function moveGoal(plan: Plan, event: PayloadOf<'goal_moved'> & EventStamp, refuse: Refuse): Applied {
  const goal = plan.goals.get(event.goal);
  const parent = plan.goals.get(event.parent);
  if (goal === undefined) return refuse(`there is no goal ${event.goal}`);
  if (parent === undefined) return refuse(`there is no goal ${event.parent}`);
  if (goal.parent_id === null) return refuse('the root cannot be moved');
  if (isWithin(plan, parent, goal.id)) return refuse(`goal ${goal.id} cannot go below itself`);
  const wrong = parent.id === goal.parent_id ? null : wrongParent(parent, event.at);
  if (wrong !== null) return refuse(wrong);

  const from = goal.parent_id;
  const source = goalOf(plan, from);
  const left = source.child_ids.filter((id) => id !== goal.id);
  const stands = inserted(parent.id === from ? left : parent.child_ids, [goal.id], event.at_index);
  let moved = parent.id === from ? plan : putGoal(plan, restated(plan, source, left, event.at));
  moved = putGoal(moved, restated(moved, parent, stands, event.at));
  moved = deepen(
    putGoal(moved, { ...goal, parent_id: parent.id, updated_at: event.at }),
    goal,
    parent.depth + 1 - goal.depth,
  );
  const cycle = findCycleThrough(moved, [goal.id, parent.id]);
  if (cycle !== null) return refuse(`goals would wait for each other: ${cycle.join(' → ')}`);
  moved = restateAncestors(restateAncestors(moved, from, event.at), parent.id, event.at);
  return accept(settle(moved, event));
}

/** A goal and all below it go; what depended on it depends on what it depended on. */
export function removeGoals(
  plan: Plan,
  event: PayloadOf<'goal_removed'> & EventStamp,
  refuse: Refuse,
): Applied {
  const goal = plan.goals.get(event.goal);
  if (goal === undefined) return refuse(`there is no goal ${event.goal}`);
  if (goal.parent_id === null) return refuse('the root cannot be removed');
  const kept = whyItMustStay(plan, goal.id, {
    at: event.at,
    withComplete: event.with_complete === true,
  });
  if (kept !== null) return refuse(kept);
  const without = takeOut(plan, [goal.id], { at: event.at });
  const parent = goalOf(without, goal.parent_id);
  const stated = putGoal(without, restated(without, parent, parent.child_ids, event.at));
  return accept(settle(restateAncestors(stated, goal.parent_id, event.at), event));
}

/** Siblings that nobody has begun become one goal, which keeps all their details and dependencies. */
export function mergeGoals(
  plan: Plan,
  event: PayloadOf<'goals_merged'> & EventStamp,
  refuse: Refuse,
): Applied {
  const ids = [event.goal, ...event.merged];
  if (new Set(ids).size < ids.length) return refuse('a goal is named twice');
  const goals = ids.map((id) => plan.goals.get(id));
  const missing = ids.find((_, index) => goals[index] === undefined);
  if (missing !== undefined) return refuse(`there is no goal ${missing}`);
  const [first, ...others] = goals.filter((goal) => goal !== undefined);
  if (first === undefined) return refuse(`there is no goal ${event.goal}`);
  for (const goal of [first, ...others]) {
    if (goal.parent_id === null || goal.parent_id !== first.parent_id)
      return refuse('only siblings can be merged');
    if (goal.child_ids.length > 0) return refuse(`goal ${goal.id} has sub-goals; only leaves can be merged`);
    const kept = whyItMustStay(plan, goal.id, { at: event.at });
    if (kept !== null) return refuse(kept);
  }
  const without = takeOut(plan, event.merged, { at: event.at, standIn: first.id, always: true });
  const parent = goalOf(without, first.parent_id ?? plan.header.root_goal_id);
  const merged = putGoal(without, mergedGoal(first, others, event));
  const cycle = findCycleThrough(merged, [first.id]);
  if (cycle !== null) return refuse(`goals would wait for each other: ${cycle.join(' → ')}`);
  return accept(settle(restateAncestors(merged, parent.id, event.at), event));
}

function mergedGoal(
  first: Goal,
  others: readonly Goal[],
  event: PayloadOf<'goals_merged'> & EventStamp,
): Goal {
  const all = [first, ...others];
  const gone = new Set(all.map(({ id }) => id));
  const detail = all.flatMap((goal) => goal.detail ?? []).join('\n\n');
  const acceptance = [...new Set(all.flatMap((goal) => goal.acceptance ?? []))];
  const tags = [...new Set(all.flatMap((goal) => goal.tags ?? []))];
  const actionPlans = [...new Set(all.flatMap((goal) => goal.action_plans ?? []))];
  const { failure: _past, claim: _expired, size: _smaller, ...rest } = first;
  return {
    ...rest,
    description: event.description,
    status: all.some((goal) => isWaiting(goal)) ? 'pending' : 'atomic',
    dependencies: [...new Set(all.flatMap(({ dependencies }) => dependencies))].filter((id) => !gone.has(id)),
    tokens_used: all.reduce((sum, goal) => sum + goal.tokens_used, 0),
    ...(detail === '' ? {} : { detail }),
    ...(acceptance.length === 0 ? {} : { acceptance }),
    ...(tags.length === 0 ? {} : { tags }),
    ...(actionPlans.length === 0 ? {} : { action_plans: actionPlans }),
    updated_at: event.at,
  };
}

/** The plan with new children of a goal, or why they cannot be added. */
function addChildren(
  plan: Plan,
  parentId: string,
  born: readonly NewGoal[],
  at: string,
  index: number | undefined,
): Plan | string {
  if (born.length === 0) return plan;
  const wrong = wrongNewGoals(plan, born);
  if (wrong !== null) return wrong;
  const parent = goalOf(plan, parentId);
  const ids = born.map(({ id }) => id);
  let grown = plan;
  for (const child of born) grown = putGoal(grown, bornGoal(child, parent, at));
  const child_ids = inserted(parent.child_ids, ids, index);
  grown = putGoal(grown, restated(grown, parent, child_ids, at));
  const depth = parent.depth + 1;
  if (depth > grown.header.max_depth) grown = { ...grown, header: { ...grown.header, max_depth: depth } };
  const cycle = findCycleThrough(grown, ids);
  return cycle === null ? grown : `goals would wait for each other: ${cycle.join(' → ')}`;
}

/** Why a goal may not get children that it did not have, or null. */
function wrongParent(parent: Goal, at: string): string | null {
  if (parent.child_ids.length > 0) return null;
  if (parent.status === 'complete') return `goal ${parent.id} is complete; reopen it first`;
  const held = liveClaim(parent, at);
  return held === null ? null : `goal ${parent.id} is claimed; ${heldBy(held)}`;
}

function isWithin(plan: Plan, goal: Goal, above: string): boolean {
  for (let current: Goal | null = goal; current !== null;) {
    if (current.id === above) return true;
    current = current.parent_id === null ? null : goalOf(plan, current.parent_id);
  }
  return false;
}

/** A goal with other children. */
function restated(plan: Plan, goal: Goal, child_ids: string[], at: string): Goal {
  return withChildren(plan, { ...goal, child_ids, updated_at: at });
}

function deepen(plan: Plan, top: Goal, by: number): Plan {
  let next = plan;
  let deepest = plan.header.max_depth;
  for (const { id } of subtree(plan, top)) {
    const goal = goalOf(next, id);
    const depth = goal.depth + by;
    deepest = Math.max(deepest, depth);
    if (by !== 0) next = putGoal(next, { ...goal, depth });
  }
  return deepest === plan.header.max_depth
    ? next
    : { ...next, header: { ...next.header, max_depth: deepest } };
}

function inserted(ids: readonly string[], added: readonly string[], index: number | undefined): string[] {
  const place = Math.min(index ?? ids.length, ids.length);
  return [...ids.slice(0, place), ...added, ...ids.slice(place)];
}
