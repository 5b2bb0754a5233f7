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
    usage: addUsage(goal.usage ?? NO_USAGE, withoutCalls(usage)),
  };
}

/** Adds what an event cost and what it warns of. */
export function spend(
  plan: Plan,
  event: { usage?: Usage | undefined; warnings?: Warning[] | undefined },
): Plan {
  const warned = addWarnings(plan, event.warnings);
  if (event.usage === undefined) return warned;
  const { calls, ...others } = warned.header;
  const counted = new Set(event.usage.begun);
  const left = calls?.filter(({ id }) => !counted.has(id)) ?? [];
  const header: PlanHeader = {
    ...others,
    ...(left.length > 0 ? { calls: left } : {}),
    usage: addUsage(others.usage ?? NO_USAGE, withoutCalls(event.usage)),
    total_tokens: others.total_tokens + tokensOfUsage(event.usage),
  };
  return { ...warned, header };
}

/** Which calls it was is of no use once it is counted. */
function withoutCalls({ begun: _counted, ...usage }: Usage): Usage {
  return usage;
}
