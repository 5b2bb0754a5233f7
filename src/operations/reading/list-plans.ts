import * as z from 'zod';

import { defineOperation } from '../operation.js';
import { PlanError } from '../../kernel/errors.js';
import type { Summary } from '../../plan/schema.js';
import type { Context } from '../shared/context.js';
import type { StoreProblem } from '../../storage/plan-store.js';
import { choice, toggle } from '../shared/fields.js';
import { readPlan } from '../shared/find-plan.js';
import { goalsLookedFor, wordFilterFields } from './goal-filter.js';
import type { GoalFilter } from './goal-filter.js';
import { timeNow } from '../shared/environment.js';

/** What was found, and where nothing was, what there is instead. */
export interface FoundPlans {
  readonly plans: readonly Summary[];
  readonly problems: readonly StoreProblem[];
  /** How many plans are not what was looked for. */
  readonly passedOver?: number;
  /** How many the archive has. */
  readonly archived?: number;
}

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
  async run(context, { status, archived, ...filter }): Promise<FoundPlans> {
    const store = context.store();
    const { plans, problems } = await store.list(archived === true ? 'archived' : 'active');
    const inStatus = plans.filter((plan) => status === undefined || plan.status === status);
    const found = await holdingOne(context, inStatus, filter);
    if (found.length > 0) return { plans: found, problems };
    // Why there is none is said to people: the filter, the archive, or files that cannot be read.
    const archivedToo = archived === true ? [] : (await store.list('archived')).plans;
    return { plans: found, problems, passedOver: plans.length, archived: archivedToo.length };
  },
  document: ({ plans, problems }) => ({ plans, ...(problems.length > 0 ? { problems } : {}) }),
});

async function holdingOne(
  context: Context,
  plans: readonly Summary[],
  filter: GoalFilter,
): Promise<readonly Summary[]> {
  if (filter.tag === undefined && filter.by === undefined && filter.text === undefined) return plans;
  const found = await Promise.all(plans.map(async ({ id }) => holdsOne(context, id, filter)));
  return plans.filter((_plan, index) => found[index]);
}

/** Whether a plan has a goal that is looked for; one that cannot be opened has none. @throws whatever is no PlanError */
async function holdsOne(context: Context, id: string, filter: GoalFilter): Promise<boolean> {
  try {
    const plan = await readPlan(context, id);
    const isLookedFor = goalsLookedFor(plan, timeNow(context.environment), filter);
    return isLookedFor === null || [...plan.goals.values()].some(isLookedFor);
  } catch (thrown) {
    if (thrown instanceof PlanError) return false;
    throw thrown;
  }
}
