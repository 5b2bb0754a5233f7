import { criticalPath, waves } from '../../plan/readiness/dependencies.js';
import { summarize } from '../../plan/plan.js';
import type { GoalStatus, Summary } from '../../plan/schema.js';
import { workOrder } from '../../plan/readiness/work-order.js';
import type { Context } from '../shared/context.js';
import { findPlan } from '../shared/find-plan.js';

/** A goal of a wave. */
export interface WaveGoal {
  readonly goal: string;
  readonly number: string;
  readonly description: string;
  readonly status: GoalStatus;
}

export interface WavesReport {
  readonly plan: Summary;
  /** The unfinished leaves: all of a wave can be done in parallel once the waves before it are done. */
  readonly waves: readonly (readonly WaveGoal[])[];
  /** The longest chain of goals that must follow each other: ids, in order. No plan is done in fewer steps. */
  readonly critical_path: readonly string[];
}

/** What can be done in parallel, wave by wave. @throws PlanError PLAN_NOT_FOUND */
export async function planWaves(context: Context, name: string | undefined): Promise<WavesReport> {
  const { plan } = await findPlan(context.store(), name);
  const work = workOrder(plan);
  return {
    plan: summarize(plan),
    waves: waves(plan, work).map((wave) =>
      wave.map(({ goal: { id, description, status }, number }) => ({
        goal: id,
        number,
        description,
        status,
      })),
    ),
    critical_path: criticalPath(plan, work),
  };
}
