import * as z from 'zod';

import { criticalPath, waves } from '../../plan/readiness/dependencies.js';
import type { Plan } from '../../plan/plan.js';
import { goalStatusSchema, summarySchema } from '../../plan/schema.js';
import type { NumberedGoal } from '../../plan/tree.js';
import { splitByTouches, touchesOf } from '../../plan/readiness/touches.js';
import { workOrder } from '../../plan/readiness/work-order.js';
import type { WorkOrder } from '../../plan/readiness/work-order.js';
import { chainLengths, heldWork } from '../../plan/readiness/work-analysis.js';
import { defineOperation } from '../operation.js';
import type { Context } from '../shared/context.js';
import { timeNow } from '../shared/environment.js';
import { planArgument } from '../shared/fields.js';
import { findPlan } from '../shared/find-plan.js';
import { summaryNow } from '../shared/summary-now.js';

const waveGoalSchema = z
  .object({ goal: z.string(), number: z.string(), description: z.string(), status: goalStatusSchema })
  .readonly();

const wavesReportSchema = z
  .object({
    plan: summarySchema,
    waves: z
      .array(z.array(waveGoalSchema).readonly())
      .readonly()
      .describe(
        'The unfinished leaves: all of a wave can be done in parallel once the waves before it are done. Goals that touch the same files are in different waves.',
      ),
    on_hold: z
      .array(waveGoalSchema)
      .readonly()
      .optional()
      .describe(
        'The unfinished leaves that are in no wave, being on hold or behind one that is; missing when there is none.',
      ),
    critical_path: z
      .array(z.string())
      .readonly()
      .describe(
        'The longest chain of goals that must follow each other: ids, in order. No plan is done in fewer steps.',
      ),
  })
  .readonly();

/** A goal of a wave. */
export type WaveGoal = z.output<typeof waveGoalSchema>;
export type WavesReport = z.output<typeof wavesReportSchema>;

/** What can be done in parallel, wave by wave. @throws PlanError PLAN_NOT_FOUND */
export const planWaves = defineOperation({
  arguments: ['plan'],
  input: z.strictObject({ plan: planArgument() }),
  output: wavesReportSchema,
  examples: ['plan waves', 'plan waves 0398 --json'],
  mutates: false,
  run: async (context, { plan }) => wavesOf(context, (await findPlan(context, plan)).plan),
});

function wavesOf(context: Context, plan: Plan): WavesReport {
  const at = timeNow(context.environment);
  const work = workOrder(plan);
  const isHeld = heldWork(work, at);
  const held = work.goals.filter((_goal, index) => work.isOpen[index] === 1 && isHeld?.[index] === 1);
  return {
    plan: summaryNow(context, plan),
    waves: waves(plan, work, isHeld ?? undefined)
      .flatMap((wave) => keptApart(wave, work))
      .map((wave) => wave.map(waveGoal)),
    ...(held.length === 0 ? {} : { on_hold: held.map(waveGoal) }),
    critical_path: criticalPath(plan, work),
  };
}

/** A wave without goals that overlap in what they touch; those that start the longest chains come first. */
function keptApart(wave: readonly NumberedGoal[], work: WorkOrder): readonly (readonly NumberedGoal[])[] {
  if (wave.every(({ goal }) => touchesOf(goal).length === 0)) return [wave];
  const chains = chainLengths(work);
  const chainOf = new Map(work.goals.map(({ goal }, index) => [goal.id, chains[index] ?? 0]));
  const place = new Map(wave.map((one, index) => [one, index]));
  const byChain = wave.toSorted((a, b) => (chainOf.get(b.goal.id) ?? 0) - (chainOf.get(a.goal.id) ?? 0));
  return splitByTouches(byChain).map((part) =>
    part.toSorted((a, b) => (place.get(a) ?? 0) - (place.get(b) ?? 0)),
  );
}

function waveGoal({ goal: { id, description, status }, number }: NumberedGoal): WaveGoal {
  return { goal: id, number, description, status };
}
