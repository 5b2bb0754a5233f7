import * as z from 'zod';

import { PlanError } from '../../kernel/errors.js';
import { usageWithBegun } from '../../plan/plan.js';
import { EXPANDERS } from '../../plan/choices.js';
import { summarySchema, usageSchema } from '../../plan/schema.js';
import { createMemoryStore } from '../../storage/memory/memory-store.js';
import type { Context } from '../shared/context.js';
import { choosePlanning } from './choose-planning.js';
import type { PlanningFlags } from './choose-planning.js';
import { readPlan } from '../shared/find-plan.js';
import { draftPlan } from './init-plan.js';
import { estimateSchema } from './init/init-report.js';
import { estimateFor } from './planning-estimate.js';
import { planningFields, planningFlags } from './planning-fields.js';
import { defineOperation } from '../operation.js';
import { field, planOption, text, texts } from '../shared/fields.js';
import { summaryNow } from '../shared/summary-now.js';

const inputSchema = z.strictObject({
  goal: text('what to accomplish (default: what --plan has left to plan)', 'goal'),
  from: text('a Markdown document to plan from; - reads standard input', 'file'),
  text: field(z.string().optional(), 'what such a document would hold', { textOf: 'from' }),
  context: texts('files that tell the model about the project; - reads standard input', 'file'),
  contextText: field(z.string().optional(), 'what such a file would hold', { textOf: 'context' }),
  plan: planOption(),
  ...planningFields(),
});

type EstimateInput = Pick<
  z.output<typeof inputSchema>,
  'goal' | 'from' | 'text' | 'context' | 'contextText' | 'plan'
>;

/**
 * What planning would take: of a goal or document that is no plan yet, or of resuming one. Nothing is asked and nothing
 * is written.
 * @throws PlanError PLAN_NOT_FOUND, and what `init` throws before it asks anything
 */
export const estimatePlan = defineOperation({
  arguments: ['goal'],
  input: inputSchema,
  output: z.object({
    plan: summarySchema
      .nullable()
      .describe('The plan that would be resumed; null where a new one would be made.'),
    expander: z.enum(EXPANDERS),
    model: z.string().nullable(),
    estimate: estimateSchema,
    spent: usageSchema.describe('What the plan has used so far.'),
  }),
  examples: [
    'plan estimate',
    'plan estimate "Build a REST API"',
    'plan estimate --from PRD.md --model gpt-4.1',
  ],
  mutates: false,
  async run(context, input) {
    const fresh = input.goal !== undefined || input.from !== undefined;
    if (input.plan !== undefined && fresh)
      throw new PlanError('USAGE', 'name a plan, or say what to plan, not both');
    const flags = planningFlags(input);
    const { plan, choice } = fresh
      ? await newPlan(context, input, flags)
      : await knownPlan(context, input, flags);
    const { settings } = choice;
    return {
      plan: fresh ? null : summaryNow(context, plan),
      expander: settings.expander,
      model: settings.expander === 'model' ? (settings.model ?? null) : null,
      estimate: await estimateFor(context, choice, plan),
      spent: usageWithBegun(plan.header),
    };
  },
});

async function knownPlan(context: Context, { plan: name }: EstimateInput, flags: PlanningFlags) {
  const plan = await readPlan(context, name);
  return { plan, choice: await choosePlanning(context, flags, { plan }) };
}

async function newPlan(
  context: Context,
  { goal, from, text: given, context: files, contextText }: EstimateInput,
  flags: PlanningFlags,
) {
  const { choice, first, outline } = await draftPlan(context, {
    ...flags,
    goal,
    from,
    text: given,
    context: files,
    contextText,
  });
  const store = createMemoryStore(context.stamp);
  return { plan: (await store.create(first, outline)).plan, choice };
}
