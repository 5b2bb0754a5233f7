import type { Plan } from '../../plan/plan.js';
import type { Summary } from '../../plan/schema.js';
import { summaryAt } from '../../plan/readiness/plan-progress.js';
import type { Context } from './context.js';
import { timeNow } from './environment.js';

/** Returns the summary of a plan as it is now. */
export function summaryNow({ environment }: Pick<Context, 'environment'>, plan: Plan): Summary {
  return summaryAt(plan, timeNow(environment));
}
