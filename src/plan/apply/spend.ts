import type { Warning, Goal, PlanHeader, Usage } from '../schema.js';
import { addUsage, NO_USAGE, tokensOf } from '../plan.js';
import type { Plan } from '../plan.js';

/** Warnings of each code that are kept in a plan; later ones are only counted. */
const MAX_WARNINGS_OF_A_CODE = 25;

/** A goal with what was spent on it added. */
export function withUsage(goal: Goal, usage: Usage | undefined): Goal {
  if (usage === undefined || usage.calls === 0) return goal;
  return {
    ...goal,
    tokens_used: goal.tokens_used + tokensOf(usage),
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
    total_tokens: warned.header.total_tokens + tokensOf(event.usage),
  };
  return { ...warned, header };
}

/** Adds warnings to a plan, up to so many of a kind. */
export function addWarnings(plan: Plan, warnings: readonly Warning[] | undefined): Plan {
  if (warnings === undefined || warnings.length === 0) return plan;
  const kept = [...(plan.header.warnings ?? [])];
  let dropped = plan.header.warnings_dropped ?? 0;
  for (const warning of warnings) {
    if (kept.filter(({ code }) => code === warning.code).length < MAX_WARNINGS_OF_A_CODE) kept.push(warning);
    else dropped += 1;
  }
  const header: PlanHeader = {
    ...plan.header,
    warnings: kept,
    ...(dropped > 0 ? { warnings_dropped: dropped } : {}),
  };
  return { ...plan, header };
}
