import { PlanError } from '../../kernel/errors.js';
import type { PlanLog } from '../../storage/plan-store.js';

/** Refuses to change a plan that is archived. @throws PlanError WRONG_STATE */
export function refuseArchived(log: PlanLog): void {
  if (!log.archived) return;
  const { id } = log.plan.header;
  throw new PlanError('WRONG_STATE', `plan ${id} is archived`, {
    hint: `\`plan restore ${id}\` brings it back.`,
  });
}
