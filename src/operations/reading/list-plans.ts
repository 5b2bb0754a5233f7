import type { PlanStatus } from '../../plan/schema.js';
import type { Listing } from '../../storage/plan-store.js';
import type { Context } from '../shared/context.js';

export interface ListOptions {
  readonly status?: PlanStatus | undefined;
  /** The plans of the archive instead. */
  readonly archived?: boolean | undefined;
}

/** Every plan, newest change first; files that cannot be read are named among the problems. */
export async function listPlans(context: Context, options: ListOptions): Promise<Listing> {
  const { plans, problems } = await context.store().list(options.archived === true ? 'archived' : 'active');
  return {
    plans: plans.filter(({ status }) => options.status === undefined || status === options.status),
    problems,
  };
}
