import * as z from 'zod';

import {
  checkDependencies,
  DEPENDENCY_CODES,
  findingInWords,
} from '../../plan/dependencies/check-dependencies.js';
import type { DependencyFinding } from '../../plan/dependencies/check-dependencies.js';
import type { PayloadOf } from '../../plan/events.js';
import { changeGoals, changeReportSchema } from '../editing/change-goals.js';
import { defineOperation } from '../operation.js';
import { planArgument, text, toggle } from '../shared/fields.js';
import { findPlan } from '../shared/find-plan.js';
import { refuseArchived } from '../shared/find-to-change.js';
import { summaryNow } from '../shared/summary-now.js';

/** The option to apply what checking dependencies has found, of both operations. */
export const applyOption = () =>
  toggle('apply what is found; with check: remove dependencies that others imply');

const findingSchema = z
  .object({
    code: z.enum(DEPENDENCY_CODES),
    goal: z.string(),
    depends_on: z.string().nullable().describe('What it depends on; null where many goals are meant.'),
    path: z
      .array(z.string())
      .readonly()
      .describe(
        'Of REDUNDANT how the other dependencies imply it; of ONE_BY_ONE and SEQUENTIAL the goals that are meant.',
      ),
    message: z.string().describe('The finding in words.'),
    removed: z.boolean().describe('Whether the dependency has been taken away.'),
  })
  .readonly();

const dependencyReportSchema = z
  .object({ ...changeReportSchema.unwrap().shape, findings: z.array(findingSchema).readonly() })
  .readonly();

/**
 * Looks for dependencies that others imply, and for such as look wrong.
 * @throws PlanError PLAN_NOT_FOUND, WRONG_STATE for an archived plan that is to be changed, REFUSED
 */
export const checkPlanDependencies = defineOperation({
  arguments: ['plan'],
  input: z.strictObject({
    apply: applyOption(),
    plan: planArgument(),
    by: text('who edits (default: user@host)', 'name', { hidden: true }),
  }),
  output: dependencyReportSchema,
  examples: ['plan dependencies check', 'plan dependencies check --apply'],
  mutates: true,
  async run(context, input) {
    const log = await findPlan(context, input.plan, input.apply === true ? 'change' : 'read');
    const { plan } = log;
    const found = checkDependencies(plan);
    const payload = removal(found);
    const removing = input.apply === true && payload !== null;
    if (removing) refuseArchived(log);
    const report = removing
      ? await changeGoals(context, log, payload, input)
      : { plan: summaryNow(context, plan), changes: [] };
    const findings = found.map((finding) => ({
      ...finding,
      message: findingInWords(plan, finding),
      removed: removing && finding.code === 'REDUNDANT',
    }));
    return { ...report, findings };
  },
  exitStatus: ({ findings }) => (findings.every(({ removed }) => removed) ? 0 : 1),
});

/** The event that takes away what is redundant, or null when nothing is. */
function removal(found: readonly DependencyFinding[]): PayloadOf<'dependencies_changed'> | null {
  const byGoal = new Map<string, string[]>();
  for (const { code, goal, depends_on } of found) {
    if (code === 'REDUNDANT' && depends_on !== null)
      byGoal.set(goal, [...(byGoal.get(goal) ?? []), depends_on]);
  }
  if (byGoal.size === 0) return null;
  const changes = [...byGoal].map(([goal, remove]) => ({
    goal,
    add: [],
    remove,
    because: 'others imply it',
  }));
  return { type: 'dependencies_changed', changes };
}
