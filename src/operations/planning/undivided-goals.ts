import type { PayloadOf } from '../../plan/events.js';
import type { Plan } from '../../plan/plan.js';
import { liveClaim } from '../../plan/readiness/claims.js';
import type { PlanningChoice } from './choose-planning.js';

/**
 * Has whoever plans now asked about the goals that the rules left undivided; none where the plan was not made by rules, or
 * still is. Not those that a person wrote, that somebody holds, that have an action plan or that are as deep as goals may be.
 * @param at the moment that decides whether a claim still holds
 */
export function undividedByRules(
  plan: Plan,
  { settings, switched }: Pick<PlanningChoice, 'settings' | 'switched'>,
  at: string,
): readonly PayloadOf<'expansion_rolled_back'>[] {
  if (!switched || plan.header.settings?.expander !== 'rules' || settings.expander === 'rules') return [];
  // A goal that a person wrote has no reasoning.
  const left = [...plan.goals.values()].filter(
    (goal) =>
      goal.status === 'atomic' &&
      goal.reasoning !== null &&
      goal.depth < settings.max_depth &&
      (goal.action_plans ?? []).length === 0 &&
      liveClaim(goal, at) === null,
  );
  return left.map(({ id }) => ({
    type: 'expansion_rolled_back',
    goal: id,
    undivided: true,
    because: 'the rules had left it undivided',
  }));
}
