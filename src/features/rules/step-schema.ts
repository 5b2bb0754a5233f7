import * as z from 'zod';

/** The name of a slot of a method. */
export const slotName = z
  .string()
  .regex(/^[a-z][a-z_]*$/, 'must be lower-case letters and underscores')
  .max(30);
const stepId = z
  .string()
  .regex(/^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/, 'must be lower-case words joined by hyphens')
  .max(60);
const text = z.string().trim().min(1).max(500);
const tool = z.string().trim().min(1).max(200);
const args = z
  .record(z.string().max(200), z.json())
  .describe('A text that is one {slot} takes the slot’s value; within other text {slot} is its words.');
const checks = z
  .array(z.strictObject({ type: text, args, description: text.optional() }))
  .min(1)
  .max(20)
  .describe('What must hold after the step.');
const wait = z.enum(['none', 'dom_ready', 'idle']).describe('What a browser waits for after the step.');

/** A step that a method gives to the goals it fits. */
export const methodStepSchema = z.strictObject({
  id: stepId.describe('What other steps call it in `after`.'),
  tool: tool.describe('The tool that carries it out.'),
  args: args.default({}),
  title: text.optional().describe('What people see of the step.'),
  after: z.array(stepId).default([]).describe('Ids of earlier steps that must have succeeded before.'),
  if: slotName.optional().describe('A slot; without it in the goal the step is left out.'),
  wait: wait.optional(),
  timeout_ms: z.int().positive().max(86_400_000).optional(),
  verifications: checks.optional(),
  requires_approval: z.boolean().optional().describe('Whether a person must agree before it runs.'),
  idempotent: z.boolean().optional().describe('Whether running it again does no harm.'),
});

/** What a method changes in the step before, instead of having steps of its own. */
export const amendmentSchema = z.strictObject({
  tool: tool.optional().describe('The tool that the step before must have; any when it is left out.'),
  title: text.optional().describe('The new title; {title} stands for the one before.'),
  args: args.optional(),
  wait: wait.optional(),
  verifications: checks.optional().describe('What must hold besides.'),
  drop_verifications: z.boolean().default(false).describe('Whether what had to hold so far need not.'),
});

/** In the arguments of a step, the id of the step before it in the method. */
export const STEP_BEFORE = 'step_before';

/** A value of arguments: any JSON. */
export type Json = z.infer<ReturnType<typeof z.json>>;
export type MethodStep = z.infer<typeof methodStepSchema>;
export type Amendment = z.infer<typeof amendmentSchema>;
/** A condition that must hold after a step. */
export type StepCheck = NonNullable<MethodStep['verifications']>[number];

/** Every `{slot}` in the texts of a step, as its schema has them, keys of objects excepted. */
export function slotsIn(value: Json): readonly string[] {
  if (typeof value === 'string')
    return [...value.matchAll(/\{([a-z][a-z_]*)\}/g)].map(([, slot = '']) => slot);
  if (typeof value !== 'object' || value === null) return [];
  return (Array.isArray(value) ? value : Object.values(value)).flatMap(slotsIn);
}
