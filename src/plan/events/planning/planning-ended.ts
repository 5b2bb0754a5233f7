import * as z from 'zod';

import { withoutLinkLeft, withPlanStatus } from '../../apply/plan-status.js';
import { withoutRun } from '../../apply/runs.js';
import { spend } from '../../apply/spend.js';
import { acceptEvent, defineChange, refuse } from '../define-event.js';
import { spent } from '../shared-fields.js';

/** A process is done planning. */
export const planningEnded = defineChange({
  type: 'planning_ended',
  fields: { run: z.string(), ...spent },
  touches: 'any_goal',
  undoable: true,
  opens: 'nothing',
  apply(plan, event) {
    if (plan.header.run?.id !== event.run) return refuse({ code: 'planning_taken', when: 'since' });
    // Whoever is asked to pause ends as well.
    const isOver = plan.counts.pending === 0 && (plan.header.paused_because ?? null) === null;
    const ended = isOver ? withoutLinkLeft(plan) : plan;
    return acceptEvent(withPlanStatus(spend(withoutRun(ended), event), event));
  },
  describe: () => 'ended planning',
});
