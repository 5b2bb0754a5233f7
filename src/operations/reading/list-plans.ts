import * as z from 'zod';

import { defineOperation } from '../operation.js';
import { PlanError } from '../../kernel/errors.js';
import { PLAN_STATUSES } from '../../plan/choices.js';
import type { Summary } from '../../plan/schema.js';
import { withProgress } from '../../plan/readiness/plan-progress.js';
import type { Context } from '../shared/context.js';
import type { StoreProblem } from '../../storage/plan-store.js';
import { choice, toggle } from '../shared/fields.js';
import { readPlan } from '../shared/find-plan.js';
import { goalsLookedFor, isForAll, wordFilterFields } from './goal-filter.js';
import type { GoalFilter } from './goal-filter.js';
import { timeNow } from '../shared/environment.js';
import { isUnreadablePlan } from '../../storage/unreadable-plan.js';

/** How many plans are open at once. */
const MOST_OPEN = 8;

/** What people see in place of `in_progress` and `complete`. */
const SHOWN = ['to-plan', 'planning', 'planned', 'working', 'done'] as const;

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
    status: choice(
      [...PLAN_STATUSES, ...SHOWN],
      'only plans with this status, as it is stored or as it is shown',
      {
        value: 'status',
      },
    ),
    ...wordFilterFields('plans with goals'),
    archived: toggle('the plans of the archive'),
  }),
  output: async () => (await import('./listing-schema.js')).listingSchema,
  examples: ['plan list', 'plan list --status paused --json'],
  mutates: false,
  async run(context, { status, archived, ...filter }): Promise<FoundPlans> {
    const store = context.store();
    const listed = await store.list(archived === true ? 'archived' : 'active');
    const at = timeNow(context.environment);
    const plans = listed.plans.map((plan) => withProgress(plan, at));
    const { problems } = listed;
    const inStatus = plans.filter((plan) => status === undefined || hasStatus(plan, status));
    const found = await holdingOne(context, inStatus, filter);
    if (found.length > 0) return { plans: found, problems };
    // Why there is none is said to people: the filter, the archive, or files that cannot be read.
    const archivedToo = archived === true ? [] : (await store.list('archived')).plans;
    return { plans: found, problems, passedOver: plans.length, archived: archivedToo.length };
  },
  document: ({ plans, problems }) => ({ plans, ...(problems.length > 0 ? { problems } : {}) }),
});

/** Whether a plan has a status; one of which something is done and something left is still planned. */
function hasStatus(
  { status, progress }: Summary,
  wanted: (typeof PLAN_STATUSES)[number] | (typeof SHOWN)[number],
): boolean {
  if (wanted === 'planned' && progress === 'working') return true;
  return wanted === status || wanted === progress.replace('_', '-');
}

async function holdingOne(
  context: Context,
  plans: readonly Summary[],
  filter: GoalFilter,
): Promise<readonly Summary[]> {
  if (isForAll(filter)) return plans;
  const holding: Summary[] = [];
  for (let at = 0; at < plans.length; at += MOST_OPEN) {
    const some = plans.slice(at, at + MOST_OPEN);
    const found = await Promise.all(some.map(async ({ id }) => holdsOne(context, id, filter)));
    for (const [index, plan] of some.entries()) if (found[index] === true) holding.push(plan);
  }
  return holding;
}

/**
 * Whether a plan has a goal that is looked for; one that cannot be read, which the listing names, or is gone has none.
 * @throws PlanError STORAGE_FAILED for what is not about this plan
 */
async function holdsOne(context: Context, id: string, filter: GoalFilter): Promise<boolean> {
  try {
    const plan = await readPlan(context, id);
    const isLookedFor = goalsLookedFor(plan, timeNow(context.environment), filter);
    return isLookedFor === null || [...plan.goals.values()].some(isLookedFor);
  } catch (thrown) {
    if (isUnreadablePlan(thrown)) return false;
    if (thrown instanceof PlanError && thrown.code === 'PLAN_NOT_FOUND') return false;
    throw thrown;
  }
}
