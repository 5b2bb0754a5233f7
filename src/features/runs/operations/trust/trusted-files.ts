import { dirname, join } from 'node:path';

import { readTextFileIfAny, writeTextFile } from '../../../../host/files/text-files.js';
import { sha256 } from '../../../../kernel/sha256.js';
import type { UserConfig } from '../../../../operations/settings/config.js';
import { userConfigPath } from '../../../../operations/shared/environment.js';
import type { Environment } from '../../../../operations/shared/environment.js';

/** A tools file, which runs nothing before the user has trusted what it holds. */
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

/**
 * Whether the user has trusted a file as a tools file, just as it is. What an earlier version recorded under
 * `trusted_files` may have been a list of signers, so it trusts nothing.
 */
export function isTrustedFile(file: FileToTrust, { trusted_tools: trusted = [] }: UserConfig): boolean {
  const digest = digestOfFile(file);
  return trusted.some((one) => one.file === file.path && one.digest === digest);
}

/** What a file was trusted as last; undefined when it never was. */
export function trustedLast(
  { path }: Pick<FileToTrust, 'path'>,
  { trusted_tools: trusted = [], trusted_files: earlier = [] }: UserConfig,
): { readonly digest: string } | undefined {
  return [...trusted, ...earlier].find(({ file }) => file === path);
}

/** The user's config with a file trusted as it is, and no longer as it was. */
export function withTrustedFile(user: UserConfig, file: FileToTrust): UserConfig {
  const { trusted_tools: tools = [], trusted_files: earlier = [], ...others } = user;
  const isOther = (one: { readonly file: string }) => one.file !== file.path;
  const left = earlier.filter(isOther);
  return {
    ...others,
    ...(left.length === 0 ? {} : { trusted_files: left }),
    trusted_tools: [...tools.filter(isOther), { file: file.path, digest: digestOfFile(file) }],
  };
}

/** What a file held when it was trusted last, to be compared with what it holds now; null when that is not known. */
export async function textTrustedLast(
  file: Pick<FileToTrust, 'path'>,
  user: UserConfig,
  environment: Environment,
): Promise<string | null> {
  const last = trustedLast(file, user);
  return last === undefined ? null : readTrustedText(last.digest, environment);
}

/** A text that was kept when it was trusted; null when it is not there. @param digest SHA-256 of it, in hex */
export async function readTrustedText(digest: string, environment: Environment): Promise<string | null> {
  const text = await readTextFileIfAny(copyOf(digest, environment)).catch(() => null);
  return text !== null && sha256(text) === digest ? text : null;
}

/** Keeps what was trusted beside the user's config. @throws PlanError STORAGE_FAILED */
export async function storeTrustedText(
  file: Pick<FileToTrust, 'text'>,
  environment: Environment,
): Promise<void> {
  await writeTextFile(copyOf(digestOfFile(file), environment), file.text, 'make');
}

function copyOf(digest: string, environment: Environment): string {
  return join(dirname(userConfigPath(environment)), 'trusted', digest.replaceAll(/[^0-9a-f]/g, ''));
}
