import * as z from 'zod';

import { frctl } from '../dialects/frctl.js';
import type { JsonObject } from '../../../kernel/json/json-value.js';
import { legibleLine } from '../../../kernel/text/legible.js';
import { previewText } from '../model/preview.js';
import { redactedDocument } from '../model/redact.js';
import { defineOperation } from '../../../operations/operation.js';
import { choice, field } from '../../../operations/shared/fields.js';
import { dialectOption, dialectSchema, standardInput } from './plan-fields.js';
import { readActionPlanFile } from './read-action-plan-file.js';

const documentSchema = z.object({
  file: z.string().describe('As it was named.'),
  dialect: dialectSchema,
  action_plan: z
    .record(z.string(), z.unknown())
    .describe('The plan in frctl’s own form (action-plan-v1), its secrets left out.'),
});

const inputSchema = z.strictObject({
  plan: field(z.string(), 'id of an action plan, a path, or - for standard input', { value: 'action-plan' }),
  input: standardInput('plan'),
  detail: choice(['normal', 'verbose', 'quiet'], 'how much the text of the plan says', { hidden: true }),
  format: choice(['text', 'toon'], 'how that text is written: for people, or as TOON for a model', {
    hidden: true,
  }),
  dialect: dialectOption(),
});

/**
 * What a person sees of an action plan of any dialect before it runs.
 * @throws PlanError FILE_NOT_FOUND, INVALID_INPUT with line and column, UNSUPPORTED_VERSION, STORE_NOT_FOUND
 */
export const previewActionPlan = defineOperation({
  arguments: ['plan'],
  input: inputSchema,
  output: documentSchema,
  examples: ['plan preview ap-k3f9x2w8m1', 'plan preview recover.json --verbose'],
  mutates: false,
  async run(context, input) {
    const { plan: file, input: text, dialect } = input;
    const read = await readActionPlanFile(context, { file, input: text, dialect });
    const action_plan = redactedDocument(frctl.write(read.plan, null));
    return {
      file: input.plan,
      dialect: read.dialect,
      action_plan,
      text: input.format === 'toon' ? await toonOf(action_plan) : previewText(read.plan, input.detail),
    };
  },
  document: ({ text: _forPeople, ...document }) => document,
});

async function toonOf(plan: JsonObject): Promise<string> {
  const { encode } = await import('@toon-format/toon');
  return `${encode(JSON.parse(JSON.stringify(plan)))
    .split('\n')
    .map(legibleLine)
    .join('\n')}\n`;
}
