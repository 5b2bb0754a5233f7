import { truncate } from '../../../kernel/text/truncate.js';
import type { Dirent } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

import { errorCode } from '../../../host/files/storage-error.js';
import { wellFormed } from '../../../kernel/text/well-formed.js';
import { RefusedCall } from '../../runs/runners/outcomes.js';
import type { RunnerEnvironment } from '../../runs/runners/runner-environment.js';
import { workspaceFile } from '../../runs/runners/workspace-file.js';
import type { WorkspaceFile } from '../../runs/runners/workspace-file.js';

/** A vault: a folder of the workspace. */
export interface Vault {
  /** Relative to the workspace. */
  readonly root: string;
  readonly environment: RunnerEnvironment;
}

/** A file or folder of a vault. */
export interface VaultPath extends WorkspaceFile {
  /** Relative to the vault, with `/`; empty for the vault itself. */
  readonly within: string;
  /** What is there; null for nothing. */
  readonly kind: 'file' | 'folder' | null;
}

/** Most bytes of a name that file systems take, less what a temporary file adds to it. */
const MOST_NAME_BYTES = 250;

/**
 * Returns the parts of a path within a vault, as they are written: NFC, without `.` and empty ones.
 * @param kind of a file, the last part gets `.md` where it has no dot
 * @throws RefusedCall OUTSIDE_VAULT, HIDDEN_PATH, INVALID_NAME
 */
export function partsOfPath(path: string, kind: 'file' | 'folder'): readonly string[] {
  const parts = path
    .normalize('NFC')
    .replaceAll('\\', '/')
    .split('/')
    .filter((part) => part !== '' && part !== '.');
  const last = parts.at(-1);
  if (kind === 'file' && last !== undefined && !last.includes('.')) parts[parts.length - 1] = `${last}.md`;
  if (kind === 'file' && parts.length === 0) throw new RefusedCall('INVALID_NAME', 'path is empty');
  for (const part of parts) refusePart(part);
  return parts;
}

function refusePart(part: string): void {
  const shown = JSON.stringify(truncate(part, 100));
  if (part === '..')
    throw new RefusedCall('OUTSIDE_VAULT', 'path leads out of the vault: it has a part `..`');
  if (part.startsWith('.'))
    throw new RefusedCall('HIDDEN_PATH', `${shown} begins with a dot: such files are not for tools`);
  // oxlint-disable-next-line no-control-regex
  if (/[\u0000-\u001f\u007f-\u009f:*?"<>|]/.test(part))
    throw new RefusedCall('INVALID_NAME', `${shown} has a character that names of notes cannot have`);
  if (/[.\s]$/.test(part)) throw new RefusedCall('INVALID_NAME', `${shown} ends with a dot or a blank`);
  if (Buffer.byteLength(part) > MOST_NAME_BYTES)
    throw new RefusedCall('INVALID_NAME', `${shown}… is longer than ${MOST_NAME_BYTES} bytes`);
  if (wellFormed(part) !== part) throw new RefusedCall('INVALID_NAME', `${shown} has half a character`);
}

/**
 * Finds a path in a vault. A name there in another Unicode normal form is the one that is meant.
 * @throws RefusedCall as {@link partsOfPath} does; LINK, CASE_CONFLICT, NOT_A_FOLDER, VALIDATION_ERROR
 */
export async function findPath(path: string, wanted: 'file' | 'folder', vault: Vault): Promise<VaultPath> {
  const found: string[] = [];
  let kind: VaultPath['kind'] = 'folder';
  for (const part of partsOfPath(path, wanted)) {
    if (kind === 'file') throw new RefusedCall('NOT_A_FOLDER', `${found.join('/')} is a file, not a folder`);
    const entry: Dirent | null =
      kind === null ? null : entryOf(part, await entriesOf(join(rootOf(vault), ...found)));
    found.push(entry?.name ?? part);
    if (entry?.isSymbolicLink() === true)
      throw new RefusedCall('LINK', `${found.join('/')} is a link, and links are not followed`);
    kind = entry === null ? null : entry.isDirectory() ? 'folder' : 'file';
  }
  const within = found.join('/');
  const place = await workspaceFile(within === '' ? '.' : within, vault.root, vault.environment);
  return { ...place, within, kind };
}

function entryOf(part: string, entries: readonly Dirent[]): Dirent | null {
  const exact = entries.find(({ name }) => name === part);
  const same = exact ?? entries.find(({ name }) => name.normalize('NFC') === part);
  if (same !== undefined) return same;
  const folded = foldCase(part);
  const other = entries.find(({ name }) => foldCase(name) === folded);
  if (other === undefined) return null;
  throw new RefusedCall(
    'CASE_CONFLICT',
    `${JSON.stringify(part)} differs in case alone from ${JSON.stringify(other.name)}, which is there`,
  );
}

/** Returns a name as names are compared that differ in case alone. */
export function foldCase(name: string): string {
  return name.normalize('NFC').toLowerCase();
}

/** Returns the path of a vault on the machine. */
export function rootOf({ root, environment }: Vault): string {
  return join(environment.root, root);
}

async function entriesOf(folder: string): Promise<readonly Dirent[]> {
  try {
    return await readdir(folder, { withFileTypes: true });
  } catch (cause) {
    if (errorCode(cause) === 'ENOENT') return [];
    throw cause;
  }
}

/** A file or folder that a list of a vault has. */
export interface ListedPath {
  /** Relative to the vault. */
  readonly within: string;
  readonly kind: 'file' | 'folder';
}

/** Returns what a folder of a vault holds, without hidden files and links, by code unit. */
export async function listVault(
  vault: Vault,
  within = '',
  isRecursive = true,
): Promise<readonly ListedPath[]> {
  const listed: ListedPath[] = [];
  const waiting = [within];
  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop())
    for (const entry of await entriesOf(join(rootOf(vault), folder))) {
      if (entry.name.startsWith('.') || !(entry.isFile() || entry.isDirectory())) continue;
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
      listed.push({ within: path, kind: entry.isFile() ? 'file' : 'folder' });
      if (isRecursive && entry.isDirectory()) waiting.push(path);
    }
  return listed.toSorted((a, b) => (a.within < b.within ? -1 : 1));
}
