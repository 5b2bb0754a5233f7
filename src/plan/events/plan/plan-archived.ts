import { withPlanStatus } from '../../apply/plan-status.js';
import { acceptEvent, defineChange, refuse } from '../define-event.js';
import { because } from '../shared-fields.js';
import { withReason } from '../with-reason.js';

/**
 * A plan is archived. That is a state and no more: what another copy of the store did meanwhile still counts, so
 * that a merge loses nothing.
 */
export const planArchived = defineChange({
  type: 'plan_archived',
  fields: { because },
  touches: 'any_goal',
  undoable: false,
  opens: 'nothing',
  apply(plan, event) {
    if (typeof plan.header.archived_at === 'string') return refuse({ code: 'archived' });
    const header = { ...plan.header, archived_at: event.at };
    return acceptEvent(withPlanStatus({ ...plan, header }, event));
  },
  describe: ({ because }) => `archived the plan${withReason(because)}`,
});
