import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';

import { realFolder } from '../../../../host/files/folders.js';
import { readTextFile } from '../../../../host/files/text-files.js';
import { PlanError } from '../../../../kernel/errors.js';
import type { Context } from '../../../../operations/shared/context.js';
import { readSigners, whyNoApprover } from '../../model/approvals/allowed-signers.js';
import type { Signer } from '../../model/approvals/allowed-signers.js';
import type { PreparedRun } from '../../model/prepared-run.js';
import { isTrustedPolicy, policyDigest, trustedPolicy } from '../trust/trusted-approvers.js';
import type { ApprovalPolicy } from '../trust/trusted-approvers.js';

/** Nobody can look through more, and what is trusted has to be looked at whole. */
const MOST_BYTES = 64 * 1024;

/** Who may approve by a signature, and how many of them must. */
export interface Approvers {
  /** As the config names the list. */
  readonly name: string;
  /** Its real path. */
  readonly path: string;
  readonly text: string;
  readonly min: number;
  readonly signers: readonly Signer[];
}

/** The folder of the project whose runs are approved. */
export function approvedProject(context: Context): string {
  return realFolder(context.projectFolder() ?? context.environment.workingFolder);
}

/**
 * The approvers that the user's own config, else the project's, names; null where a code approves.
 * @throws PlanError FILE_NOT_FOUND, INVALID_CONFIG, INVALID_INPUT for a list that cannot be read, STORAGE_FAILED
 */
export async function readApprovers(context: Context): Promise<Approvers | null> {
  const [user, project] = [await context.userConfig(), await context.projectConfig()];
  const named = user.approval ?? project.approval;
  if (named === undefined) return null;
  // Whoever asks for more signatures is heard; a project cannot ask for fewer than the user does.
  const min = Math.max(user.approval?.min ?? 1, project.approval?.min ?? 1);
  const path = realFolder(resolve(approvedProject(context), named.signers));
  await refuseDevice(path, named.signers);
  const text = await readTextFile(path, MOST_BYTES, 'keep');
  return { name: named.signers, path, min, text, signers: readSigners(text, named.signers) };
}

/** A project may name it: a pipe or a terminal would be waited for without end. */
async function refuseDevice(path: string, name: string): Promise<void> {
  const found = await stat(path).catch(() => null);
  if (found === null || found.isFile() || found.isDirectory()) return;
  throw new PlanError('INVALID_INPUT', `the list of signers ${name} is not a plain file`, {
    hint: { commandLine: 'Name a file by `plan config set approval`.' },
    details: { path },
  });
}

/** The signers of a list whose signatures count now. */
export function signersNow({ signers }: Approvers, now: number): readonly Signer[] {
  return signers.filter((one) => whyNoApprover(one, now) === null);
}

/**
 * The same, as long as the user has trusted them as they are: the list, and how many of it must sign. Where the user has
 * trusted approvers for a project, they do not go without a word either.
 * @throws PlanError E_PLAN_APPROVAL_MISSING naming the command that trusts them
 */
async function trustedApprovers(context: Context): Promise<Approvers | null> {
  const approvers = await readApprovers(context);
  const policy: ApprovalPolicy = { project: approvedProject(context), approvers };
  const user = await context.userConfig();
  if (isTrustedPolicy(policy, user)) return approvers;
  throw new PlanError(
    'E_PLAN_APPROVAL_MISSING',
    whyUntrusted(approvers, trustedPolicy(policy.project, user)),
    {
      hint: {
        commandLine:
          '`plan config trust-approvers` shows who would approve, and trusts it when you agree. Every change asks again.',
      },
      details: { file: approvers?.path ?? null, digest: policyDigest(policy) },
    },
  );
}

function whyUntrusted(approvers: Approvers | null, before: { readonly min: number } | undefined): string {
  if (approvers === null)
    return 'the config names no approvers any more, and you have trusted some for this project';
  if (before === undefined)
    return `${approvers.name} says who may approve, and you have not trusted it as it is`;
  return before.min === approvers.min
    ? `${approvers.name} says who may approve, and it has changed since you trusted it`
    : `${signatures(approvers.min)} would approve runs here, and you have trusted ${signatures(before.min)}`;
}

function signatures(count: number): string {
  return count === 1 ? '1 signature' : `${count} signatures`;
}

/** The same as a run is prepared with them. @throws PlanError as {@link trustedApprovers} */
export async function approversToPrepare(context: Context): Promise<PreparedRun['approvers'] | null> {
  const approvers = await trustedApprovers(context);
  if (approvers === null) return null;
  const { name: signers, min } = approvers;
  return { signers, min, digest: policyDigest({ project: approvedProject(context), approvers }) };
}

/**
 * The approvers of a run that was prepared: those that the user trusts now, and never fewer of them than it was prepared
 * with. Null where a code approves.
 * @throws PlanError E_PLAN_APPROVAL_MISSING, also where it was prepared for signatures and a code would approve now
 */
export async function approversOfRun(
  context: Context,
  { run, approvers: prepared }: Pick<PreparedRun, 'run' | 'approvers'>,
): Promise<Approvers | null> {
  const approvers = await trustedApprovers(context);
  if (prepared === undefined) return approvers;
  if (approvers !== null) return { ...approvers, min: Math.max(approvers.min, prepared.min) };
  throw new PlanError(
    'E_PLAN_APPROVAL_MISSING',
    `${run} was prepared for signatures, and no signers are configured any more`,
    { hint: { commandLine: 'Prepare it again.' }, details: { run } },
  );
}

/**
 * Whether signatures approve runs, and codes do not. A list that cannot be read approves nothing, and no code does in
 * its place.
 */
export async function isApprovedBySignatures(context: Context): Promise<boolean> {
  return readApprovers(context).then(
    (approvers) => approvers !== null,
    () => true,
  );
}
