import type { TreeView } from '../../../exports/drawn-tree.js';
import type { Plan } from '../../../plan/plan.js';
import type { Expander } from '../../../planning/expander.js';
import type { PlanningEstimate } from '../../../planning/estimate.js';
import type { PlanLog } from '../../../storage/plan-store.js';
import type { RunContext, StopSignals } from '../../operation.js';
import { timeNow } from '../../shared/environment.js';
import { numberedGoals } from '../../shared/numbered-goals.js';
import type { GoalWithNumber } from '../../shared/numbered-goals.js';
import type { PlanningChoice } from '../choose-planning.js';
import { estimateFor } from '../planning-estimate.js';
import { planningResult } from '../planning-result.js';
import type { Emit, PlanningResult } from '../planning-progress.js';
import { runPlanning } from '../run-planning.js';

/** A plan that was made to be looked at. */
export interface NotStored {
  /** Depth-first. */
  readonly goals: readonly GoalWithNumber[];
  /** What a model would still take. */
  readonly estimate: PlanningEstimate;
  /** The tree for a terminal. */
  draw(this: void, view: TreeView): Promise<string>;
}

interface Trying extends StopSignals {
  readonly choice: PlanningChoice;
  /** A log in memory. */
  readonly log: PlanLog;
  readonly expander: Expander | null;
  readonly emit: Emit;
}

/** Plans in memory what costs nothing: a model is not paid for what is thrown away, so of it there is an estimate. */
export async function planNotStored(
  context: RunContext,
  { choice, log, expander, ...rest }: Trying,
): Promise<PlanningResult & { readonly dry: NotStored }> {
  const { settings } = choice;
  const result =
    expander === null || settings.expander === 'model'
      ? planningResult(context, log.plan, null)
      : await runPlanning(context, { log, settings, expander, ...rest });
  return { ...result, dry: await notStored(context, choice, log.plan) };
}

async function notStored(context: RunContext, choice: PlanningChoice, plan: Plan): Promise<NotStored> {
  return {
    goals: numberedGoals(plan, timeNow(context.environment)),
    estimate: await estimateFor(context, choice, plan),
    draw: async (view) => {
      const { drawTree } = await import('../../../exports/drawn-tree.js');
      return drawTree(plan, { at: timeNow(context.environment) }, view);
    },
  };
}
