import { claimAgainst } from '../claims.js';
import { findCycleThrough } from '../dependencies.js';
import type { EventStamp, PayloadOf } from '../events.js';
import { goalOf, putGoal, rootOf } from '../plan.js';
import type { Plan } from '../plan.js';
import type { Goal } from '../schema.js';
import { accept } from './applied.js';
import type { Applied, Refuse } from './applied.js';
import { settle } from './settle.js';

/** The words of a goal change. Those of finished work stand; a goal that somebody else holds is his to change. */
export function editGoal(plan: Plan, event: PayloadOf<'goal_edited'> & EventStamp, refuse: Refuse): Applied {
  const goal = plan.goals.get(event.goal);
  if (goal === undefined) return refuse(`there is no goal ${event.goal}`);
  if (goal.status === 'complete') return refuse(`goal ${goal.id} is complete; reopen it first`);
  const against = claimAgainst(goal, { by: event.by, at: event.at });
  if (against !== null) return refuse(against);
  const next = putGoal(plan, { ...edited(goal, event.fields), updated_at: event.at });
  return accept(settle(withRootDescription(plan, next), event));
}

/** A plan that is called as its root was is called as its root is now. */
export function withRootDescription(before: Plan, after: Plan): Plan {
  const [was, is] = [rootOf(before).description, rootOf(after).description];
  if (was === is || after.header.description !== was) return after;
  return { ...after, header: { ...after.header, description: is } };
}

/** Dependencies are added and taken away, all or none of them. */
export function changeDependencies(
  plan: Plan,
  event: PayloadOf<'dependencies_changed'> & EventStamp,
  refuse: Refuse,
): Applied {
  let next = plan;
  for (const { goal: id, add, remove } of event.changes) {
    const goal = next.goals.get(id);
    if (goal === undefined) return refuse(`there is no goal ${id}`);
    const unknown = add.find((dependency) => !plan.goals.has(dependency));
    if (unknown !== undefined) return refuse(`there is no goal ${unknown}`);
    const absent = remove.find((dependency) => !goal.dependencies.includes(dependency));
    if (absent !== undefined) return refuse(`goal ${id} does not depend on ${absent}`);
    const gained = add.filter((dependency) => !goal.dependencies.includes(dependency));
    if (gained.length > 0 && goal.status === 'complete')
      return refuse(`goal ${id} is complete; it waits for nothing`);
    const dependencies = [
      ...goal.dependencies.filter((dependency) => !remove.includes(dependency)),
      ...new Set(gained),
    ];
    next = putGoal(next, { ...goal, dependencies, updated_at: event.at });
  }
  const changed = event.changes.filter(({ add }) => add.length > 0).map(({ goal }) => goalOf(next, goal).id);
  const cycle = findCycleThrough(next, changed);
  if (cycle !== null) return refuse(`goals would wait for each other: ${cycle.join(' → ')}`);
  return accept(settle(next, event));
}

/** A goal with some fields as they are given; null takes one away, undefined leaves it. */
function edited(goal: Goal, fields: PayloadOf<'goal_edited'>['fields']): Goal {
  const { description, reasoning, detail, acceptance, tags } = fields;
  const draft = { ...goal };
  if (description !== undefined) draft.description = description;
  if (reasoning !== undefined) draft.reasoning = reasoning;
  if (detail === null) delete draft.detail;
  else if (detail !== undefined) draft.detail = detail;
  if (acceptance === null) delete draft.acceptance;
  else if (acceptance !== undefined) draft.acceptance = acceptance;
  if (tags === null) delete draft.tags;
  else if (tags !== undefined) draft.tags = tags;
  return draft;
}
