import type { ActionPlan } from '../../../actions/model/action-plan.js';
import { frctl } from '../../../actions/dialects/frctl.js';
import { previewText } from '../../../actions/model/preview.js';
import { redactedDocument } from '../../../actions/model/redact.js';
import type { RunLog } from '../../model/run-log.js';
import type { Run, RunApproval } from '../../model/run.js';
import { isJsonObject } from '../../../../kernel/json/json-value.js';
import type { JsonObject } from '../../../../kernel/json/json-value.js';
import { sha256 } from '../../../../kernel/sha256.js';
import { withTrueId } from '../true-id.js';
import { approvalParts } from './approval-parts.js';
import type { ApprovalReport } from './approval-shape.js';
import type { Approvers } from './approvers.js';
import type { Asked } from './find-asked.js';

/** What would be approved. */
export async function approvalReport(
  { log, scope, args_digest, expires_at, summary, args: given }: Asked,
  plan: ActionPlan,
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
    workers: run.workers !== null,
    plan: redactedDocument(frctl.write(plan, null)),
    text: previewText(withTrueId(plan, run.prepared.wa_ids), 'whole'),
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
