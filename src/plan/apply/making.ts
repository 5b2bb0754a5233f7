import { checkPlan } from '../invariants.js';
import { isSameJson } from '../changes.js';
import type { EventStamp, PayloadOf } from '../events.js';
import { rootGoalId } from '../ids.js';
import { makePlan, planFromFile } from '../make-plan.js';
import { NO_USAGE, putGoal, removeGoal } from '../plan.js';
import type { Plan } from '../plan.js';
import type { PlanFile, PlanHeader } from '../schema.js';
import { accept } from './applied.js';
import type { Applied, Refuse } from './applied.js';
import { bornGoal } from './born-goals.js';
import { withRootDescription } from './editing.js';
import { settle } from './settle.js';
import { addWarnings } from './spend.js';

/** A plan with a root that waits to be planned. */
export function createPlan(event: PayloadOf<'plan_created'> & EventStamp): Plan {
  const id = event.plan.id;
  const rootId = rootGoalId(id);
  const header: PlanHeader = {
    ...event.plan,
    root_goal_id: rootId,
    description: event.plan.description ?? event.root.description,
    status: 'in_progress',
    created_at: event.at,
    updated_at: event.at,
    total_tokens: 0,
    max_depth: 0,
    usage: NO_USAGE,
    paused_because: null,
    warnings: [],
  };
  const root = bornGoal(
    { ...event.root, id: rootId, atomic: null, reasoning: null, dependencies: [] },
    null,
    event.at,
  );
  return addWarnings(makePlan(header, [root]), event.warnings);
}

/** A plan as a file has it. */
export function importPlan(event: PayloadOf<'plan_imported'> & EventStamp, refuse: Refuse): Applied {
  const problem = checkPlan(event.plan)[0];
  if (problem !== undefined)
    return refuse(`the imported plan is not valid: ${problem.message} at ${problem.path}`);
  return accept(planFromFile(event.plan));
}

/** Puts goals back as they were, unless one of them has changed since or others have come to need it. */
export function undoChange(
  plan: Plan,
  event: PayloadOf<'change_undone'> & EventStamp,
  refuse: Refuse,
): Applied {
  const changed = event.changes.find(({ goal, after }) => !isSameJson(plan.goals.get(goal) ?? null, after));
  if (changed !== undefined) return refuse(`goal ${changed.goal} has changed since`);
  const renamed = event.changes.find(({ goal, before }) => before !== null && before.id !== goal);
  if (renamed !== undefined) return refuse(`goal ${renamed.goal} was never another`);
  const back = event.changes.reduce(
    (next, { goal, before }) => (before === null ? removeGoal(next, goal) : putGoal(next, before)),
    plan,
  );
  const problem = checkPlan(linkedFile(back))[0];
  if (problem !== undefined) return refuse(`undoing it would break the plan: ${problem.message}`);
  return accept(settle(withRootDescription(plan, back), event));
}

/** Takes the state of a plan file as it is; what was spent is never less than it was. */
export function restorePlan(
  plan: Plan,
  event: PayloadOf<'plan_restored'> & EventStamp,
  refuse: Refuse,
): Applied {
  if (event.plan.id !== plan.header.id) return refuse(`that is plan ${event.plan.id}`);
  const problem = checkPlan(event.plan)[0];
  if (problem !== undefined)
    return refuse(`the plan file is not valid: ${problem.message} at ${problem.path}`);
  return accept(settle(planFromFile(event.plan), event));
}

/** A plan as a file for checking alone: every goal, whether it hangs on the root or not. */
function linkedFile(plan: Plan): PlanFile {
  return { ...plan.header, goals: Object.fromEntries(plan.goals) };
}
