import * as z from 'zod';

import { withPlanStatus } from '../../apply/plan-status.js';
import { withoutRun } from '../../apply/runs.js';
import { spend } from '../../apply/spend.js';
import type { Plan } from '../../plan.js';
import { pauseCauseSchema } from '../../schema.js';
import { acceptEvent, defineChange, refuse } from '../define-event.js';
import { spent } from '../shared-fields.js';
import { withReason } from '../with-reason.js';

/** Planning stops until it is resumed. */
export const planPaused = defineChange({
  type: 'plan_paused',
  fields: {
    because: pauseCauseSchema,
    detail: z.string().optional(),
    run: z.string().optional().describe('The run that ends with the pause.'),
    left: z
      .literal('link')
      .optional()
      .describe('Set where nothing is left to ask but which leaves need each other.'),
    ...spent,
  },
  touches: 'any_goal',
  undoable: true,
  opens: 'nothing',
  apply(plan, event) {
    if (event.run !== undefined && plan.header.run?.id !== event.run)
      return refuse({ code: 'planning_taken', when: 'since' });
    if (event.run === undefined && event.left === undefined && plan.counts.pending === 0)
      return refuse({ code: 'nothing_to_plan', status: plan.header.status });
    const ended = event.run === undefined ? plan : withoutRun(plan);
    const left = event.left === undefined ? {} : { link_left: true as const };
    const paused: Plan = { ...ended, header: { ...ended.header, paused_because: event.because, ...left } };
    return acceptEvent(withPlanStatus(spend(paused, event), event));
  },
  describe: ({ because, detail }) => `paused planning (${because})${withReason(detail)}`,
});
