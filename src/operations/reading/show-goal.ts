import * as z from 'zod';

import type { Plan } from '../../plan/plan.js';
import { goalStates } from '../../plan/readiness/goal-state.js';
import { inheritedDependencies, inheritedDependents } from '../../plan/readiness/inherited-dependencies.js';
import type { InheritedDependency } from '../../plan/readiness/inherited-dependencies.js';
import { numbering } from '../../plan/tree.js';
import { holdOf } from '../../plan/readiness/holds.js';
import type { Goal, summarySchema } from '../../plan/schema.js';
import { defineOperation } from '../operation.js';
import { goalArgument, planOption } from '../shared/fields.js';
import { readGoalByName } from '../shared/find-plan.js';
import { withNumber, withNumbers } from '../shared/numbered-goals.js';
import { findingsToldSchema } from './findings-schema.js';
import { findingsTold } from './findings-told.js';
import { missingOfGoal, reportMissingSchema } from './report-links.js';
import { decisionsOfGoal, reportDecisionSchema } from './report-decisions.js';
import { numberedGoal } from '../shared/report-schemas.js';
import { refusedResults, refusedResultSchema } from './refused-results.js';
import { timeNow } from '../shared/environment.js';
import { summaryAt } from '../../plan/readiness/plan-progress.js';

const relatives = z.array(numberedGoal).readonly();

const inherited = z
  .array(
    z.object({
      goal: numberedGoal,
      by: z.object({ id: z.string(), number: z.string() }).describe('The goal above that it is said of.'),
    }),
  )
  .readonly();

const holdSchema = z.object({
  by: z
    .object({ id: z.string(), number: z.string() })
    .nullable()
    .describe('The goal above that was put on hold; null where it was itself.'),
  reason: z.string(),
  until: z.string().optional(),
});

const goalReportSchema = z
  .object({
    goal: numberedGoal,
    parent: numberedGoal.nullable(),
    children: relatives,
    dependencies: relatives,
    dependents: relatives,
    inherited_dependencies: inherited.describe('What it waits for because a goal above it depends on it.'),
    inherited_dependents: inherited.describe('What waits for it because it depends on a goal above it.'),
    hold: holdSchema.nullable().describe('What keeps it from being offered now; null where nothing does.'),
    decisions: z
      .array(reportDecisionSchema)
      .readonly()
      .describe('What was decided for it, from the root down.'),
    missing_results: z
      .array(reportMissingSchema)
      .readonly()
      .describe('Results that it uses and no goal makes.'),
    findings: findingsToldSchema
      .optional()
      .describe('What `plan check` finds about it; missing where nothing, and as in `status`.'),
    refused_results: z
      .array(refusedResultSchema)
      .readonly()
      .describe('What was submitted for it and not accepted, oldest first.'),
  })
  .readonly();

/** A goal with what surrounds it, and its plan. */
export type GoalReport = z.output<typeof goalReportSchema> & {
  readonly plan: z.output<typeof summarySchema>;
};

/** One goal with what surrounds it. @throws PlanError GOAL_NOT_FOUND, PLAN_NOT_FOUND */
export const showGoal = defineOperation({
  arguments: ['goal'],
  input: z.strictObject({ goal: goalArgument(), plan: planOption() }),
  output: goalReportSchema,
  examples: ['plan show 1.2', 'plan show root --plan 0398', 'plan show 0398a958-k3f9x2 --json'],
  mutates: false,
  async run(context, input): Promise<GoalReport> {
    const store = context.store();
    const { plan, goal } = await readGoalByName(context, input.goal, input.plan);
    const at = timeNow(context.environment);
    const numbered = (ids: readonly string[]) =>
      withNumbers(
        plan,
        ids.flatMap((id) => plan.goals.get(id) ?? []),
        at,
      );
    const dependents = [...plan.goals.values()].filter(({ dependencies }) => dependencies.includes(goal.id));
    const findings = await findingsTold(plan, goal.id);
    const before = inheritedDependencies(plan, goal);
    const after = inheritedDependents(plan, goal);
    return {
      plan: summaryAt(plan, at),
      goal: withNumber(plan, goal, at),
      parent: numbered(goal.parent_id === null ? [] : [goal.parent_id])[0] ?? null,
      children: numbered(goal.child_ids),
      dependencies: numbered(goal.dependencies),
      dependents: withNumbers(plan, dependents, at),
      inherited_dependencies: inheritedOf(plan, before, at),
      inherited_dependents: inheritedOf(plan, after, at),
      hold: holdNow(plan, goal, at),
      decisions: decisionsOfGoal(plan, goal),
      missing_results: missingOfGoal(plan, goal.id),
      ...(findings === undefined ? {} : { findings }),
      refused_results: await refusedResults(store, plan, goal),
    };
  },
  document: ({ plan: _summary, ...report }) => report,
});

function holdNow(plan: Plan, goal: Goal, at: string): z.output<typeof holdSchema> | null {
  const found = goal.status === 'complete' ? null : holdOf(plan, goal, at);
  if (found === null) return null;
  const { reason, until } = found.hold;
  const above = found.goal === goal.id ? undefined : plan.goals.get(found.goal);
  const by = above === undefined ? null : { id: above.id, number: numbering(plan)(above) };
  return { by, reason, ...(until === undefined ? {} : { until }) };
}

function inheritedOf(
  plan: Plan,
  found: readonly InheritedDependency[],
  at: string,
): z.output<typeof inherited> {
  const numberIn = numbering(plan);
  const stateOf = goalStates(plan, at);
  return found.flatMap(({ goal: id, by: through }) => {
    const [goal, by] = [plan.goals.get(id), plan.goals.get(through)];
    return goal === undefined || by === undefined
      ? []
      : [
          {
            goal: { ...goal, number: numberIn(goal), state: stateOf(goal) },
            by: { id: by.id, number: numberIn(by) },
          },
        ];
  });
}
