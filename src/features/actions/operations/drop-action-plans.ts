import { ACTION_PLAN_ID_PATTERN } from '../../../plan/ids.js';
import type { Plan } from '../../../plan/plan.js';
import type { Context } from '../../../operations/shared/context.js';

/**
 * Removes the action plans of a plan that was deleted for good, but for those that a file of another plan names:
 * a copy under another id, say, or a plan that was edited by hand.
 * @throws PlanError STORAGE_FAILED
 */
export async function dropActionPlansOf(context: Context, plan: Plan): Promise<void> {
  const actionPlans = (await context.documents())?.actionPlans;
  if (actionPlans === undefined) return;
  const own = new Set([...plan.goals.values()].flatMap(({ action_plans = [] }) => action_plans));
  if (own.size === 0) return;
  const named = await actionPlans.named();
  // What cannot be read may name any of them.
  if (named === null) return;
  for (const id of own) if (ACTION_PLAN_ID_PATTERN.test(id) && !named.has(id)) await actionPlans.drop(id);
}
