import { usageWithBegun } from '../../plan/plan.js';
import type { Plan } from '../../plan/plan.js';
import type { Estimate } from '../../plan/schema.js';
import type { OtherPlans, Range } from '../../planning/growth.js';
import type { PlanningEstimate } from '../../planning/estimate.js';
import type { Context } from '../shared/context.js';
import type { PlanningChoice } from './choose-planning.js';
import { DEFAULT_BASE_URL } from '../settings/settings.js';

/**
 * What planning is expected to take altogether, for a plan that is about to be planned by a model; null where none
 * plans, or it cannot be told: an estimate is never worth failing for.
 */
export async function expectedUse(
  context: Context,
  choice: PlanningChoice,
  plan: Plan,
): Promise<Estimate | null> {
  if (choice.settings.expander !== 'model') return null;
  try {
    const { calls, input_tokens, output_tokens, cost_usd } = await estimateFor(context, choice, plan);
    const spent = usageWithBegun(plan.header);
    const tokens = spent.input_tokens + spent.output_tokens;
    return {
      calls: beyond(calls, spent.calls),
      tokens: {
        low: tokens + input_tokens.low + output_tokens.low,
        high: tokens + input_tokens.high + output_tokens.high,
      },
      cost_usd: cost_usd === null || spent.cost_usd === null ? null : beyond(cost_usd, spent.cost_usd),
    };
  } catch {
    return null;
  }
}

function beyond({ low, high }: Range, spent: number): { low: number; high: number } {
  return { low: spent + low, high: spent + high };
}

/** What planning takes from here on, as a choice of planning has it; nothing is asked. */
export async function estimateFor(
  context: Context,
  choice: PlanningChoice,
  plan: Plan,
): Promise<PlanningEstimate> {
  const { estimatePlanning, goalsToPlan } = await import('../../planning/estimate.js');
  if (choice.connect === null || choice.settings.expander !== 'model')
    return { ...NOTHING_ASKED, waiting_goals: goalsToPlan(plan, choice.settings).length };
  const { lookUpModel } = await import('../../llm/spend/prices.js');
  const { settings, resolved } = choice;
  const { prompts, promptTokens } = await choice.connect(plan.header.usage, () => undefined);
  const { costOf } = await lookUpModel(
    settings.model ?? '',
    settings.base_url ?? DEFAULT_BASE_URL,
    resolved.prices,
  );
  return estimatePlanning(plan, {
    settings,
    prompts,
    promptTokens,
    costOf,
    maxOutputTokens: resolved.values.max_output_tokens ?? 4096,
    others: await otherPlans(context, plan.header.id),
  });
}

const NO_RANGE = { low: 0, likely: 0, high: 0 };
const NOTHING_ASKED: Omit<PlanningEstimate, 'waiting_goals'> = {
  calls: NO_RANGE,
  input_tokens: NO_RANGE,
  output_tokens: NO_RANGE,
  cost_usd: NO_RANGE,
  assumptions: ['no model is asked'],
};

/** How the plans of the store have grown that a model has planned to the end. */
async function otherPlans(context: Context, except: string): Promise<OtherPlans | null> {
  if (!context.hasStore()) return null;
  const { plans } = await context.store().list();
  const sizes = plans
    .filter(({ id, expander, pending_goals, usage }) => {
      return id !== except && expander === 'model' && pending_goals === 0 && usage.calls > 0;
    })
    .map(({ total_goals, atomic_goals, failed_goals }) => ({
      divided: total_goals - atomic_goals - failed_goals,
      children: total_goals - 1,
    }))
    .filter(({ divided }) => divided > 0);
  if (sizes.length === 0) return null;
  const sum = (of: (size: (typeof sizes)[number]) => number): number =>
    sizes.reduce((all, size) => all + of(size), 0);
  return {
    plans: sizes.length,
    divided: sizes.map(({ divided }) => divided).sort((a, b) => a - b),
    children: sum(({ children }) => children) / sum(({ divided }) => divided),
  };
}
