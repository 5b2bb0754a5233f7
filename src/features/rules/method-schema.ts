import * as z from 'zod';

import { amendmentSchema, methodStepSchema, slotName, slotsIn, STEP_BEFORE } from './step-schema.js';
import type { Json } from './step-schema.js';
import { groupNames } from './clauses/word-groups.js';

const name = z
  .string()
  .regex(/^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/, 'must be lower-case words joined by hyphens')
  .max(60);
const text = z.string().trim().min(1).max(500);
const HAS_WORD = /[\p{L}\p{N}]/u;
const word = z
  .string()
  .max(60)
  .refine((value) => (value.startsWith('~') ? groupNames.includes(value) : HAS_WORD.test(value)), {
    error: `must hold a word, or be one of the groups ${groupNames.join(', ')}`,
  });
const group = z.array(word).min(1).max(200);

const patternSchema = z
  .strictObject({
    verbs: z
      .array(word)
      .max(200)
      .default([])
      .describe(
        'The goal must begin with one of these, in any form; without verbs, with none of its own: a name, a complaint.',
      ),
    object: z
      .array(group)
      .max(10)
      .default([])
      .describe(
        'One word of each group must stand in what the verb is done to, before the first preposition; one of them last.',
      ),
    anywhere: z
      .array(group)
      .max(10)
      .default([])
      .describe('One word of each group must stand anywhere in the goal.'),
    none: z.array(word).max(200).default([]).describe('None of these may stand anywhere in the goal.'),
  })
  .refine(({ verbs, anywhere }) => verbs.length + anywhere.length > 0, {
    error: 'must hold verbs or anywhere',
  });

/** How the text of a slot is read; see docs/writing-methods.md. */
const readingSchema = z.enum(['text', 'url', 'element', 'part', 'milliseconds', 'pixels', 'pixels_up']);

const slotSchema = z.strictObject({
  after: z
    .array(word)
    .max(200)
    .default([])
    .describe('The prepositions that the text of the slot follows; with steps, any words.'),
  object: z.boolean().default(false).describe('With steps: whether the text may stand right after the verb.'),
  before: z.array(word).max(200).default([]).describe('With steps: words that the text must end before.'),
  as: readingSchema.default('text').describe('With steps: how the text is read.'),
  role: z
    .string()
    .regex(/^[a-z]+$/)
    .max(30)
    .optional()
    .describe('With `as: element`: the ARIA role of an element whose kind is not named.'),
  tools: z
    .boolean()
    .default(false)
    .describe(
      'With sub-goals: takes what the work is to be done with ("with Stripe", "using Go") and nothing else.',
    ),
  time: z
    .boolean()
    .default(false)
    .describe(
      'With sub-goals: takes a day or a span of time ("by Friday", "in two weeks"), which no other slot takes.',
    ),
  list: z.boolean().default(false).describe('Whether the text is a list: "A, B and C".'),
  except: z
    .array(word)
    .max(200)
    .default([])
    .describe('Items that a list leaves out; with steps, what the text must not be.'),
  default: text.optional().describe('What stands for the slot when the goal does not fill it.'),
});

const subGoalSchema = z.strictObject({
  id: name.describe('What other sub-goals call it in `after`.'),
  do: text.describe(
    'The description; {slot} stands for the text of a slot, {thing} for what the goal is about; [ for {slot}] is left out when it is not filled.',
  ),
  after: z.array(name).default([]).describe('Ids of earlier sub-goals that must be complete before.'),
  expand: z.boolean().default(false).describe('Whether it may have sub-goals of its own.'),
  if: slotName.optional().describe('A slot; without it in the goal the sub-goal is left out.'),
  each: slotName.optional().describe('A list slot; there is one sub-goal for each of its items.'),
  when: group.optional().describe('Words; unless one of them stands in the goal the sub-goal is left out.'),
});

