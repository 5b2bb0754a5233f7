import * as z from 'zod';

import { defineOperation } from '../operation.js';
import { PlanError } from '../../kernel/errors.js';
import type { Context } from '../shared/context.js';
import { choice, toggle } from '../shared/fields.js';
import { readPlan } from '../shared/find-plan.js';
import { goalsLookedFor, wordFilterFields } from './goal-filter.js';
import type { GoalFilter } from './goal-filter.js';
import { timeNow } from '../shared/environment.js';

/** Every plan, newest change first, or those with a goal that is looked for; files that cannot be read are named among the problems. */
export const listPlans = defineOperation({
  input: z.strictObject({
    status: choice(['in_progress', 'complete', 'paused', 'failed'], 'only these', { value: 'status' }),
    ...wordFilterFields(),
    archived: toggle('the plans of the archive'),
  }),
  output: async () => (await import('./listing-schema.js')).listingSchema,
  examples: ['plan list', 'plan list --status paused --json'],
  mutates: false,
  async run(context, { status, archived, ...filter }) {
    const { plans, problems } = await context.store().list(archived === true ? 'archived' : 'active');
    const inStatus = plans.filter((plan) => status === undefined || plan.status === status);
    if (filter.tag === undefined && filter.by === undefined && filter.text === undefined)
      return { plans: inStatus, problems };
    const found = await Promise.all(inStatus.map(async ({ id }) => holdsOne(context, id, filter)));
    return { plans: inStatus.filter((_plan, index) => found[index]), problems };
  },
  document: ({ plans, problems }) => ({ plans, ...(problems.length > 0 ? { problems } : {}) }),
});

/** Whether a plan has a goal that is looked for; one that cannot be opened has none. @throws whatever is no PlanError */
async function holdsOne(context: Context, id: string, filter: GoalFilter): Promise<boolean> {
  try {
    const plan = await readPlan(context.store(), id);
    const isLookedFor = goalsLookedFor(plan, timeNow(context.environment), filter);
    return isLookedFor === null || [...plan.goals.values()].some(isLookedFor);
  } catch (thrown) {
    if (thrown instanceof PlanError) return false;
    throw thrown;
  }
}
