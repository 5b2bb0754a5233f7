import * as z from 'zod';

import { withPlanStatus } from '../../apply/plan-status.js';
import { spend } from '../../apply/spend.js';
import { tokensOfUsage, usageOfBegun } from '../../plan.js';
import type { Plan } from '../../plan.js';
import { callerSchema, usageSchema } from '../../schema.js';
import type { BegunCall } from '../../schema.js';
import { acceptEvent, defineChange } from '../define-event.js';

/** Calls that stand as begun at most; each event looks through them. */
const MOST_BEGUN = 2000;

/**
 * A model is about to be asked, for a plan with a budget: whatever becomes of the process that asks, its budget counts the
 * call. A second event of the same call says what it has used, while nothing else has come of it.
 */
export const callBegun = defineChange({
  type: 'call_begun',
  fields: {
    call: z.string(),
    caller: callerSchema,
    usage: usageSchema.describe('The most that it may use; what it has used where `ended` is true.'),
    ended: z.boolean().optional(),
  },
  touches: 'any_goal',
  undoable: true,
  opens: 'nothing',
  apply(plan, event) {
    const before = plan.header.calls ?? [];
    const { caller, usage, ended } = event;
    const call: BegunCall = {
      id: event.call,
      caller,
      at: event.at,
      usage,
      ...(ended === undefined ? {} : { ended }),
    };
    const isThere = before.some(({ id }) => id === call.id);
    // Told of once more after it was counted, it is no call again.
    if (ended === true && !isThere) return acceptEvent(withPlanStatus(plan, event));
    const calls = isThere ? before.map((one) => (one.id === call.id ? call : one)) : [...before, call];
    const next = { ...plan, header: { ...plan.header, calls } };
    return acceptEvent(withPlanStatus(calls.length > MOST_BEGUN ? withoutFirst(next, calls) : next, event));
  },
  describe: ({ usage, ended }) =>
    ended === true
      ? `had a reply of the model (${tokensOfUsage(usage)} tokens)`
      : `began to ask the model (at most ${tokensOfUsage(usage)} tokens)`,
});

/** Counts the first call at the most. */
function withoutFirst(plan: Plan, calls: readonly BegunCall[]): Plan {
  const first = calls.slice(0, 1);
  return spend(plan, { usage: { ...usageOfBegun(first), begun: first.map(({ id }) => id) } });
}
