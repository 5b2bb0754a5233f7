import type * as z from 'zod';

import type { PlanError } from '../../kernel/errors.js';
import type { Plan } from '../../plan/plan.js';
import type { Context } from '../shared/context.js';
import type { planningReport } from '../shared/report-schemas.js';
import type { PlanningResult } from './planning-progress.js';
import { summaryNow } from '../shared/summary-now.js';

/** The result for a plan and the reason why planning stopped. */
export function planningResult(
  context: Pick<Context, 'environment'>,
  plan: Plan,
  stopped: PlanError | null,
): PlanningResult {
  return { plan: summaryNow(context, plan), warnings: [], stopped };
}

/** What is printed of a result; what stopped it is an error beside that. */
export function planningDocument({ plan, warnings }: PlanningResult): z.output<typeof planningReport> {
  return { plan, warnings };
}
