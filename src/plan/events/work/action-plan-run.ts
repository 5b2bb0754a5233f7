import * as z from 'zod';

import { ACTION_PLAN_ID_PATTERN } from '../../ids.js';
import { withPlanStatus } from '../../apply/plan-status.js';
import { acceptEvent, defineChange, refuse } from '../define-event.js';
import { goalId } from '../shared-fields.js';

/** An action plan of a goal was carried out. What its steps brought stays on the machine that did it. */
export const actionPlanRun = defineChange({
  type: 'action_plan_run',
  fields: {
    goal: goalId,
    action_plan: z
      .string()
      .regex(ACTION_PLAN_ID_PATTERN, 'must be ap- and 6 to 61 of 0-9a-z')
      .optional()
      .describe('Its id in the store; none for a plan that was a file elsewhere.'),
    run: z.string().min(1).max(64),
    digest: z.string().max(100).describe('The digest of what was run.'),
    outcome: z.enum(['succeeded', 'failed', 'aborted']),
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
  describe: ({ goal, run, action_plan, outcome }, named) =>
    `ran ${action_plan ?? 'an action plan'} for ${named(goal)}: ${outcome} (${run})`,
});
