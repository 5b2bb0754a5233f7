import * as z from 'zod';

import { withPlanStatus } from '../../apply/plan-status.js';
import { runSchema, settingsSchema } from '../../schema.js';
import type { PlanHeader } from '../../schema.js';
import { acceptEvent, defineChange, refuse } from '../define-event.js';

/** A process begins to plan, or has workers do so; the first to say so does. */
export const planningStarted = defineChange({
  type: 'planning_started',
  fields: {
    run: runSchema,
    replaces: z.string().nullable().describe('Id of the run that this one takes over from.'),
    settings: settingsSchema.optional().describe('The settings from here on.'),
  },
  touches: 'any_goal',
  undoable: true,
  opens: 'found_later',
  apply(plan, event) {
    if ((plan.header.run?.id ?? null) !== event.replaces)
      return refuse({ code: 'planning_taken', when: 'before' });
    const settings = event.settings ?? plan.header.settings;
    const header: PlanHeader = {
      ...plan.header,
      ...(settings === undefined ? {} : { settings }),
      paused_because: null,
      run: event.run,
    };
    return acceptEvent(withPlanStatus({ ...plan, header }, event));
  },
  describe: ({ run }) =>
    run.workers === true
      ? `had workers plan (from ${run.host})`
      : `began to plan (process ${run.pid} on ${run.host})`,
});
