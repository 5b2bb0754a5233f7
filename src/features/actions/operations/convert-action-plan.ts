import * as z from 'zod';

import { convertActionPlan } from '../convert/convert-action-plan.js';
import { LOSS_KINDS } from '../convert/losses.js';
import type { Loss } from '../convert/losses.js';
import { DIALECT_NAMES } from '../model/dialect.js';
import type { DialectName } from '../model/dialect.js';
import { PlanError } from '../../../kernel/errors.js';
import { writeTextFile } from '../../../host/files/text-files.js';
import { exists } from '../../../host/files/exists.js';
import { defineOperation } from '../../../operations/operation.js';
import type { Context } from '../../../operations/shared/context.js';
import { choice, text, toggle } from '../../../operations/shared/fields.js';
import { fileOfOutput, fileToWrite } from '../../../operations/shared/named-file.js';
import {
  dialectAsFormat,
  dialectOption,
  dialectSchema,
  planFileArgument,
  standardInput,
} from './plan-fields.js';
import { readActionPlanFile, sidecarPath } from './read-action-plan-file.js';

const conversionSchema = z.object({
  from: dialectSchema,
  to: dialectSchema,
  file: z.string().nullable().describe('The file that was written, or null.'),
  content: z.string().nullable().describe('The text, or null when it went to a file.'),
  sidecar: z
    .string()
    .nullable()
    .describe(
      'What the target has no place for, for `*.ext.json` beside the plan; null where there is nothing, or it was written.',
    ),
  sidecar_file: z.string().nullable(),
  losses: z
    .array(
      z.object({
        what: z.enum(LOSS_KINDS),
        step: z.string().nullable().describe('The step’s id; null for the plan as a whole.'),
        where: z.string().describe('Pointer in the model: below the step, or below the plan.'),
        why: z.string(),
      }),
    )
    .readonly()
    .describe('What the new document does not do; empty unless `lossy`.'),
  renamed: z.record(z.string(), z.string()).describe('New ids of steps by their old ones.'),
  remarks: z.array(z.string()).readonly(),
});

const inputSchema = z.strictObject({
  file: planFileArgument(),
  input: standardInput('file'),
  to: choice(DIALECT_NAMES, 'the dialect to write (default: frctl)', { value: 'dialect' }),
  dialect: dialectOption(),
  format: dialectAsFormat(),
  lossy: toggle('convert even if the result would not do the same'),
  output: text('write to a file instead of standard output (-)', 'file', { short: 'o' }),
  force: toggle('replace files that are there'),
});

type Conversion = z.output<typeof conversionSchema>;
type ConvertInput = z.output<typeof inputSchema>;

/**
 * Writes an action plan in another dialect.
 * @throws PlanError REFUSED with every loss in `details.losses`, unless `lossy`, and for an output file that is
 *   there already, unless `force`; INVALID_INPUT, FILE_NOT_FOUND, STORAGE_FAILED
 */
export const convertFile = defineOperation({
  arguments: ['file'],
  input: inputSchema,
  output: conversionSchema,
  examples: [
    'plan convert plan.json --to obsidian -o vault-plan.json',
    'plan convert recovery.json --to plan-lint --lossy',
    'cat plan.json | plan convert - --to frctl',
  ],
  mutates: true,
  async run(context, input) {
    const { to = 'frctl' } = input;
    const read = await readActionPlanFile(context, input);
    const converted = convertActionPlan(read, to, input.lossy === true);
    if (converted.losses.length > 0 && input.lossy !== true) throw refusal(converted.losses, to);
    const result: Conversion = {
      from: read.dialect,
      to,
      file: null,
      content: converted.text,
      sidecar: converted.sidecar,
      sidecar_file: null,
      losses: converted.losses,
      renamed: Object.fromEntries(converted.renamed),
      remarks: converted.remarks,
    };
    const output = fileOfOutput(input.output);
    if (output === undefined) return result;
    return {
      ...result,
      ...(await writeConversion(context, { ...input, output }, converted.text, converted.sidecar)),
    };
  },
});

async function writeConversion(
  context: Context,
  { output = '', force = false, to }: ConvertInput,
  text: string,
  sidecar: string | null,
): Promise<Pick<Conversion, 'file' | 'content' | 'sidecar' | 'sidecar_file'>> {
  const inside = (file: string) => fileToWrite(context, file);
  const beside = sidecarPath(output);
  // A sidecar that is there from another plan would be read as this one's.
  const isStale = to === 'obsidian' && sidecar === null && exists(inside(beside));
  const carried = isStale ? '{}\n' : sidecar;
  for (const file of carried === null ? [output] : [output, beside]) {
    if (force || !exists(inside(file))) continue;
    throw new PlanError('REFUSED', `${file} already exists`, {
      hint: { commandLine: 'Give --force to replace it, or another name with --output.' },
      details: { path: file },
    });
  }
  // The sidecar first: a plan without what it carries would be read as less than it is.
  if (carried !== null) await writeTextFile(inside(beside), carried);
  await writeTextFile(inside(output), text);
  return { file: output, content: null, sidecar: null, sidecar_file: carried === null ? null : beside };
}

function refusal(losses: readonly Loss[], to: DialectName): PlanError {
  const list = losses.map(({ what, step, why }) => `\n  ${step ?? 'the plan'}: ${what}: ${why}`).join('');
  return new PlanError(
    'REFUSED',
    `converted to ${to}, the plan would not do the same; ${losses.length} ${losses.length === 1 ? 'thing' : 'things'} would be lost:${list}`,
    { hint: { commandLine: 'Give --lossy to convert it anyway.' }, details: { losses } },
  );
}
