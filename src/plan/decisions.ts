import { oneLine } from '../kernel/text/safe-text.js';
import type { Plan } from './plan.js';
import type { Decision, Goal } from './schema.js';
import { ancestors, numberOf } from './tree.js';

/** A decision that holds for a goal, and the goal that it is kept with: the goal itself or one above it. */
export interface DecisionInForce {
  readonly decision: Decision;
  readonly holder: Goal;
}

/** Whether two texts name the same matter: case and white space do not count. */
export function isSameMatter(one: string, other: string): boolean {
  return matterKey(one) === matterKey(other);
}

/** Returns what texts have in common that name the same matter. */
export function matterKey(what: string): string {
  return what.normalize('NFKC').trim().replaceAll(/\s+/g, ' ').toLowerCase();
}

/** Lists what was decided for a goal, from the root down, its own decisions last; the nearest about a matter holds. */
export function decisionsInForce(plan: Plan, goal: Goal): readonly DecisionInForce[] {
  const found = new Map<string, DecisionInForce>();
  for (const holder of [...ancestors(plan, goal), goal])
    for (const decision of holder.decisions ?? []) {
      const key = matterKey(decision.what);
      found.delete(key);
      found.set(key, { decision, holder });
    }
  return [...found.values()];
}

/** Returns a decision as people read it, with what it is: `Decided`, or `Open` where nobody has decided yet. */
export function decisionSaid(
  plan: Plan,
  decision: Decision,
): { readonly is: 'Decided' | 'Open'; readonly text: string } {
  const line = decisionLine(plan, decision);
  const what = oneLine(decision.what);
  if (decision.choice !== null || !line.startsWith(`${what}: (open`)) return { is: 'Decided', text: line };
  const decider = decision.decided_by === undefined ? undefined : plan.goals.get(decision.decided_by);
  return {
    is: 'Open',
    text: decider === undefined ? what : `${what} (decided in ${numberOf(plan, decider)})`,
  };
}

/**
 * Returns a decision in one line: `what: choice`, or `what: (open, decided in 2)`. Where the goal that makes the choice is
 * done, what its digest says was decided follows.
 */
export function decisionLine(plan: Plan, { what, choice, decided_by }: Decision): string {
  if (choice !== null) return `${oneLine(what)}: ${oneLine(choice)}`;
  const decider = decided_by === undefined ? undefined : plan.goals.get(decided_by);
  if (decider === undefined) return `${oneLine(what)}: (open)`;
  const decided = decider.digest?.key_decisions ?? [];
  return decided.length === 0
    ? `${oneLine(what)}: (open, decided in ${numberOf(plan, decider)})`
    : `${oneLine(what)}: decided in ${numberOf(plan, decider)}: ${decided.map(oneLine).join('; ')}`;
}
