import { dirname, join } from 'node:path';

import { readTextFileIfAny, writeTextFile } from '../../../../host/files/text-files.js';
import { sha256 } from '../../../../kernel/sha256.js';
import type { UserConfig } from '../../../../operations/settings/config.js';
import { userConfigPath } from '../../../../operations/shared/environment.js';
import type { Environment } from '../../../../operations/shared/environment.js';

/** A file that runs nothing, or lets nobody approve, before the user has trusted what it holds. */
export interface FileToTrust {
  /** Its real path: the same text elsewhere names other programs. */
  readonly path: string;
  readonly text: string;
}

/**
 * The digest of a file by which it is trusted: SHA-256 of what it holds, in hex, another as soon as anything of it
 * changes.
 */
export function digestOfFile({ text }: Pick<FileToTrust, 'text'>): string {
  return sha256(text);
}

/** Whether the user has trusted a file just as it is. */
export function isTrustedFile(file: FileToTrust, { trusted_files: trusted = [] }: UserConfig): boolean {
  const digest = digestOfFile(file);
  return trusted.some((one) => one.file === file.path && one.digest === digest);
}

/** The user's config with a file trusted as it is, and no longer as it was. */
export function withTrustedFile(user: UserConfig, file: FileToTrust): UserConfig {
  const others = (user.trusted_files ?? []).filter((one) => one.file !== file.path);
  return { ...user, trusted_files: [...others, { file: file.path, digest: digestOfFile(file) }] };
}

/** What a file held when it was trusted last, to be compared with what it holds now; null when that is not known. */
export async function textTrustedLast(
  { path }: Pick<FileToTrust, 'path'>,
  user: UserConfig,
  environment: Environment,
): Promise<string | null> {
  const last = (user.trusted_files ?? []).find((one) => one.file === path);
  if (last === undefined) return null;
  const text = await readTextFileIfAny(copyOf(last.digest, environment)).catch(() => null);
  return text !== null && sha256(text) === last.digest ? text : null;
}

/** Keeps what was trusted beside the user's config. @throws PlanError STORAGE_FAILED */
export async function storeTrustedText(file: FileToTrust, environment: Environment): Promise<void> {
  await writeTextFile(copyOf(digestOfFile(file), environment), file.text, 'make');
}

function copyOf(digest: string, environment: Environment): string {
  return join(dirname(userConfigPath(environment)), 'trusted', digest.replaceAll(/[^0-9a-f]/g, ''));
}
