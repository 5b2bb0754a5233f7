import * as z from 'zod';

import type { ApprovalPart } from './approval-part.js';

/** What `approve` prints. */
export const approvalReportSchema = z.object({
  run: z.string(),
  scope: z.string().describe('`run`, or the step that is approved.'),
  approval: z.string().nullable().describe('Its id; null when nothing was approved.'),
  via: z.enum(['terminal', 'page', 'ssh']).nullable(),
  signer: z.string().nullable(),
  signatures: z
    .object({ given: z.number(), needed: z.number() })
    .nullable()
    .describe('Where signatures approve: how many of them there are now, and how many a start needs.'),
  expires_at: z.string(),
  digest: z.string().describe('Of the plan.'),
  tools_digest: z.string(),
  workspace: z.object({ id: z.string(), root: z.string() }),
  plan: z
    .record(z.string(), z.unknown())
    .describe('All that would run, whole, in frctl’s own form (action-plan-v1).'),
  args_digest: z.string().nullable().describe('Of the arguments of the step.'),
  args: z
    .record(z.string(), z.unknown())
    .nullable()
    .describe('What the step would be called with, whole; null where a run is approved.'),
  granted: z
    .array(
      z.object({
        step: z.string(),
        tool: z.string(),
        args: z.record(z.string(), z.unknown()),
        named: z.array(z.object({ path: z.string(), sha256: z.string().nullable() })).readonly(),
        args_digest: z.string(),
      }),
    )
    .readonly()
    .describe('Steps that are approved with the run before they ask (`--steps`).'),
  asks_later: z
    .array(z.object({ step: z.string(), because: z.string() }))
    .readonly()
    .describe('Steps that ask while the run is carried out.'),
  summary: z.string().nullable().describe('What the step asks.'),
  because: z.array(z.string()).readonly().describe('Why a person must agree.'),
  tools: z
    .array(z.object({ name: z.string(), effects: z.string(), binding: z.record(z.string(), z.unknown()) }))
    .readonly(),
  losses: z.array(z.string()).readonly().describe('What the plan lost when it was converted.'),
  inputs: z.array(z.object({ path: z.string(), sha256: z.string().nullable() })).readonly(),
  named: z
    .array(z.object({ path: z.string(), sha256: z.string().nullable() }))
    .readonly()
    .describe('Files of the workspace that arguments name, such as scripts, as they are.'),
  vars: z
    .object({ values: z.record(z.string(), z.unknown()), sha256: z.string() })
    .optional()
    .describe('Values of the host that the plan may name as `$vars.NAME`.'),
  shown: z.string().describe('The digest of all of this: whoever agrees agrees to just what was shown.'),
  commit_command: z.string(),
  workers: z
    .boolean()
    .describe(
      'Whether the run is left to workers: they go on with it, and `commit_command` takes it from them.',
    ),
});

/** What is approved, or would be, and the plan for people. */
export interface ApprovalReport extends z.output<typeof approvalReportSchema> {
  readonly text: string;
  /** Everything else that is agreed to, for people. */
  readonly parts: readonly ApprovalPart[];
}
