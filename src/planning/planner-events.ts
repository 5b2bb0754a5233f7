import type { PayloadOf } from '../plan/events.js';
import type { Goal, Usage } from '../plan/schema.js';
import type { ExpansionOutcome } from './expander.js';

/** The event that the planner takes a goal as atomic without asking about it, for whatever limit. */
export function assumedAtomic(goal: Goal, code: string, why: string): PayloadOf<'goal_expanded'> {
  const message = `taken as atomic because ${why}`;
  return {
    type: 'goal_expanded',
    goal: goal.id,
    atomic: true,
    reasoning: goal.reasoning === null ? `Not assessed: ${message}.` : goal.reasoning,
    sub_goals: [],
    warnings: [{ code, goal_id: goal.id, message }],
  };
}

/** The event that marks a goal for review, as the planner got no good answer about it. */
export function markedForReview(
  goal: Goal,
  { code, reason, usage }: Extract<ExpansionOutcome, { kind: 'review' }>,
): PayloadOf<'goal_failed'> {
  const warnings = [{ code: 'needs_review', goal_id: goal.id, message: reason }];
  return { type: 'goal_failed', goal: goal.id, phase: 'planning', code, reason, usage, warnings };
}

/** The event that counts what the planner paid to ask about a goal that somebody removed meanwhile. */
export function usageOfGoneGoal(usage: Usage): PayloadOf<'usage_added'> {
  return { type: 'usage_added', because: 'the goal was removed while it was asked about', usage };
}
