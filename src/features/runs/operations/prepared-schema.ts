import * as z from 'zod';

import { dialectSchema } from '../../actions/operations/plan-fields.js';

/** What `prepare` prints: wa’s names, and frctl’s own beside them. */
export const preparedSchema = z.object({
  plan_id: z.string().describe('What `commit` takes: the id of the run.'),
  plan_hash: z.string().describe('The hash of wa for a plan of wa, else the digest.'),
  plan: z
    .record(z.string(), z.unknown())
    .describe('The plan in frctl’s own form, whole: all that it says can run.'),
  requires_approval: z.boolean(),
  approval: z
    .object({
      code: z.string().describe('Shown once, and stored nowhere.'),
      expires_at: z.string(),
      command: z.string(),
    })
    .nullable()
    .describe('The code that approves it; null where none is needed, or signatures approve.'),
  signers: z
    .object({
      file: z.string().describe('The list of those who may sign.'),
      needed: z.int().describe('How many of them must.'),
      command: z.string().describe('What each of them gives.'),
    })
    .optional()
    .describe('Who approves by signatures; missing where a code approves.'),
  commit_command: z.string(),
  run: z.string(),
  digest: z.string(),
  wa_ids: z.object({ plan_id: z.string(), plan_hash: z.string() }).optional(),
  dialect: dialectSchema,
  workspace: z
    .object({ id: z.string(), root: z.string() })
    .describe('The folder that it would run in, and what the plan calls it.'),
  goal: z.string().optional(),
  expires_at: z.string(),
  approval_because: z.array(z.string()).readonly(),
  tools: z
    .array(z.object({ name: z.string(), effects: z.string(), binding: z.record(z.string(), z.unknown()) }))
    .readonly(),
  findings: z
    .array(
      z.object({
        rule: z.string(),
        severity: z.string(),
        message: z.string(),
        step: z.string().nullable(),
      }),
    )
    .readonly(),
  losses: z.array(z.string()).readonly(),
  inputs: z.array(z.object({ path: z.string(), sha256: z.string().nullable() })).readonly(),
  preconditions: z
    .array(
      z.object({
        type: z.string(),
        condition: z.string().describe('The type, and what it is about.'),
        status: z.enum(['pass', 'fail', 'pending']),
        detail: z.string().describe('What was seen, or why nothing was looked at yet.'),
      }),
    )
    .readonly()
    .describe('The preconditions of the plan as they are now; they are looked at again when the run begins.'),
  vars: z
    .object({ values: z.record(z.string(), z.unknown()), sha256: z.string() })
    .optional()
    .describe('Values of the host that the plan may name as `$vars.NAME`, and the SHA-256 of all of them.'),
  warnings: z.array(z.string()).readonly(),
});

export type PreparedReport = z.output<typeof preparedSchema>;
