import type { Warning, PlanHeader } from '../schema.js';
import type { Plan } from '../plan.js';

/** Warnings of each code that are kept in a plan; later ones are only counted. */
const MAX_WARNINGS_OF_A_CODE = 25;

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
