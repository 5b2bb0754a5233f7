import { PlanError } from '../../kernel/errors.js';
import type { Context } from '../shared/context.js';
import { findPlan } from '../shared/find-plan.js';

/** A plan whose plan file was written. */
export interface PublishedPlanFile {
  /** Its id. */
  readonly plan: string;
  /** Id of the last event that the plan file holds; null for a plan without a log, whose plan file is the plan. */
  readonly event: string | null;
}

/**
 * Writes the plan file of a plan from its log, also where it is not due. That of a large plan may be behind otherwise.
 * @throws PlanError PLAN_NOT_FOUND, STORE_DAMAGED when the end of the log is gone, STORAGE_FAILED
 */
export async function publishPlan(context: Context, name: string | undefined): Promise<PublishedPlanFile> {
  const log = await findPlan(context.store(), name);
  const { id } = log.plan.header;
  if (log.missing > 0) {
    throw new PlanError('STORE_DAMAGED', `the last ${log.missing} bytes of the log of plan ${id} are gone`, {
      hint: '`plan doctor` says what can be done.',
      details: { plan: id, missing_bytes: log.missing },
    });
  }
  if (!(await log.publish('now')))
    throw new PlanError('STORAGE_FAILED', `the plan file of plan ${id} could not be written`, {
      hint: 'The plan itself is in its log; nothing is lost.',
      details: { plan: id },
    });
  return { plan: id, event: log.lastEvent };
}