/** A part of a template in square brackets that is left out when a slot in it is not filled. */
export const OPTIONAL_PART = /\[([^[\]{]*\{[^[\]]*)\]/g;
/** A slot that every method has: what the goal is about, as one speaks of it afterwards ("the online shop"). */
export const THING = 'thing';

const settingSchema = z
  .enum(['browser'])
  .describe('Where its steps are at home: `browser` methods read the clauses of a browser request alone.');

/** A method file: which goals it fits, and the sub-goals or steps it gives them. */
export const methodSchema = z
  .strictObject({
    name: name.describe('Unique; a method of a project replaces the built-in one of the same name.'),
    title: text,
    reasoning: text.describe('Why a goal is divided in this way, in a sentence.'),
    setting: settingSchema.optional(),
    fits: z.array(patternSchema).min(1).max(20).describe('The goal must fit one of these.'),
    slots: z.record(slotName, slotSchema).default({}),
    sub_goals: z.array(subGoalSchema).min(2).max(7).optional().describe('In order of work.'),
    steps: z
      .array(methodStepSchema)
      .min(1)
      .max(50)
      .optional()
      .describe('The steps that carry the goal out, which is atomic then.'),
    amends: amendmentSchema
      .optional()
      .describe('In a browser request: what the clause changes in the step before it.'),
  })
  .superRefine((method, context) => {
    const report: Report = (path, message) => context.addIssue({ code: 'custom', path: [...path], message });
    const given = [method.sub_goals, method.steps, method.amends].filter((kind) => kind !== undefined);
    if (given.length !== 1) report([], 'must hold one of sub_goals, steps and amends');
    if (method.amends !== undefined && method.setting === undefined)
      report(['amends'], 'needs `setting: browser`');
    checkSlotKinds(method, report);
    checkSubGoals(method, report);
    checkSteps(method, report);
  })
  .meta({
    title: 'Method',
    description: 'How the built-in planner divides one kind of goal, or carries it out.',
    oneOf: [{ required: ['sub_goals'] }, { required: ['steps'] }, { required: ['amends'] }],
    examples: [
      {
        name: 'newsletter',
        title: 'Newsletter',
        reasoning: 'Copy and layout can be made side by side; sending waits for both.',
        fits: [{ verbs: ['write', 'send'], object: [['newsletter']] }],
        slots: { topic: { after: ['about', 'on'], default: 'this month' } },
        sub_goals: [
          { id: 'copy', do: 'Write the copy about {topic}' },
          { id: 'layout', do: 'Lay out the template' },
          { id: 'send', do: 'Send the issue to the list', after: ['copy', 'layout'] },
        ],
      },
      {
        name: 'restart-service',
        title: 'Restart a service',
        reasoning: 'The service manager restarts it, and its health tells whether that worked.',
        fits: [{ verbs: ['restart'], object: [['service']] }],
        slots: { host: { after: ['on'], default: 'localhost' } },
        steps: [
          { id: 'restart', tool: 'service.restart', args: { host: '{host}' }, requires_approval: true },
          { id: 'check', tool: 'service.health', args: { host: '{host}' }, after: ['restart'] },
        ],
      },
    ],
  });

export type MethodFile = z.infer<typeof methodSchema>;
export type SlotFile = MethodFile['slots'][string];

type Report = (path: readonly (string | number)[], message: string) => void;

function checkSlotKinds({ slots, sub_goals: subGoals }: MethodFile, report: Report): void {
  for (const [slot, file] of Object.entries(slots)) {
    const path = ['slots', slot] as const;
    const forSteps = file.object || file.before.length > 0 || file.as !== 'text' || file.role !== undefined;
    if (subGoals !== undefined && forSteps) report(path, 'object, before, as and role go with steps alone');
    if (subGoals === undefined && file.list) report(path, 'list goes with sub_goals alone');
    if (file.after.length === 0 && !file.object) report([...path, 'after'], 'must name a word');
    if (file.role !== undefined && file.as !== 'element') report([...path, 'role'], 'needs `as: element`');
  }
  if (Object.values(slots).filter(({ object }) => object).length > 1)
    report(['slots'], 'only one slot may be the object');
}

function checkSubGoals({ slots, sub_goals: subGoals = [] }: MethodFile, report: Report): void {
  for (const [index, subGoal] of subGoals.entries()) {
    const tell = (field: string, message: string): void => report(['sub_goals', index, field], message);
    checkOrder(subGoal, subGoals.slice(0, index), 'sub-goal', tell);
    for (const field of ['if', 'each'] as const) {
      const slot = subGoal[field];
      if (slot !== undefined && !Object.hasOwn(slots, slot)) tell(field, `no slot is named "${slot}"`);
    }
    if (subGoal.each !== undefined && slots[subGoal.each]?.list === false) {
      tell('each', `the slot "${subGoal.each}" is not a list`);
    }
    for (const [, slot = ''] of subGoal.do.matchAll(/\{([^{}]*)\}/g)) {
      const declared = Object.hasOwn(slots, slot) ? slots[slot] : undefined;
      if (slot === THING && declared === undefined) continue;
      const isOptional = !subGoal.do.replaceAll(OPTIONAL_PART, '').includes(`{${slot}}`);
      if (isOptional && declared !== undefined) continue;
      if (declared === undefined) tell('do', `no slot is named "${slot}"`);
      else if (declared.default === undefined && ![subGoal.if, subGoal.each].includes(slot)) {
        tell('do', `the slot "${slot}" needs a default, or the sub-goal an "if: ${slot}"`);
      }
    }
  }
}

function checkSteps({ slots, steps = [], amends }: MethodFile, report: Report): void {
  for (const [index, step] of steps.entries()) {
    const tell = (field: string, message: string): void => report(['steps', index, field], message);
    checkOrder(step, steps.slice(0, index), 'step', tell);
    if (step.if !== undefined && !Object.hasOwn(slots, step.if)) tell('if', `no slot is named "${step.if}"`);
    const path = ['steps', index];
    checkTemplates([step.title ?? '', jsonOf(step.verifications)], slots, report, path);
    checkTemplates([step.args], index === 0 ? slots : { ...slots, [STEP_BEFORE]: null }, report, path);
  }
  if (amends === undefined) return;
  const texts = [amends.title ?? '', amends.args ?? {}, jsonOf(amends.verifications)];
  checkTemplates(texts, { ...slots, title: undefined }, report, ['amends']);
}

function checkOrder(
  { id, after }: { readonly id: string; readonly after: readonly string[] },
  before: readonly { readonly id: string }[],
  what: string,
  tell: (field: string, message: string) => void,
): void {
  const earlier = new Set(before.map((one) => one.id));
  if (earlier.has(id)) tell('id', `"${id}" is used twice`);
  for (const one of after) if (!earlier.has(one)) tell('after', `no earlier ${what} has the id "${one}"`);
}

function checkTemplates(
  texts: readonly Json[],
  slots: Readonly<Record<string, unknown>>,
  report: Report,
  path: readonly (string | number)[],
): void {
  for (const slot of texts.flatMap(slotsIn))
    if (!Object.hasOwn(slots, slot)) report(path, `no slot is named "${slot}"`);
}

function jsonOf(checks: readonly { readonly args: Readonly<Record<string, Json>> }[] = []): Json {
  return checks.map(({ args }) => ({ ...args }));
}
