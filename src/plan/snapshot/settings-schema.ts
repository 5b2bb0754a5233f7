import * as z from 'zod';

import { ASSESS_MODES, EXPANDERS, EXPANSION_ORDERS, PROMPT_VARIANTS } from '../choices.js';

const count = z.int().nonnegative();

export const budgetSchema = z
  .looseObject({
    calls: count.optional(),
    tokens: count.optional(),
    usd: z.number().nonnegative().optional(),
    seconds: z.number().nonnegative().optional(),
  })
  .meta({ title: 'Budget', description: 'Hard limits over the whole life of the plan.' });

const contextFileSchema = z
  .looseObject({ file: z.string(), text: z.string() })
  .meta({ title: 'Context file' });

const rangeSchema = z.looseObject({ low: z.number().nonnegative(), high: z.number().nonnegative() });

/** What planning is expected to use altogether. */
export const estimateSchema = z
  .looseObject({
    calls: rangeSchema,
    tokens: rangeSchema,
    cost_usd: rangeSchema.nullable().describe('null when the price is not known.'),
  })
  .meta({
    title: 'Estimate',
    description: 'What planning was expected to use altogether when it was begun or resumed last.',
  });

/** Who expands the goals of a plan. */
export const expanderSchema = z.enum(EXPANDERS);

export const settingsSchema = z
  .looseObject({
    expander: expanderSchema,
    model: z.string().optional(),
    base_url: z.string().optional(),
    fallback_models: z.array(z.string()).optional(),
    assess: z.enum(ASSESS_MODES),
    order: z.enum(EXPANSION_ORDERS),
    prompt_variant: z.enum(PROMPT_VARIANTS).optional(),
    max_depth: z.int().min(0).max(64),
    max_children: z.int().min(1).max(1000),
    max_goals: z.int().min(1).max(10_000_000),
    concurrency: z.int().min(1).max(1000),
    budget: budgetSchema.optional(),
    context: z.array(contextFileSchema).optional(),
    link: z
      .boolean()
      .optional()
      .describe('Whether planning asks at its end which leaves need each other; true when left out.'),
    triage: z
      .boolean()
      .optional()
      .describe('Whether planning asks first which goals of the document are work; false when left out.'),
    estimate: estimateSchema.optional(),
    given: z
      .array(z.string())
      .optional()
      .describe(
        'Names of the settings given as flags when the plan was made, and `max_children` where anybody set it.',
      ),
  })
  .meta({ title: 'Settings', description: 'What the plan was started with; `plan resume` goes on with it.' });
