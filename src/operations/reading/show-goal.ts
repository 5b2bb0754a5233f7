import { summarize } from '../../plan/plan.js';
import type { Summary } from '../../plan/schema.js';
import type { Context } from '../shared/context.js';
import { readGoalByName } from '../shared/find-plan.js';
import { withNumber, withNumbers } from '../shared/numbered-goals.js';
import type { GoalWithNumber } from '../shared/numbered-goals.js';
import { refusedResults } from '../planning/refused-results.js';
import type { RefusedResult } from '../planning/refused-results.js';

export interface GoalReport {
  readonly plan: Summary;
  readonly goal: GoalWithNumber;
  readonly parent: GoalWithNumber | null;
  readonly children: readonly GoalWithNumber[];
  readonly dependencies: readonly GoalWithNumber[];
  readonly dependents: readonly GoalWithNumber[];
  /** What was submitted for it and not accepted, oldest first. */
  readonly refused_results: readonly RefusedResult[];
}

/** One goal with what surrounds it. @throws PlanError GOAL_NOT_FOUND, PLAN_NOT_FOUND */
export async function showGoal(
  context: Context,
  name: string,
  planName: string | undefined,
): Promise<GoalReport> {
  const store = context.store();
  const { plan, goal } = await readGoalByName(store, name, planName);
  const numbered = (ids: readonly string[]) =>
    withNumbers(
      plan,
      ids.flatMap((id) => plan.goals.get(id) ?? []),
    );
  const dependents = [...plan.goals.values()].filter(({ dependencies }) => dependencies.includes(goal.id));
  return {
    plan: summarize(plan),
    goal: withNumber(plan, goal),
    parent: numbered(goal.parent_id === null ? [] : [goal.parent_id])[0] ?? null,
    children: numbered(goal.child_ids),
    dependencies: numbered(goal.dependencies),
    dependents: withNumbers(plan, dependents),
    refused_results: await refusedResults(store, plan, goal),
  };
}
