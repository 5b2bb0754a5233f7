import { withPlanStatus } from '../../apply/plan-status.js';
import { acceptEvent, defineChange, refuse } from '../define-event.js';
import { because } from '../shared-fields.js';
import { withReason } from '../with-reason.js';

/** A plan is brought back, also one of which only the place of its files says that it is archived. */
export const planUnarchived = defineChange({
  type: 'plan_unarchived',
  fields: { because },
  touches: 'any_goal',
  undoable: false,
  opens: 'found_later',
  apply(plan, event) {
    if (plan.header.archived_at === null) return refuse({ code: 'not_archived' });
    const header = { ...plan.header, archived_at: null };
    return acceptEvent(withPlanStatus({ ...plan, header }, event));
  },
  describe: ({ because }) => `brought the plan back from the archive${withReason(because)}`,
});
