import * as z from 'zod';

import { PlanError } from '../../kernel/errors.js';
import { summarySchema } from '../../plan/schema.js';
import { defineOperation } from '../operation.js';
import type { Context } from '../shared/context.js';
import { text, toggle } from '../shared/fields.js';
import { currentPlan, readPlan } from '../shared/find-plan.js';
import type { CurrentPlan } from '../shared/find-plan.js';
import { summaryNow } from '../shared/summary-now.js';

const meantSchema = z.object({
  plan: summarySchema.nullable().describe('The current plan; null when there is none.'),
  because: z
    .enum(['variable', 'chosen', 'changed_last'])
    .nullable()
    .describe('Why: FRCTL_PLAN names it, it was chosen, or it was changed last.'),
});

/**
 * Chooses the default plan, for this user and this store, or says which that is.
 * @throws PlanError PLAN_NOT_FOUND, USAGE for a plan and `none` at once, STORAGE_FAILED
 */
export const usePlan = defineOperation({
  arguments: ['plan'],
  input: z.strictObject({
    plan: text(
      'plan id, its first 3+ characters, or words of its goal (default: show the current plan)',
      'plan',
    ),
    none: toggle('clear the choice: the plan changed last is the current plan again'),
  }),
  output: meantSchema,
  examples: ['plan use 0398', 'plan use', 'plan use --none'],
  mutates: true,
  async run(context, { plan: name, none }): Promise<z.output<typeof meantSchema>> {
    if (name !== undefined && none === true)
      throw new PlanError('USAGE', 'a plan and --none exclude each other');
    if (none === true) await context.choosePlan(null);
    if (name !== undefined) await context.choosePlan((await readPlan(context, name)).header.id);
    const meant = await meantIfAny(context);
    if (meant === null) return { plan: null, because: null };
    return { plan: summaryNow(context, await readPlan(context, meant.id)), because: meant.because };
  },
});

/** @throws PlanError whatever is wrong but that there is no plan yet */
async function meantIfAny(context: Context): Promise<CurrentPlan | null> {
  try {
    return await currentPlan(context);
  } catch (thrown) {
    if (
      thrown instanceof PlanError &&
      thrown.code === 'PLAN_NOT_FOUND' &&
      (await context.chosenPlan()) === null
    )
      return null;
    throw thrown;
  }
}
