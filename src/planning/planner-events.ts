import type { PayloadOf } from '../plan/events.js';
import type { Goal, Usage } from '../plan/schema.js';
import type { ExpansionOutcome } from './expander.js';

/** A goal that is not asked about, for whatever limit. */
export function takenAsAtomic(goal: Goal, code: string, why: string): PayloadOf<'goal_expanded'> {
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

/** A goal about which the model had no good answer. */
export function markedForReview(
  goal: Goal,
  { code, reason, usage }: Extract<ExpansionOutcome, { kind: 'review' }>,
): PayloadOf<'goal_failed'> {
  const warnings = [{ code: 'needs_review', goal_id: goal.id, message: reason }];
  return { type: 'goal_failed', goal: goal.id, phase: 'planning', code, reason, usage, warnings };
}

/** What asking about a goal cost that somebody removed meanwhile. */
export function paidInVain(usage: Usage): PayloadOf<'usage_added'> {
  return { type: 'usage_added', because: 'the goal was removed while it was asked about', usage };
}
