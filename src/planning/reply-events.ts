import type { EventPayload, PayloadOf } from '../plan/events.js';
import type { Plan } from '../plan/plan.js';
import type { Goal, Usage, Warning } from '../plan/schema.js';
import type { ExpansionOutcome } from './expander.js';
import { markedForReview, usageOfGoneGoal } from './planner-events.js';
import type { PlannerOptions } from './planner-state.js';
import { sanitizeExpansion } from './sanitize/sanitize-expansion.js';
import type { SanitizedExpansion } from './sanitize/sanitize-expansion.js';
import { newSubGoals } from './sub-goals.js';

/** What sub-goals are made with. */
type Making = Pick<PlannerOptions, 'expander' | 'settings' | 'newGoalId'>;

/** The events that come of asking about a goal of a plan; none where it came to nothing that is about the goal. */
export function replyEvents(
  outcome: ExpansionOutcome,
  asked: {
    readonly plan: Plan;
    readonly goalId: string;
    readonly maxChildren: number;
    readonly options: Making;
  },
): readonly EventPayload[] {
  if (outcome.kind !== 'review' && outcome.kind !== 'expansion') return [];
  const { options, plan, goalId, maxChildren } = asked;
  const goal = plan.goals.get(goalId);
  if (goal === undefined) return [usageOfGoneGoal(outcome.usage)];
  if (outcome.kind === 'review') return [markedForReview(goal, outcome)];
  const guarded = sanitizeExpansion(outcome.expansion, plan, goal, maxChildren);
  const warnings = [...outcome.warnings, ...guarded.warnings].map((warning) => ({
    ...warning,
    goal_id: goal.id,
  }));
  return [expanded(options, goal, { guarded, warnings, usage: outcome.usage })];
}

function expanded(
  options: Making,
  goal: Goal,
  {
    guarded,
    warnings: said,
    usage,
  }: { readonly guarded: SanitizedExpansion; readonly warnings: readonly Warning[]; readonly usage: Usage },
): PayloadOf<'goal_expanded'> {
  const {
    subGoals,
    decided,
    warnings: forced,
  } = newSubGoals(goal, guarded, {
    ...options,
    expanderKind: options.expander.kind,
  });
  const warnings = [...said, ...forced];
  return {
    type: 'goal_expanded',
    goal: goal.id,
    atomic: guarded.atomic,
    reasoning: guarded.reasoning,
    sub_goals: subGoals,
    ...decided,
    usage,
    ...(warnings.length > 0 ? { warnings } : {}),
  };
}
