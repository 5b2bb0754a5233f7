import * as z from 'zod';

import { withPlanStatus } from '../../apply/plan-status.js';
import { acceptEvent, defineChange } from '../define-event.js';
import { because } from '../shared-fields.js';
import { withReason } from '../with-reason.js';

/** Somebody looked at what is damaged in the log, and knows that it stays lost; checks do not name it again. */
export const damageAccepted = defineChange({
  type: 'damage_accepted',
  fields: {
    damage: z
      .array(
        z.looseObject({
          mark: z
            .string()
            .regex(/^[0-9a-f]{8}-\d{1,10}$/)
            .describe('CRC-32 of the damaged line and, after a hyphen, how many bytes it has.'),
          reason: z.string().optional().describe('What was wrong with it.'),
        }),
      )
      .min(1),
    because,
  },
  touches: 'any_goal',
  undoable: false,
  opens: 'found_later',
  apply(plan, event) {
    const known = plan.header.accepted_damage ?? [];
    const marks = new Set([...known, ...event.damage.map(({ mark }) => mark)]);
    const header = { ...plan.header, accepted_damage: [...marks] };
    return acceptEvent(withPlanStatus({ ...plan, header }, event));
  },
  describe: ({ damage, because }) =>
    `accepted that ${damage.length === 1 ? 'a damaged line' : `${damage.length} damaged lines`} of the log cannot be read${withReason(because)}`,
});
