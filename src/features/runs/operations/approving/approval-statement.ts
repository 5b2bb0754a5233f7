import type { ApprovalStatement } from '../../model/approvals/approval-proof.js';
import { preparedDigest } from '../../model/approvals/prepared-digest.js';
import type { PreparedRun } from '../../model/prepared-run.js';
import type { RunApproval } from '../../model/run.js';

/** What of an approval is agreed to. */
export type AgreedTo = Pick<RunApproval, 'approval' | 'scope' | 'args_digest' | 'expires_at' | 'via'>;

/** What whoever approves a run agrees to. */
export function statementOf(
  prepared: PreparedRun,
  { approval, scope, args_digest, expires_at, via }: AgreedTo,
): ApprovalStatement {
  const { run, digest, tools_digest, workspace } = prepared;
  const { id, root } = workspace;
  return {
    approval,
    run,
    prepared: preparedDigest(prepared),
    digest,
    tools_digest,
    workspace: { id, root },
    scope,
    args_digest: args_digest ?? null,
    expires_at,
    via,
  };
}
