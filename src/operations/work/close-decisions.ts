import { decisionsInForce, matterKey } from '../../plan/decisions.js';
import type { EventPayload } from '../../plan/events.js';
import type { Result } from '../../plan/events/result.js';
import type { Plan } from '../../plan/plan.js';

/**
 * Returns the events that close open decisions with what was submitted for a goal: `WHAT: CHOICE` closes the one that is
 * called WHAT and holds for the goal. Empty where nothing fits.
 */
export function closedDecisions(
  plan: Plan,
  goalId: string,
  result: Result | undefined,
): readonly EventPayload[] {
  const goal = plan.goals.get(goalId);
  if (goal === undefined) return [];
  const submitted = new Map((result?.decisions ?? []).flatMap((text) => matterAndChoice(text)));
  return decisionsInForce(plan, goal).flatMap(({ decision, holder }): EventPayload[] => {
    const choice = decision.choice === null ? submitted.get(matterKey(decision.what)) : undefined;
    return choice === undefined
      ? []
      : [{ type: 'decision_made', goal: holder.id, what: decision.what, choice }];
  });
}

function matterAndChoice(text: string): readonly (readonly [string, string])[] {
  const at = text.indexOf(':');
  const choice = text.slice(at + 1).trim();
  return at < 1 || choice === '' ? [] : [[matterKey(text.slice(0, at)), choice]];
}
