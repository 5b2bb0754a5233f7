import type { ApprovalStatement } from '../../../execution/approvals/approval-proof.js';
import type { PreparedRun } from '../../../execution/prepared-run.js';
import type { RunApproval } from '../../../execution/run.js';

/** What of a run an approval is bound to. */
export type ApprovedRun = Pick<PreparedRun, 'run' | 'digest' | 'tools_digest' | 'workspace'>;

/** What of an approval is agreed to. */
export type AgreedTo = Pick<RunApproval, 'approval' | 'scope' | 'args_digest' | 'expires_at' | 'via'>;

/** What whoever approves a run agrees to. */
export function statementOf(
  { run, digest, tools_digest, workspace: { id, root } }: ApprovedRun,
  { approval, scope, args_digest, expires_at, via }: AgreedTo,
): ApprovalStatement {
  return {
    approval,
    run,
    digest,
    tools_digest,
    workspace: { id, root },
    scope,
    args_digest: args_digest ?? null,
    expires_at,
    via,
  };
}

/** For what an approval is signed, so that no signature of anything else is one. */
export const APPROVAL_NAMESPACE = 'frctl-approval';
