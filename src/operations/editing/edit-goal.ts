import * as z from 'zod';

import { PlanError } from '../../kernel/errors.js';
import type { PayloadOf } from '../../plan/events.js';
import { defineOperation } from '../operation.js';
import { field, goalArgument, text, texts } from '../shared/fields.js';
import type { Goal } from '../../plan/schema.js';
import { nodeNamedBy } from '../../plan/readiness/touches.js';
import { givenChecks, givenTouches } from './given-work.js';
import { goalToChange } from '../shared/find-to-change.js';
import { changeFields, detailFields } from './change-fields.js';
import { changeGoals, changeReportSchema } from './change-goals.js';
import { givenPriority, givenReason, givenTexts, optionalText } from './goal-texts.js';

const inputSchema = z.strictObject({
  goal: goalArgument(),
  words: text('what to accomplish, with or without quotes', 'words', { words: true }),
  description: text('what to accomplish'),
  ...detailFields(),
  acceptance: texts('what must hold for it to be done, in place of what it has'),
  tags: texts('its tags, in place of those it has', 'tag', { flag: 'tag' }),
  clear: field(
    z
      .array(z.enum(['detail', 'acceptance', 'tags', 'priority', 'touches', 'checks']))
      .readonly()
      .optional(),
    'fields to clear',
    { value: 'field' },
  ),
  ...changeFields(),
});

/**
 * Changes the words of a goal that is not finished.
 * @throws PlanError USAGE when nothing is to change, INVALID_INPUT, GOAL_NOT_FOUND, REFUSED
 */
export const editGoal = defineOperation({
  arguments: ['goal', 'words'],
  input: inputSchema,
  output: changeReportSchema,
  examples: [
    'plan edit 1.2 "Ship the beta"',
    'plan edit 1.2 --priority high --tag api',
    'plan edit 1.2 --clear detail tags',
  ],
  mutates: true,
  async run(context, input) {
    const fields = fieldsOf({ ...input, description: newWords(input) });
    if (Object.keys(fields).length === 0) {
      throw new PlanError('USAGE', 'no change is given', {
        hint: [
          {
            commandLine:
              'Give new words, --detail, --acceptance, --tag, --priority, --touches, --check or --clear.',
            tools: 'Give description, acceptance, or both.',
          },
        ],
      });
    }
    const { log, goal } = await goalToChange(context, input.goal, input);
    const payload = {
      type: 'goal_edited' as const,
      goal: goal.id,
      fields: { ...fields, ...nodeAfter(goal, fields) },
      ...givenReason(input.because),
    };
    return changeGoals(context, log, payload, input);
  },
});

/** The words as they stand after the goal, or with the option. @throws PlanError USAGE */
function newWords({ words, description }: z.output<typeof inputSchema>): string | undefined {
  if (words === undefined || description === undefined) return words ?? description;
  throw new PlanError('USAGE', 'the new words are given twice', {
    hint: { commandLine: 'Leave --description out.' },
  });
}

function fieldsOf(input: z.output<typeof inputSchema>): PayloadOf<'goal_edited'>['fields'] {
  const given = {
    description: optionalText('description', input.description),
    detail: optionalText('detail', input.detail),
    acceptance: givenTexts('acceptance', input.acceptance),
    tags: givenTexts('tag', input.tags),
    priority: givenPriority(input.priority),
    touches: givenTouches(input.touches),
    checks: givenChecks(input.checks),
  };
  const set = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
  const clear = input.clear ?? [];
  const both = clear.find((field) => field in set);
  if (both !== undefined) throw new PlanError('USAGE', `${both} cannot be both given and cleared`);
  return { ...set, ...Object.fromEntries(clear.map((field) => [field, null])) };
}

/** The node of a goal of which what it touches changes: the first area of that, or none where an area had named it. */
function nodeAfter(
  { touches: before = [], graph_node_id: node }: Goal,
  { touches }: PayloadOf<'goal_edited'>['fields'],
): { readonly graph_node_id?: string | null } {
  if (touches === undefined) return {};
  const wasNamed = node !== null && before.includes(`area:${node}`);
  return { ...(wasNamed ? { graph_node_id: null } : {}), ...nodeNamedBy(touches ?? []) };
}
