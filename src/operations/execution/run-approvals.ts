import type { AskedApproval, StepApprovals } from '../../execution/executor/session.js';
import type { PreparedRun } from '../../execution/prepared-run.js';
import type { RunApproval } from '../../execution/run.js';
import type { Context } from '../shared/context.js';

/** What of a run an approval is bound to. */
export type ApprovedRun = Pick<PreparedRun, 'run' | 'digest' | 'tools_digest' | 'workspace'>;

/** Where approvals of a run are asked for and looked at. */
export interface ApprovalDesk extends StepApprovals {
  /** Draws the one-time code of the run: what is shown once, and what is stored. */
  askRun(expiresAt: string): Promise<AskedApproval>;
  /** Whether the proof of an approval of the run holds on this machine, for this user. */
  confirms(approval: RunApproval): Promise<boolean>;
  /** Of the approvals that nobody has used, the one that a start may name; null where there is none that holds. */
  usable(approvals: readonly RunApproval[]): Promise<RunApproval | null>;
}

/** Opens the desk for a run. No proof holds where there is none. */
export async function approvalDesk(_context: Context, _run: ApprovedRun): Promise<ApprovalDesk | null> {
  return null;
}

/** Tools whose calls the user’s own config lets run unasked. */
export async function waivedTools(_context: Context): Promise<ReadonlySet<string>> {
  return new Set();
}
