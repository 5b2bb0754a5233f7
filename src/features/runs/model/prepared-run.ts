import * as z from 'zod';

import { DIALECT_NAMES } from '../../actions/model/dialect.js';
import { GOAL_ID_PATTERN } from '../../../plan/ids.js';
import { codeKey, effects, fileState, hash, instance, jsonObject, runId, time } from './events/run-fields.js';

const definition = z
  .string()
  .min(1)
  .describe('Digest of name, description, schema, annotations, effects and binding.');

/** What a run is prepared with, as the event has it. */
export const preparedFields = {
  run: runId,
  source: z
    .looseObject({
      file: z.string().nullable().describe('Where the plan was read from; null for standard input.'),
      id: z.string().optional().describe('The id of the action plan in the store.'),
      dialect: z.enum(DIALECT_NAMES),
      sidecar: z.string().optional().describe('The text of *.ext.json beside an Obsidian plan.'),
      sha256: hash.optional().describe('Of the bytes of the file as they were read.'),
    })
    .describe('Where the plan came from.'),
  plan: z.string().min(1).describe('The text of the plan, whole. This is what runs.'),
  digest: z.string().regex(/^frctl1:[0-9a-f]{64}$/),
  wa_ids: z
    .looseObject({
      plan_id: z.string(),
      plan_hash: z.string(),
      stated: z.string().optional().describe('The plan_id of the file, where its content does not give it.'),
    })
    .optional(),
  goal: z.string().regex(GOAL_ID_PATTERN).optional().describe('The goal that it carries out.'),
  workspace: z.looseObject({
    id: z.string().describe('What the plan, or whoever prepared it, calls the workspace; else its folder.'),
    root: z.string().describe('The folder that it runs in.'),
    mark: z
      .string()
      .optional()
      .describe('What tells that folder from another of its path, as on another machine.'),
  }),
  tools: z
    .array(z.looseObject({ name: z.string(), effects, definition, binding: jsonObject }))
    .describe('What it calls.'),
  conditions: z
    .array(z.looseObject({ name: z.string(), definition, binding: jsonObject }))
    .optional()
    .describe('The conditions that it looks at.'),
  tools_file: z.string().nullable().optional().describe('Where the tools are bound.'),
  tools_digest: z.string().min(1),
  policy: z
    .looseObject({ file: z.string(), text: z.string() })
    .optional()
    .describe('The policy that it was judged by, and is judged by again while it runs.'),
  policy_digest: z.string().optional(),
  findings: z.array(
    z.looseObject({
      rule: z.string(),
      severity: z.string(),
      message: z.string(),
      step: z.string().nullable(),
    }),
  ),
  losses: z.array(z.string()).optional().describe('What the plan lost when it was carried over.'),
  inputs: z
    .array(fileState)
    .describe('Files that it will write, as they were; null for one that was not there.'),
  named: z
    .array(fileState)
    .optional()
    .describe(
      'Files that arguments name, such as scripts, as they were; whatever else is named was not there.',
    ),
  panes: z
    .array(z.looseObject({ pane: z.string(), identity: hash.describe('Of what makes it the one it is.') }))
    .optional()
    .describe('The panes of a terminal that a plan of wa names.'),
  vars: z
    .looseObject({ values: jsonObject, sha256: hash.describe('Of the values, as RFC 8785 writes them.') })
    .optional()
    .describe('Values of the host that references name as `$vars.NAME`, such as what was selected.'),
  requires_approval: z.boolean(),
  approval_because: z.array(z.string()).optional().describe('Why a person must agree.'),
  asks: z
    .array(
      z.looseObject({
        step: instance,
        named: z.array(fileState).optional().describe('Files that its arguments name, as they were.'),
      }),
    )
    .optional()
    .describe(
      'Steps that ask a person with arguments that are known, so that they can be approved with the run.',
    ),
  approvers: z
    .looseObject({
      signers: z.string().describe('The list of those who may sign, as the config names it.'),
      digest: hash.describe('Of the project, the list and `min`, as they were trusted.'),
      min: z.int().positive().describe('How many of them must sign at the least.'),
    })
    .optional()
    .describe('Who approves it; left out where a code does.'),
  code: z.string().optional().describe('The one-time code, as a keyed hash.'),
  code_key: codeKey.optional().describe('Whose key has drawn the code: a digest that says nothing of it.'),
  expires_at: time,
};

const preparedRunSchema = z.looseObject(preparedFields);

/** What a run was prepared with: what runs, with what, where, and what a person must agree to. */
export type PreparedRun = z.infer<typeof preparedRunSchema>;
