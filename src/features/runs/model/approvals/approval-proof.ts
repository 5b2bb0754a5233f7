import { createHmac } from 'node:crypto';

import { canonicalJson } from '../../../../kernel/json/canonical-json.js';
import { isEqualInConstantTime } from './approval-code.js';

/** What whoever approves agrees to. Another value of any of these is another approval. */
export interface ApprovalStatement {
  /** The id of the approval. */
  readonly approval: string;
  readonly run: string;
  /** Of all that was prepared, as the log has it: the plan, tools, inputs, policy, goal and times. */
  readonly prepared: string;
  /** Of the plan. */
  readonly digest: string;
  readonly tools_digest: string;
  readonly workspace: { readonly id: string; readonly root: string };
  /** `run`, or an instance of a step. */
  readonly scope: string;
  /** Of the arguments that the instance is called with; null for the run. */
  readonly args_digest: string | null;
  readonly expires_at: string;
  readonly via: 'terminal' | 'page' | 'ssh';
}

/** The text that is signed: RFC 8785 of the statement. */
export function approvalText(statement: ApprovalStatement): string {
  const { approval, run, prepared, digest, tools_digest, workspace, scope, args_digest, expires_at, via } =
    statement;
  const { id, root } = workspace;
  return canonicalJson({
    v: 1,
    approval,
    run,
    prepared,
    digest,
    tools_digest,
    workspace: { id, root },
    scope,
    args_digest,
    expires_at,
    via,
  });
}

/** The proof that the owner of a key has approved. In hex. */
export function approvalProof(key: Uint8Array, statement: ApprovalStatement): string {
  return createHmac('sha256', key).update(approvalText(statement), 'utf8').digest('hex');
}

/** Whether a proof is that of the owner of the key for just this statement. */
export function isApprovalProof(key: Uint8Array, statement: ApprovalStatement, proof: string): boolean {
  return isEqualInConstantTime(approvalProof(key, statement), proof);
}
