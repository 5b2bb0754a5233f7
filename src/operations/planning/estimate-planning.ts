import { NO_USAGE, summarize } from '../../plan/plan.js';
import type { Settings, Summary, Usage } from '../../plan/schema.js';
import type { PlanningEstimate } from '../../planning/estimate.js';
import { createMemoryStore } from '../../storage/memory/memory-store.js';
import type { Context } from '../shared/context.js';
import { choosePlanning } from './expanders.js';
import type { PlanningFlags } from './expanders.js';
import { readPlan } from '../shared/find-plan.js';
import { draftPlan } from './init-plan.js';
import type { InitOptions } from './init-plan.js';
import { estimateFor } from './planning-estimate.js';

export interface EstimateOptions extends PlanningFlags, Pick<InitOptions, 'goal' | 'from' | 'context'> {
  /** A plan that is there; the one changed last when neither it nor a goal or document is given. */
  readonly plan?: string | undefined;
}

export interface EstimateReport {
  /** The plan that would be resumed; null where a new one would be made. */
  readonly plan: Summary | null;
  readonly expander: Settings['expander'];
  readonly model: string | null;
  /** What is still to be spent; all of it 0 where no model would be asked. */
  readonly estimate: PlanningEstimate;
  /** What the plan has used so far. */
  readonly spent: Usage;
}

/**
 * What planning would take: of a goal or document that is no plan yet, or of resuming one. Nothing is asked and nothing
 * is written.
 * @throws PlanError PLAN_NOT_FOUND, and what `init` throws before it asks anything
 */
export async function estimatePlan(context: Context, options: EstimateOptions): Promise<EstimateReport> {
  const fresh = options.goal !== undefined || options.from !== undefined;
  const { plan, choice } = fresh ? await newPlan(context, options) : await knownPlan(context, options);
  const { settings } = choice;
  return {
    plan: fresh ? null : summarize(plan),
    expander: settings.expander,
    model: settings.expander === 'model' ? (settings.model ?? null) : null,
    estimate: await estimateFor(context, choice, plan),
    spent: plan.header.usage ?? NO_USAGE,
  };
}

async function knownPlan(context: Context, options: EstimateOptions) {
  const plan = await readPlan(context.store(), options.plan);
  return { plan, choice: await choosePlanning(context, options, { plan }) };
}

async function newPlan(context: Context, options: EstimateOptions) {
  const { choice, first, outline } = await draftPlan(context, options);
  const store = createMemoryStore(context.stamp);
  return { plan: (await store.create(first, outline)).plan, choice };
}
