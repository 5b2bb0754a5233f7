import { resolve } from 'node:path';

import { realFolder } from '../../../../host/files/folders.js';
import { readTextFile } from '../../../../host/files/text-files.js';
import { PlanError } from '../../../../kernel/errors.js';
import type { Context } from '../../../../operations/shared/context.js';
import { digestOfFile, isTrustedFile } from '../trust/trusted-files.js';
import type { FileToTrust } from '../trust/trusted-files.js';

const MOST_BYTES = 1024 * 1024;

/** Who may approve by a signature, and how many of them must. */
export interface Approvers extends FileToTrust {
  /** As the config names it. */
  readonly name: string;
  readonly min: number;
}

/**
 * The approvers that the user's own config, else the project's, names; null where a code approves.
 * @throws PlanError FILE_NOT_FOUND, INVALID_CONFIG, STORAGE_FAILED
 */
export async function readApprovers(context: Context): Promise<Approvers | null> {
  const [user, project] = [await context.userConfig(), await context.projectConfig()];
  const named = user.approval ?? project.approval;
  if (named === undefined) return null;
  // Whoever asks for more signatures is heard; a project cannot ask for fewer than the user does.
  const min = Math.max(user.approval?.min ?? 1, project.approval?.min ?? 1);
  const folder = context.projectFolder() ?? context.environment.workingFolder;
  const path = realFolder(resolve(folder, named.signers));
  return { name: named.signers, path, min, text: await readTextFile(path, MOST_BYTES, 'keep') };
}

/**
 * The same, as long as the user has trusted the list of signers as it is.
 * @throws PlanError E_PLAN_APPROVAL_MISSING naming the command that trusts it
 */
export async function trustedApprovers(context: Context): Promise<Approvers | null> {
  const approvers = await readApprovers(context);
  if (approvers === null || isTrustedFile(approvers, await context.userConfig())) return approvers;
  throw new PlanError(
    'E_PLAN_APPROVAL_MISSING',
    `${approvers.name} says who may approve, and you have not trusted it as it is`,
    {
      hint: {
        commandLine: `Read it, then run \`plan config trust-approvers ${digestOfFile(approvers).slice(0, 12)}\`. Every change of it asks again.`,
      },
      details: { file: approvers.path, digest: digestOfFile(approvers) },
    },
  );
}
