import { resolve } from 'node:path';

import { approvalProof, approvalText } from '../../model/approvals/approval-proof.js';
import type { ApprovalStatement } from '../../model/approvals/approval-proof.js';
import { privateKey } from '../../../../host/files/private-key.js';
import type { Signature } from './ssh-signature.js';
import { signatureOf, signWithSsh } from './ssh-signature.js';
import { PlanError } from '../../../../kernel/errors.js';
import type { Context } from '../../../../operations/shared/context.js';
import { keyPath } from '../run-approvals.js';
import type { ApprovalReport } from './approval-shape.js';
import { APPROVAL_NAMESPACE } from '../../model/approvals/allowed-signers.js';
import { signersNow } from './approvers.js';
import type { Approvers } from './approvers.js';

/** What proves that somebody has agreed. */
export interface Proven {
  readonly proof: string;
  /** Of a signature: whose it is. */
  readonly by?: Signature;
}

interface Agreeing {
  readonly given: { readonly shown: string } | undefined;
  readonly report: ApprovalReport;
  readonly approvers: Approvers | null;
  readonly statement: ApprovalStatement;
}

/**
 * Proves an approval by a person's yes.
 * @throws PlanError REFUSED where nobody has agreed to what was shown, or signatures are asked for
 */
export async function provenByYes(
  { environment }: Context,
  { given, report, approvers, statement }: Agreeing,
): Promise<Proven> {
  if (approvers !== null)
    throw notApproved(
      'REFUSED',
      report.run,
      `${approvers.name} asks for signatures`,
      '--sign KEY approves with one.',
    );
  if (given === undefined)
    throw notApproved(
      'REFUSED',
      report.run,
      'a person has to agree on a terminal',
      'Run the command on a terminal: it shows what would run and asks.',
    );
  refuseOtherThanShown(given, report);
  return { proof: approvalProof(await privateKey(keyPath(environment)), statement) };
}

function refuseOtherThanShown({ shown }: { readonly shown: string }, report: ApprovalReport): void {
  if (shown !== report.shown)
    throw notApproved('REFUSED', report.run, 'it has changed since it was shown', 'Look at it again.');
}

interface Signing extends Agreeing {
  readonly key: string;
}

/**
 * Proves an approval by a signature.
 * @throws PlanError REFUSED for one that would not count, and where something else was shown
 */
export async function provenBySignature(
  { environment }: Context,
  { key, given, report, approvers, statement }: Signing,
): Promise<Proven> {
  if (approvers === null)
    throw notApproved(
      'REFUSED',
      statement.run,
      'no signers are configured',
      'Name an allowed-signers file with the setting `approval`, as docs/running.md shows.',
    );
  if (given !== undefined) refuseOtherThanShown(given, report);
  const about = {
    text: approvalText(statement),
    namespace: APPROVAL_NAMESPACE,
    variables: environment.variables,
    folder: environment.workingFolder,
  };
  const proof = await signWithSsh(
    resolve(environment.workingFolder, key.replace(/^~(?=\/)/, environment.homeFolder)),
    about,
  );
  const by = await signatureOf(proof, signersNow(approvers, environment.now()), about);
  if (by === null)
    throw notApproved(
      'REFUSED',
      statement.run,
      `${approvers.name} does not list the key ${key}, or not for approvals now`,
      'Sign with a key that it lists. `plan config trust-approvers` shows which count now. A certificate must be valid now, for a name that the list lets its authority give, and without critical options.',
    );
  return { proof, by };
}

/** The error that says why proving an approval failed, and so nothing was approved. */
export function notApproved(code: PlanError['code'], run: string, why: string, hint: string): PlanError {
  return new PlanError(code, `${run} is not approved: ${why}`, {
    hint: { commandLine: hint },
    details: { run },
  });
}
