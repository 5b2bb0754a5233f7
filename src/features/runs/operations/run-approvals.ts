import { randomBytes } from 'node:crypto';
import { dirname, join } from 'node:path';

import { approvalCode, CODE_BYTES, codeKeyId, storedCode } from '../model/approvals/approval-code.js';
import type { CodeScope } from '../model/approvals/approval-code.js';
import { approvalText, isApprovalProof } from '../model/approvals/approval-proof.js';
import type { AskedApproval, StepApprovals, StepQuestion } from '../executor/session.js';
import type { PreparedRun } from '../model/prepared-run.js';
import type { RunApproval } from '../model/run.js';
import { privateKey, readPrivateKey } from '../../../host/files/private-key.js';
import { signatureOf } from './approving/ssh-signature.js';
import type { Context } from '../../../operations/shared/context.js';
import { userConfigPath } from '../../../operations/shared/environment.js';
import type { Environment } from '../../../operations/shared/environment.js';
import { APPROVAL_NAMESPACE, peopleOf } from '../model/approvals/allowed-signers.js';
import { countPeople } from '../model/approvals/count-people.js';
import type { Agreeing } from '../model/approvals/count-people.js';
import { RUNS } from '../parts.js';
import { statementOf } from './approving/approval-statement.js';
import { approversOfRun, signersNow } from './approving/approvers.js';
import { codesAskedFor, MOST_CODES } from './approving/find-asked.js';
import type { Approvers } from './approving/approvers.js';

/** How long a step can be approved after it asked, in milliseconds. */
const STEP_TTL_MS = 15 * 60_000;

/** Where approvals of a run are asked for and looked at. */
export interface RunApprovals extends StepApprovals {
  /** Whether signatures approve, and codes do not. */
  readonly isSigned: boolean;
  /** Of the approvals that nobody has used, the one that a start may name; null where too few hold. */
  usable(approvals: readonly RunApproval[]): Promise<RunApproval | null>;
}

/**
 * Opens the approvals of a run. Codes and proofs are those of the user's own key, which is made when it is first needed.
 * @throws PlanError E_PLAN_APPROVAL_MISSING where signatures are asked for, or were when it was prepared, and the approvers are
 *   not trusted as they are
 */
export async function openRunApprovals(context: Context, prepared: PreparedRun): Promise<RunApprovals> {
  const { environment } = context;
  const approvers = await approversOfRun(context, prepared);
  const needed = approvers?.min ?? 1;
  const listed = peopleOf(approvers?.signers ?? []);
  /** Codes that were drawn here and may not be in the log yet. */
  let drawn = 0;
  /** Items that ask at once are asked about one after the other, so that their codes are counted. */
  let turn: Promise<unknown> = Promise.resolve();
  const ask = async (step: string, argsDigest: string): Promise<StepQuestion> => {
    const expires_at = new Date(environment.now() + STEP_TTL_MS).toISOString();
    if (approvers !== null) return { expires_at, drawn: null, note: null };
    const note = await whyNoCode(context, drawn);
    if (note !== null) return { expires_at, drawn: null, note };
    drawn += 1;
    const scope = { run: prepared.run, scope: step, args_digest: argsDigest };
    return { expires_at, drawn: await drawCode(environment, scope, expires_at), note: null };
  };
  const confirmed = async (approvals: readonly RunApproval[]) => {
    const found: { readonly approval: RunApproval; readonly by: Agreeing }[] = [];
    for (const approval of approvals) {
      const by = await whoAgreed(approval, { prepared, approvers, environment });
      if (by !== null) found.push({ approval, by });
    }
    return {
      found,
      isEnough:
        countPeople(
          found.map(({ by }) => by),
          listed,
        ) >= needed,
    };
  };
  return {
    needed,
    isSigned: approvers !== null,
    ask(step, argsDigest) {
      const asked = turn.then(() => ask(step, argsDigest));
      turn = asked.catch(() => undefined);
      return asked;
    },
    areEnough: async (approvals) => (await confirmed(approvals)).isEnough,
    async usable(approvals) {
      const live = approvals.filter(
        ({ scope, used, expires_at }) =>
          scope === 'run' && !used && Date.parse(expires_at) >= environment.now(),
      );
      const { found, isEnough } = await confirmed(live);
      return isEnough ? (found[0]?.approval ?? null) : null;
    },
  };
}

/** Draws the one-time code of a run. */
export async function codeOfRun(context: Context, run: string, expiresAt: string): Promise<AskedApproval> {
  return drawCode(context.environment, { run, scope: 'run', args_digest: '' }, expiresAt);
}

/** Why no code can be drawn for a step. @param drawn codes that are out and not in any log yet */
async function whyNoCode(context: Context, drawn: number): Promise<string | null> {
  const { runs } = await (await context.part(RUNS)).list('open');
  const { environment } = context;
  const guess = { now: environment.now(), key: await ownCodeKey(environment) };
  const out = runs.reduce((total, run) => total + codesAskedFor(run, guess), drawn);
  return out < MOST_CODES
    ? null
    : `no code could be drawn, for ${out} of yours are out: approve, or end, what waits (\`plan runs\`), and go on with this run`;
}

async function drawCode(
  environment: Environment,
  scope: CodeScope,
  expires_at: string,
): Promise<AskedApproval> {
  const code = approvalCode(randomBytes(CODE_BYTES));
  const key = await privateKey(keyPath(environment));
  return { code, expires_at, stored: storedCode(key, code, scope), key: codeKeyId(key) };
}

/**
 * What tells the codes of this user, by which runs get approvals, from those of others; null where the user has no
 * key yet.
 */
export async function ownCodeKey(environment: Environment): Promise<string | null> {
  const key = await readPrivateKey(keyPath(environment));
  return key === null ? null : codeKeyId(key);
}

/** Where the key of the user's approvals is. */
export function keyPath(environment: Environment): string {
  return join(dirname(userConfigPath(environment)), 'approval.key');
}

/** Tools whose calls need no approval, as the user’s own config says. */
export async function waivedTools(context: Context): Promise<ReadonlySet<string>> {
  return new Set((await context.userConfig()).unasked_tools ?? []);
}

interface Confirming {
  readonly prepared: PreparedRun;
  readonly approvers: Approvers | null;
  readonly environment: Environment;
}

/**
 * Whoever gave an approval, as its proof tells on this machine and for this user; null where it proves nothing. Where
 * signatures are asked for a code is none, and the other way round.
 */
export async function whoAgreed(
  approval: RunApproval,
  { prepared, approvers, environment }: Confirming,
): Promise<Agreeing | null> {
  const statement = statementOf(prepared, approval);
  if (approvers === null) {
    const key = approval.via === 'ssh' ? null : await readPrivateKey(keyPath(environment));
    const isProven = key !== null && isApprovalProof(key, statement, approval.proof);
    return isProven ? { names: [], key: undefined } : null;
  }
  if (approval.via !== 'ssh' || approval.signer === undefined) return null;
  const signed = {
    text: approvalText(statement),
    namespace: APPROVAL_NAMESPACE,
    variables: environment.variables,
    folder: environment.workingFolder,
  };
  const found = await signatureOf(approval.proof, signersNow(approvers, environment.now()), signed);
  return found?.names.includes(approval.signer) === true ? found : null;
}
