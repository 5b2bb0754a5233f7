import * as z from 'zod';

import { digestText, planDigest } from '../model/content-hash.js';
import { waIdentity } from '../wa/wa-identity.js';
import { defineOperation } from '../../../operations/operation.js';
import { toggle } from '../../../operations/shared/fields.js';
import {
  dialectAsFormat,
  dialectOption,
  dialectSchema,
  planFileArgument,
  standardInput,
} from './plan-fields.js';
import { readActionPlanFile } from './read-action-plan-file.js';

const holdsSchema = z
  .enum(['file', 'sorted', 'no'])
  .describe('Whether the file’s id is the one that its content gives, and with which order of payload keys.');

const waStepSchema = z.object({
  path: z.string().describe('`steps[2].action.plan.steps[0]`'),
  pointer: z.string(),
  step_id: z.string().describe('As the file has it.'),
  plain: z.string().describe('From number and action.'),
  scoped: z.string().describe('From workspace, number and action.'),
  form: z
    .enum(['plain', 'scoped'])
    .nullable()
    .describe('The form that the file’s id is of; null where the author chose another.'),
  holds: holdsSchema,
});

const waIdentitySchema = z.object({
  canonical: z.string(),
  plan_hash: z.string(),
  plan_id: z.string(),
  stated: z.string().describe('The `plan_id` in the file.'),
  holds: holdsSchema,
  steps: z
    .array(waStepSchema)
    .readonly()
    .describe('Every step, those of fallbacks and nested plans included.'),
  problem: z
    .string()
    .nullable()
    .describe('What wa’s own validation says; null when it has nothing against the plan.'),
});

const hashSchema = z.object({
  dialect: dialectSchema,
  digest: z.string().describe('frctl’s own digest, of any dialect’s plan.'),
  digest_text: z.string().optional().describe('The text that the digest is made of, where it was asked for.'),
  wa: waIdentitySchema.nullable().describe('wa’s ids; null for a plan of another dialect.'),
});

/**
 * The digest of an action plan and, of wa's plans, wa's ids: made anew, and compared with those in the file.
 * @throws PlanError as {@link readActionPlanFile}
 */
export const hashActionPlan = defineOperation({
  arguments: ['file'],
  input: z.strictObject({
    file: planFileArgument(),
    input: standardInput('file'),
    dialect: dialectOption(),
    format: dialectAsFormat(),
    canonical: toggle('print the text that is hashed'),
  }),
  output: hashSchema,
  examples: ['plan hash recovery.json', 'plan hash recovery.json --canonical | sha256sum'],
  mutates: false,
  async run(context, input) {
    const read = await readActionPlanFile(context, input);
    const node = read.document.at(read.body) ?? read.document.root;
    return {
      dialect: read.dialect,
      digest: planDigest(read.plan, read.dialect),
      ...(input.canonical === true ? { digest_text: digestText(read.plan, read.dialect) } : {}),
      wa: read.dialect === 'wa' ? waIdentity(node, read.body) : null,
    };
  },
});
