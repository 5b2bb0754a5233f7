import { PlanError } from '../../kernel/errors.js';
import { archivePlan, refuseWhilePlanned } from './archive-plan.js';
import type { Context } from '../shared/context.js';
import { dropActionPlansOf } from './drop-action-plans.js';
import { findPlanId } from '../shared/find-plan.js';

/**
 * Deletes a plan: into the archive, or with `purge` for good. A plan that cannot be read can be purged too.
 * @throws PlanError PLAN_NOT_FOUND, WRONG_STATE, PLANNER_BUSY, INVALID_INPUT, STORAGE_FAILED
 */
export async function deletePlan(
  context: Context,
  name: string | undefined,
  purge: boolean,
): Promise<{ readonly id: string; readonly purged: boolean }> {
  const store = context.store();
  if (!purge) return { id: (await archivePlan(context, name)).id, purged: false };
  if (name === undefined) {
    throw new PlanError('INVALID_INPUT', 'what is deleted for good must be named', {
      hint: 'plan delete --purge <plan id>',
    });
  }
  const id = await findPlanId(store, name);
  const log = await store.open(id).catch(() => null);
  if (log !== null) await refuseWhilePlanned(context, log);
  await store.purge(id);
  if (log !== null) await dropActionPlansOf(context, log.plan);
  return { id, purged: true };
}
