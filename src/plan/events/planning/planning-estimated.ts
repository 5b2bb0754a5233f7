import * as z from 'zod';

import { withPlanStatus } from '../../apply/plan-status.js';
import { estimateSchema } from '../../schema.js';
import type { PlanHeader } from '../../schema.js';
import { acceptEvent, defineChange, refuse } from '../define-event.js';

/** What a run is expected to use is known when it has begun. */
export const planningEstimated = defineChange({
  type: 'planning_estimated',
  fields: {
    run: z.string().describe('The run that it is an estimate of.'),
    estimate: estimateSchema,
  },
  touches: 'any_goal',
  undoable: true,
  opens: 'nothing',
  apply(plan, event) {
    const { run, settings } = plan.header;
    if (run?.id !== event.run || settings === undefined)
      return refuse({ code: 'planning_taken', when: 'since' });
    const header: PlanHeader = { ...plan.header, settings: { ...settings, estimate: event.estimate } };
    return acceptEvent(withPlanStatus({ ...plan, header }, event));
  },
  describe: ({ estimate: { calls } }) =>
    `expects ${calls.low === calls.high ? calls.low : `${calls.low} to ${calls.high}`} calls`,
});
