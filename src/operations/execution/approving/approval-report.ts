import * as z from 'zod';

import type { RunLog } from '../../../execution/run-log.js';
import type { Run, RunApproval } from '../../../execution/run.js';
import { isJsonObject } from '../../../kernel/json/json-value.js';
import type { JsonObject } from '../../../kernel/json/json-value.js';
import { sha256 } from '../../../kernel/sha256.js';
import { approvalParts } from './approval-parts.js';
import type { ApprovalPart } from './approval-part.js';
import type { Approvers } from './approvers.js';
import type { Asked } from './find-asked.js';

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
  args_digest: z.string().nullable().describe('Of the arguments of the step.'),
  args: z
    .record(z.string(), z.unknown())
    .nullable()
    .describe('What the step would be called with, its secrets left out; null where a run is approved.'),
  summary: z.string().nullable().describe('What the step asks.'),
  because: z.array(z.string()).readonly().describe('Why a person must agree.'),
  tools: z
    .array(z.object({ name: z.string(), effects: z.string(), binding: z.record(z.string(), z.unknown()) }))
    .readonly(),
  losses: z.array(z.string()).readonly().describe('What the plan lost when it was converted.'),
  inputs: z.array(z.object({ path: z.string(), sha256: z.string().nullable() })).readonly(),
  shown: z.string().describe('The digest of all of this: whoever agrees agrees to just what was shown.'),
  commit_command: z.string(),
});

/** What is approved, or would be, and the plan for people. */
export interface ApprovalReport extends z.output<typeof approvalReportSchema> {
  readonly text: string;
  /** Everything else that is agreed to, for people. */
  readonly parts: readonly ApprovalPart[];
}

/** What would be approved. */
export async function approvalReport(
  { log, scope, args_digest, expires_at, summary, args: given }: Asked,
  plan: string,
  approvers: Approvers | null,
): Promise<ApprovalReport> {
  const { run } = log;
  const {
    digest,
    tools_digest,
    workspace,
    tools,
    inputs,
    losses = [],
    approval_because: because = [],
  } = run.prepared;
  const report = {
    run: run.id,
    scope,
    approval: null,
    via: null,
    signer: null,
    signatures:
      approvers === null ? null : { given: signersOf(run, scope, args_digest).size, needed: approvers.min },
    expires_at,
    digest,
    tools_digest,
    workspace: { id: workspace.id, root: workspace.root },
    args_digest: args_digest ?? null,
    args: await argsOf(log, given),
    summary,
    because,
    tools: tools.map(({ name, effects, binding }) => ({ name, effects, binding })),
    losses,
    inputs: inputs.map(({ path, sha256: hash }) => ({ path, sha256: hash })),
    commit_command: `plan run ${run.id}`,
    text: plan,
  };
  return { ...report, parts: approvalParts(report), shown: sha256(JSON.stringify(report)) };
}

/** Who has signed an approval already, for this scope and these arguments. */
export function signersOf(run: Run, scope: string, argsDigest: string | undefined): ReadonlySet<string> {
  const own = run.approvals.filter(
    (one) => one.scope === scope && one.via === 'ssh' && one.args_digest === argsDigest,
  );
  return new Set(own.filter(({ used }) => scope !== 'run' || !used).map(({ signer = '' }) => signer));
}

async function argsOf(log: RunLog, { args, args_file }: Asked['args']): Promise<JsonObject | null> {
  const value = args_file === undefined ? args : await log.read(args_file);
  return value === undefined || !isJsonObject(value) ? null : value;
}

/** What was approved. */
export function approvedReport(
  report: ApprovalReport,
  { approval, via, signer }: RunApproval,
  approvers: Approvers | null,
): ApprovalReport {
  const { signatures } = report;
  return {
    ...report,
    approval,
    via,
    signer: signer ?? null,
    signatures:
      approvers === null || signatures === null ? null : { ...signatures, given: signatures.given + 1 },
  };
}
