import * as z from 'zod';

import { normalPhrase } from './goal-words.js';
import { groupNames } from './word-groups.js';

const name = z
  .string()
  .regex(/^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/, 'must be lower-case words joined by hyphens')
  .max(60);
const text = z.string().trim().min(1).max(500);
const slotName = z
  .string()
  .regex(/^[a-z][a-z_]*$/, 'must be lower-case letters and underscores')
  .max(30);
const word = z
  .string()
  .max(60)
  .refine((value) => (value.startsWith('~') ? groupNames.includes(value) : normalPhrase(value).length > 0), {
    error: `must hold a word, or be one of the groups ${groupNames.join(', ')}`,
  });
const group = z.array(word).min(1).max(200);

const patternSchema = z.strictObject({
  verbs: group.describe('The goal must begin with one of these, in any form.'),
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
});

const slotSchema = z.strictObject({
  after: group.describe('The prepositions that the text of the slot follows.'),
  list: z.boolean().default(false).describe('Whether the text is a list: "A, B and C".'),
  except: z.array(word).max(200).default([]).describe('Items that a list leaves out.'),
  default: text.optional().describe('What stands for the slot when the goal does not fill it.'),
});

const subGoalSchema = z.strictObject({
  id: name.describe('What other sub-goals call it in `after`.'),
  do: text.describe('The description; {slot} stands for the text of a slot.'),
  after: z.array(name).default([]).describe('Ids of earlier sub-goals that must be complete before.'),
  expand: z.boolean().default(false).describe('Whether it may have sub-goals of its own.'),
  if: slotName.optional().describe('A slot; without it in the goal the sub-goal is left out.'),
  each: slotName.optional().describe('A list slot; there is one sub-goal for each of its items.'),
});

/** A method file: which goals it fits and which sub-goals it gives them. */
export const methodSchema = z
  .strictObject({
    name: name.describe('Unique; a method of a project replaces the built-in one of the same name.'),
    title: text,
    reasoning: text.describe('Why a goal is divided in this way, in a sentence.'),
    fits: z.array(patternSchema).min(1).max(20).describe('The goal must fit one of these.'),
    slots: z.record(slotName, slotSchema).default({}),
    sub_goals: z.array(subGoalSchema).min(2).max(7).describe('In order of work.'),
  })
  .superRefine((method, context) => {
    for (const [index, subGoal] of method.sub_goals.entries()) {
      const earlier = new Set(method.sub_goals.slice(0, index).map(({ id }) => id));
      const report = (field: string, message: string): void =>
        context.addIssue({ code: 'custom', path: ['sub_goals', index, field], message });
      if (earlier.has(subGoal.id)) report('id', `"${subGoal.id}" is used twice`);
      for (const id of subGoal.after) {
        if (!earlier.has(id)) report('after', `no earlier sub-goal has the id "${id}"`);
      }
      checkSlots(method.slots, subGoal, report);
    }
  })
  .meta({
    title: 'Method',
    description: 'How the built-in planner divides one kind of goal.',
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
    ],
  });

export type MethodFile = z.infer<typeof methodSchema>;

type Report = (field: string, message: string) => void;

function checkSlots(
  slots: MethodFile['slots'],
  subGoal: MethodFile['sub_goals'][number],
  report: Report,
): void {
  for (const field of ['if', 'each'] as const) {
    const slot = subGoal[field];
    if (slot !== undefined && !Object.hasOwn(slots, slot)) report(field, `no slot is named "${slot}"`);
  }
  if (subGoal.each !== undefined && slots[subGoal.each]?.list === false) {
    report('each', `the slot "${subGoal.each}" is no list`);
  }
  for (const [, slot = ''] of subGoal.do.matchAll(/\{([^{}]*)\}/g)) {
    const declared = Object.hasOwn(slots, slot) ? slots[slot] : undefined;
    if (declared === undefined) report('do', `no slot is named "${slot}"`);
    else if (declared.default === undefined && ![subGoal.if, subGoal.each].includes(slot)) {
      report('do', `the slot "${slot}" needs a default, or the sub-goal an "if: ${slot}"`);
    }
  }
}
