import * as z from 'zod';

import { withPlanStatus } from '../../apply/plan-status.js';
import { putGoal } from '../../plan.js';
import { coversFile } from '../../readiness/touches.js';
import { acceptEvent, defineChange, refuse } from '../define-event.js';
import { goalId } from '../shared-fields.js';
import { withReason } from '../with-reason.js';

const MOST_TOUCHES = 100;

/** What a goal touches with files that it does not name yet, as far as there is room; null where there are none. */
function withLearnt(touches: readonly string[], files: readonly string[]): string[] | null {
  const room = Math.max(0, MOST_TOUCHES - touches.length);
  const learnt = [...new Set(files)]
    .slice(0, MOST_TOUCHES * 2)
    .filter((file) => !touches.some((touch) => coversFile(touch, file)));
  return learnt.length === 0 || room === 0 ? null : [...touches, ...learnt.slice(0, room)];
}

/** An agent tried to do a goal, which touches what it changed. What became of the goal itself other events say. */
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
    if (goal === undefined) return refuse({ code: 'no_goal', goal: event.goal });
    const learnt = withLearnt(goal.touches ?? [], event.files);
    const next = learnt === null ? plan : putGoal(plan, { ...goal, touches: learnt, updated_at: event.at });
    return acceptEvent(withPlanStatus(next, event));
  },
  describe: ({ goal, agent, outcome, reason }, named) =>
    `had ${agent} work on ${named(goal)}: ${outcome}${withReason(reason)}`,
});
