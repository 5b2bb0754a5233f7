import { ACTION_PLAN_ID_PATTERN } from '../../plan/ids.js';
import type { Plan } from '../../plan/plan.js';
import { actionPlansNamed } from '../../storage/file/action-plan-mentions.js';
import { dropActionPlan } from '../../storage/file/action-plan-files.js';
import type { Context } from '../shared/context.js';

/**
 * Removes the action plans of a plan that was deleted for good, but for those that a file of another plan names:
 * a copy under another id, say, or a plan that was edited by hand.
 * @throws PlanError STORAGE_FAILED
 */
export async function dropActionPlansOf(context: Context, plan: Plan): Promise<void> {
  const folder = context.storeFolder();
  if (folder === null) return;
  const own = new Set([...plan.goals.values()].flatMap(({ action_plans = [] }) => action_plans));
  if (own.size === 0) return;
  const named = await actionPlansNamed(folder);
  // What cannot be read may name any of them.
  if (named === null) return;
  for (const id of own)
    if (ACTION_PLAN_ID_PATTERN.test(id) && !named.has(id)) await dropActionPlan(folder, id);
}
