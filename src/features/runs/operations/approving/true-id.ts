import type { ActionPlan } from '../../../actions/model/action-plan.js';
import type { PreparedRun } from '../../model/prepared-run.js';

/** Returns a plan as it is shown: a plan of wa whose file has an id that its content does not give says so with it. */
export function withTrueId(plan: ActionPlan, ids: PreparedRun['wa_ids']): ActionPlan {
  return ids?.stated === undefined
    ? plan
    : { ...plan, id: `${ids.plan_id}; the file has ${ids.stated}, which does not match its content` };
}

/** Returns what whoever prepares a plan should know of its id. */
export function idWarnings(ids: PreparedRun['wa_ids']): readonly string[] {
  return ids?.stated === undefined
    ? []
    : [
        `the file has the plan_id ${ids.stated}, which its content does not give: that gives ${ids.plan_id}. Somebody may have changed the plan after it got its id`,
      ];
}
