import { isSameMatter } from '../decisions.js';
import type { Decision, Goal } from '../schema.js';

/** Returns a goal with a decision; it takes the place of one about the same matter. */
export function withDecision(goal: Goal, decision: Decision): Goal {
  const { decisions = [] } = goal;
  const index = decisions.findIndex(({ what }) => isSameMatter(what, decision.what));
  return { ...goal, decisions: index < 0 ? [...decisions, decision] : decisions.with(index, decision) };
}

/** Returns a goal with what planning decided; what somebody decided before stays as it is. */
export function withProposedDecisions(goal: Goal, proposed: readonly Decision[] = []): Goal {
  return proposed.reduce((next, decision) => {
    const there = next.decisions?.find(({ what }) => isSameMatter(what, decision.what));
    return there?.confirmed === true ? next : withDecision(next, decision);
  }, goal);
}
