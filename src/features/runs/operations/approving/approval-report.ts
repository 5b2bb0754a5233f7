import type { ActionPlan } from '../../../actions/model/action-plan.js';
import { frctl } from '../../../actions/dialects/frctl.js';
import { previewText } from '../../../actions/model/preview.js';
import type { RunLog } from '../../model/run-log.js';
import { peopleOf } from '../../model/approvals/allowed-signers.js';
import { countPeople } from '../../model/approvals/count-people.js';
import { agreeingInLog } from '../../model/run.js';
import type { Run, RunApproval } from '../../model/run.js';
import { isJsonObject } from '../../../../kernel/json/json-value.js';
import type { JsonObject } from '../../../../kernel/json/json-value.js';
import { sha256 } from '../../../../kernel/sha256.js';
import { argsDigest } from '../../executor/arguments.js';
import type { AskedSteps } from './granted-steps.js';
import { withTrueId } from './true-id.js';
import { approvalParts } from './approval-parts.js';
import type { ApprovalReport } from './approval-shape.js';
import type { Approvers } from './approvers.js';
import type { Asked } from './find-asked.js';
import { notApproved } from './proving.js';

/** What would be approved. */
export async function approvalReport(
  { log, scope, args_digest, expires_at, summary, args }: Asked,
  plan: ActionPlan,
  approvers: Approvers | null,
  asking: AskedSteps,
): Promise<ApprovalReport> {
  const { run } = log;
  const {
    digest,
    tools_digest,
    workspace,
    tools,
    inputs,
    vars,
    losses = [],
    approval_because: because = [],
  } = run.prepared;
  const given = signaturesFor(run, scope, args_digest);
  const report = {
    run: run.id,
    scope,
    approval: null,
    via: null,
    signer: null,
    signatures:
      approvers === null
        ? null
        : {
            given: countPeople(given.map(agreeingInLog), peopleOf(approvers.signers)),
            needed: approvers.min,
          },
    expires_at,
    digest,
    tools_digest,
    workspace: { id: workspace.id, root: workspace.root },
    args_digest: args_digest ?? null,
    args: await argsOf(log, args, args_digest),
    ...asking,
    summary,
    because,
    tools: tools.map(({ name, effects, binding }) => ({ name, effects, binding })),
    losses,
    inputs: inputs.map(({ path, sha256: hash }) => ({ path, sha256: hash })),
    ...(vars === undefined ? {} : { vars: { values: vars.values, sha256: vars.sha256 } }),
    named: (args.named ?? []).map(({ path, sha256: hash }) => ({ path, sha256: hash })),
    commit_command: `plan run ${run.id}`,
    workers: run.workers !== null,
    plan: frctl.write(plan, null),
    text: previewText(withTrueId(plan, run.prepared.wa_ids), 'whole'),
  };
  return { ...report, parts: approvalParts(report), shown: sha256(JSON.stringify(report)) };
}

/** The approvals by signature that there are already for this scope and these arguments. */
export function signaturesFor(
  { approvals }: Run,
  scope: string,
  argsDigest: string | undefined,
): readonly RunApproval[] {
  return approvals.filter(
    (one) =>
      one.scope === scope &&
      one.via === 'ssh' &&
      one.args_digest === argsDigest &&
      (scope !== 'run' || !one.used),
  );
}

/**
 * The arguments that are asked about. What is shown is what the digest is of, whatever somebody has written into the log.
 * @throws PlanError E_PLAN_HASH_MISMATCH
 */
async function argsOf(
  log: RunLog,
  { args, args_file, named }: Asked['args'],
  digest: string | undefined,
): Promise<JsonObject | null> {
  if (digest === undefined) return null;
  const value = args_file === undefined ? args : await log.read(args_file);
  if (value !== undefined && isJsonObject(value) && argsDigest(value, named) === digest) return value;
  const { id } = log.run;
  throw notApproved(
    'E_PLAN_HASH_MISMATCH',
    id,
    'its log does not hold the arguments of this step',
    `\`plan run ${id}\` asks about them again.`,
  );
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
