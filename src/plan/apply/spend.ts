import type { Warning, Goal, PlanHeader, Usage } from '../schema.js';
import { addUsage, NO_USAGE, tokensOfUsage } from '../plan.js';
import type { Plan } from '../plan.js';
import { addWarnings } from './warnings.js';

/** A goal with what was spent on it added. */
export function withGoalSpend(goal: Goal, usage: Usage | undefined): Goal {
  if (usage === undefined || usage.calls === 0) return goal;
  return {
    ...goal,
    tokens_used: goal.tokens_used + tokensOfUsage(usage),
    usage: addUsage(goal.usage ?? NO_USAGE, usage),
  };
}

/** Adds what an event cost and what it warns of. */
export function spend(
  plan: Plan,
  event: { usage?: Usage | undefined; warnings?: Warning[] | undefined },
): Plan {
  const warned = addWarnings(plan, event.warnings);
  if (event.usage === undefined) return warned;
  const header: PlanHeader = {
    ...warned.header,
    usage: addUsage(warned.header.usage ?? NO_USAGE, event.usage),
    total_tokens: warned.header.total_tokens + tokensOfUsage(event.usage),
  };
  return { ...warned, header };
}
