import * as z from 'zod';

import { withPlanStatus } from '../../apply/plan-status.js';
import { acceptEvent, defineChange, refuse } from '../define-event.js';
import { goalId } from '../shared-fields.js';
import { withReason } from '../with-reason.js';

/** An agent tried to do a goal. What became of the goal itself other events say. */
export const workAttempted = defineChange({
  type: 'work_attempted',
  fields: {
    goal: goalId,
    token: z.string().min(1).describe('That of the claim under which it was tried.'),
    try: z.int().min(1),
    agent: z.string().min(1),
    outcome: z.enum(['landed', 'failed', 'conflict', 'waiting', 'interrupted', 'rejected']),
    reason: z.string().optional(),
    commit: z.string().nullable().describe('What it made, or what landed.'),
    files: z.array(z.string()).describe('The files that it changed.'),
    cost_usd: z.number().nonnegative().nullable(),
    seconds: z.number().nonnegative(),
    session: z.string().nullable(),
  },
  touches: 'its_goal',
  undoable: false,
  opens: 'nothing',
  apply(plan, event) {
    const goal = plan.goals.get(event.goal);
    return goal === undefined
      ? refuse({ code: 'no_goal', goal: event.goal })
      : acceptEvent(withPlanStatus(plan, event));
  },
  describe: ({ goal, agent, outcome, reason }, named) =>
    `had ${agent} work on ${named(goal)}: ${outcome}${withReason(reason)}`,
});
