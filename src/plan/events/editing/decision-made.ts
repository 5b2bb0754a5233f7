import * as z from 'zod';

import { withDecision } from '../../apply/decisions.js';
import { withPlanStatus } from '../../apply/plan-status.js';
import { putGoal } from '../../plan.js';
import { acceptEvent, defineChange, refuse } from '../define-event.js';
import { goalId } from '../shared-fields.js';
import { withReason } from '../with-reason.js';

/** Somebody makes, confirms, changes or opens a decision; the log keeps the earlier ones. */
export const decisionMade = defineChange({
  type: 'decision_made',
  fields: {
    goal: goalId,
    what: z.string().min(1).describe('What is decided, such as `web framework`.'),
    choice: z.string().min(1).nullable().describe('What was chosen; null while it is open.'),
    decided_by: goalId.optional().describe('The goal that makes the choice, where it is open.'),
    reason: z.string().optional(),
  },
  touches: 'its_goal',
  undoable: true,
  opens: 'nothing',
  apply(plan, event) {
    const goal = plan.goals.get(event.goal);
    if (goal === undefined) return refuse({ code: 'no_goal', goal: event.goal });
    const { decided_by: decider } = event;
    if (decider !== undefined && !plan.goals.has(decider)) return refuse({ code: 'no_goal', goal: decider });
    const decision = {
      what: event.what,
      choice: event.choice,
      ...(decider === undefined ? {} : { decided_by: decider }),
      confirmed: true,
    };
    const next = putGoal(plan, { ...withDecision(goal, decision), updated_at: event.at });
    return acceptEvent(withPlanStatus(next, event));
  },
  describe: ({ what: matter, choice: chosen, goal, reason }, named) =>
    `${chosen === null ? `left ${matter} open` : `decided ${matter}: ${chosen}`} for ${named(goal)}${withReason(reason)}`,
});
