import type { PlanError } from '../../kernel/errors.js';
import { summarize } from '../../plan/plan.js';
import type { Plan } from '../../plan/plan.js';
import type { PlanningResult } from './planning-run.js';

/** The result for a plan and the reason why planning stopped. */
export function planningResult(plan: Plan, stopped: PlanError | null): PlanningResult {
  return { plan: summarize(plan), warnings: [], stopped };
}
