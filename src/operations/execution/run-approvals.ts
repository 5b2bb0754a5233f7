import { randomBytes } from 'node:crypto';
import { dirname, join } from 'node:path';

import { approvalCode, CODE_BYTES, storedCode } from '../../execution/approvals/approval-code.js';
import { approvalText, isApprovalProof } from '../../execution/approvals/approval-proof.js';
import type { AskedApproval, StepApprovals } from '../../execution/executor/session.js';
import type { RunApproval } from '../../execution/run.js';
import { privateKey, readPrivateKey } from '../../host/files/private-key.js';
import { signerOf } from '../../host/ssh-signature.js';
import type { Context } from '../shared/context.js';
import { userConfigPath } from '../shared/environment.js';
import type { Environment } from '../shared/environment.js';
import { APPROVAL_NAMESPACE, statementOf } from './approving/approval-statement.js';
import type { ApprovedRun } from './approving/approval-statement.js';
import { trustedApprovers } from './approving/approvers.js';
import type { Approvers } from './approving/approvers.js';

/** How long a step can be approved after it asked, in milliseconds. */
const STEP_TTL_MS = 15 * 60_000;

/** Where approvals of a run are asked for and looked at. */
export interface ApprovalDesk extends StepApprovals {
  /** Draws the one-time code of the run: what is shown once, and what is stored. */
  askRun(expiresAt: string): Promise<AskedApproval>;
  /** Whether the proof of an approval of the run holds on this machine, for this user. */
  confirms(approval: RunApproval): Promise<boolean>;
  /** Of the approvals that nobody has used, the one that a start may name; null where there is none that holds. */
  usable(approvals: readonly RunApproval[]): Promise<RunApproval | null>;
}

/**
 * Opens the desk for a run. Codes and proofs are those of the user's own key, which is made when it is first needed.
 * @throws PlanError E_PLAN_APPROVAL_MISSING where signatures are asked for and the list of signers is not trusted
 */
export async function approvalDesk(context: Context, run: ApprovedRun): Promise<ApprovalDesk | null> {
  const { environment } = context;
  const approvers = await trustedApprovers(context);
  const confirms = (approval: RunApproval) => isConfirmed(approval, { run, approvers, environment });
  const ask = async (scope: string, argsDigest: string, expires_at: string): Promise<AskedApproval> => {
    const code = approvalCode(randomBytes(CODE_BYTES));
    const key = await privateKey(keyPath(environment));
    return {
      code,
      expires_at,
      stored: storedCode(key, code, { run: run.run, scope, args_digest: argsDigest }),
    };
  };
  return {
    askRun: (expiresAt) => ask('run', '', expiresAt),
    ask: (step, argsDigest) => ask(step, argsDigest, new Date(environment.now() + STEP_TTL_MS).toISOString()),
    confirms,
    async usable(approvals) {
      const found = new Map<string, RunApproval>();
      for (const one of approvals) {
        const isLive = one.scope === 'run' && !one.used && Date.parse(one.expires_at) >= environment.now();
        if (isLive && (await confirms(one))) found.set(one.signer ?? '', one);
      }
      const [first = null] = found.values();
      return found.size >= (approvers?.min ?? 1) ? first : null;
    },
  };
}

/** Where the key of the user's approvals is. */
export function keyPath(environment: Environment): string {
  return join(dirname(userConfigPath(environment)), 'approval.key');
}

/** Tools whose calls the user’s own config lets run unasked. */
export async function waivedTools(context: Context): Promise<ReadonlySet<string>> {
  return new Set((await context.userConfig()).unasked_tools ?? []);
}

interface Confirming {
  readonly run: ApprovedRun;
  readonly approvers: Approvers | null;
  readonly environment: Environment;
}

/** Where signatures are asked for a code is none, and the other way round. */
async function isConfirmed(
  approval: RunApproval,
  { run, approvers, environment }: Confirming,
): Promise<boolean> {
  const statement = statementOf(run, approval);
  if (approvers === null) {
    const key = approval.via === 'ssh' ? null : await readPrivateKey(keyPath(environment));
    return key !== null && isApprovalProof(key, statement, approval.proof);
  }
  if (approval.via !== 'ssh' || approval.signer === undefined) return false;
  const signed = {
    text: approvalText(statement),
    namespace: APPROVAL_NAMESPACE,
    variables: environment.variables,
  };
  return (await signerOf(approval.proof, approvers.text, signed)) === approval.signer;
}
