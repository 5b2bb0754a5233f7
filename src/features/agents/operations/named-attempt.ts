import { findGoal } from '../../../plan/tree.js';
import { goalSuffix } from '../../../plan/ids.js';
import type { Plan } from '../../../plan/plan.js';
import type { Goal } from '../../../plan/schema.js';
import { noGoal } from '../../../operations/shared/find-plan.js';
import { readAttempt, readAttempts } from '../attempt/state.js';
import type { Attempt } from '../attempt/state.js';

/** What a name stands for where attempts are asked for. */
export interface NamedAttempt {
  /** Its goal by id, and as the plan has it: null where that was removed while the attempt waits. */
  readonly id: string;
  readonly goal: Goal | null;
  readonly attempt: Attempt | null;
}

/**
 * Finds the attempt at a goal by what names the goal, or by its own token: also at a goal that is gone from the plan, by
 * the id that it had.
 * @throws PlanError GOAL_NOT_FOUND
 */
export async function attemptNamed(root: string, plan: Plan, name: string): Promise<NamedAttempt> {
  const { id: planId } = plan.header;
  const goal = findGoal(plan, name);
  if (goal !== null) return { id: goal.id, goal, attempt: await readAttempt(root, planId, goal.id) };
  const attempt = (await readAttempts(root, planId)).find((one) =>
    [one.goal, goalSuffix(one.goal), one.token].includes(name),
  );
  if (attempt === undefined) throw noGoal(plan, name);
  return { id: attempt.goal, goal: plan.goals.get(attempt.goal) ?? null, attempt };
}
