import { ACTION_PLAN_ID_PATTERN } from '../../../plan/ids.js';
import type { Context } from '../../../operations/shared/context.js';
import type { Purge, PurgedPlan } from '../../../operations/shared/hooks.js';

/**
 * The action plans that go with a plan that is deleted for good: its own but for those that a file of another plan names,
 * a copy under another id, say, or a plan that was edited by hand.
 */
export async function actionPlansOfPurged(context: Context, { plan }: PurgedPlan): Promise<Purge> {
  const goals = [...(plan?.goals.values() ?? [])];
  const own = new Set(goals.flatMap(({ action_plans = [] }) => action_plans));
  return { runs: [], drop: () => drop(context, own) };
}

async function drop(context: Context, own: ReadonlySet<string>): Promise<void> {
  const actionPlans = (await context.documents())?.actionPlans;
  if (actionPlans === undefined || own.size === 0) return;
  const named = await actionPlans.named();
  // What cannot be read may name any of them.
  if (named === null) return;
  for (const id of own) if (ACTION_PLAN_ID_PATTERN.test(id) && !named.has(id)) await actionPlans.drop(id);
}
