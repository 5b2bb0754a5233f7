import { link } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

import { exists } from '../../../host/files/exists.js';
import { folderEntryNames } from '../../../host/files/folder-entries.js';
import { inFolderOf } from '../../../host/files/folder-handle.js';
import { makeFolder } from '../../../host/files/make-folder.js';
import { deleteFile, moveFile } from '../../../host/files/move-file.js';
import { errorCode, storageError } from '../../../host/files/storage-error.js';
import { readStoredTextIfAny } from '../../../host/files/text-files.js';
import { planFileSchema } from '../../../plan/schema.js';
import { isKnownVersion, SCHEMA_VERSION } from '../../../plan/snapshot/format-version.js';
import { parseJsonText } from '../../../plan/snapshot/parse-plan.js';
import { planIdOfLog } from '../log/log-owner.js';
import { backupPath, planFolderPath, planIdOfFile, PLAN_FOLDERS, planPaths } from '../store-paths.js';
import type { PlanFolder } from '../store-paths.js';
import { appendMissing, compareLogs } from '../two-folders.js';

/** A file that holds another plan than the one that its name says. */
export interface MisplacedFile {
  readonly path: string;
  readonly isLog: boolean;
  /** The plan that its name says, and the one that it holds. */
  readonly named: string;
  readonly owner: string;
  /** The path that it should have. */
  readonly target: string;
}

/** The files of plans by path, with the plan that each holds; null where that cannot be told. */
export type Owners = Map<string, string | null>;

/** Finds which plan each file of a store holds that has a name of a plan's file. What cannot be read holds none. */
export async function ownersOfFiles(store: string): Promise<Owners> {
  const owners: Owners = new Map();
  for (const planFolder of PLAN_FOLDERS) {
    const names = new Set(await folderEntryNames(planFolderPath(store, planFolder)).catch(() => []));
    for (const id of new Set(Array.from(names).flatMap((name) => planIdOfFile(name) ?? [])))
      for (const path of pathsOf(store, id, planFolder))
        if (names.has(basename(path))) owners.set(path, await ownerOf(path));
  }
  return owners;
}

/** Whether a file with a name of a plan's is misplaced. */
export function hasMisplaced(store: string, owners: Owners, planId: string): boolean {
  return PLAN_FOLDERS.some((planFolder) =>
    pathsOf(store, planId, planFolder).some((path) => misplacedAt(owners, path) !== null),
  );
}

function pathsOf(store: string, planId: string, planFolder: PlanFolder): readonly string[] {
  const { eventLog, planFile } = planPaths(store, planId, planFolder);
  return [eventLog, planFile];
}

/** The file at a path, when it is misplaced. */
export function misplacedAt(owners: Owners, path: string): MisplacedFile | null {
  const named = planIdOfFile(basename(path));
  const owner = owners.get(path) ?? null;
  if (named === null || owner === null || owner === named) return null;
  const { eventLog, planFile } = planPaths(dirname(path), owner, 'store');
  const isLog = path.endsWith('.jsonl');
  return { path, isLog, named, owner, target: isLog ? eventLog : planFile };
}

/** Whether the file that a misplaced one should be is there already. */
export function isDouble(owners: Owners, { target, owner }: MisplacedFile): boolean {
  return owners.get(target) === owner;
}

/**
 * Gives a misplaced file its own name, and so, first, the one that has that name and is misplaced as well. One whose place is
 * taken by what it should be is brought into that, and goes; whoever calls this has made a copy of it.
 * @param owners is kept up to date
 * @returns what was done; null when what stands in its place cannot be told, so that all stays as it is
 * @throws PlanError STORAGE_FAILED
 */
export async function putInPlace(
  store: string,
  owners: Owners,
  misplaced: MisplacedFile,
): Promise<string | null> {
  if (misplacedAt(owners, misplaced.path) === null) return 'it has its own name again';
  if (isDouble(owners, misplaced)) return bringIntoOwn(owners, misplaced);
  const chain = chainFrom(owners, misplaced);
  const last = chain.at(-1) ?? misplaced;
  const cycle = chain.findIndex(({ path }) => path === last.target);
  if (cycle === 0) return moveInCircle(store, owners, chain);
  if (cycle !== -1 || owners.has(last.target)) return null;
  for (const each of chain.toReversed()) await move(owners, each.path, each.target);
  return `gave it its own name, ${basename(misplaced.target)}`;
}

/** The file, the misplaced one in its place, the one in that one's place, and so on, as far as it goes. */
function chainFrom(owners: Owners, first: MisplacedFile): readonly MisplacedFile[] {
  const chain = [first];
  const seen = new Set([first.path]);
  for (let next: MisplacedFile | null = first; next !== null;) {
    next = misplacedAt(owners, next.target);
    if (next === null || seen.has(next.path)) break;
    chain.push(next);
    seen.add(next.path);
  }
  return chain;
}

/** Moves files of which each stands in the place of the one before it, the first in that of the last. */
async function moveInCircle(
  store: string,
  owners: Owners,
  [first, ...others]: readonly MisplacedFile[],
): Promise<string> {
  if (first === undefined) return '';
  const folder = backupPath(store, 'moved');
  await makeFolder(folder);
  let aside = join(folder, basename(first.path));
  for (let number = 2; exists(aside); number += 1) aside = join(folder, `${basename(first.path)}.${number}`);
  await move(owners, first.path, aside);
  for (const each of others.toReversed()) await move(owners, each.path, each.target);
  await move(owners, aside, first.target);
  return `gave ${others.length === 1 ? 'both' : 'all'} files that were exchanged their own names again`;
}

async function bringIntoOwn(owners: Owners, { path, isLog, target }: MisplacedFile): Promise<string> {
  const logs = isLog ? await compareLogs(target, path) : { missing: [], isOneHistory: true };
  await appendMissing(target, logs);
  await deleteFile(path);
  owners.delete(path);
  const added = logs.isOneHistory ? logs.missing.length : 0;
  return `removed it: ${basename(target)} is there${added > 0 ? ', and has now what it lacked of it' : ''}`;
}

/** Moves a file to a place where there is none. @throws PlanError STORAGE_FAILED */
async function move(owners: Owners, from: string, to: string): Promise<void> {
  try {
    // Unlike a rename, a link fails when the name is taken.
    await inFolderOf(from, (source) => inFolderOf(to, (target) => link(source, target)));
    await deleteFile(from);
  } catch (cause) {
    if (errorCode(cause) === 'EEXIST' || exists(to)) throw storageError('move to', to, cause);
    // There are file systems without links.
    await moveFile(from, to);
  }
  owners.set(to, owners.get(from) ?? null);
  owners.delete(from);
}

async function ownerOf(path: string): Promise<string | null> {
  if (path.endsWith('.jsonl')) return planIdOfLog(path).catch(() => null);
  const text = await readStoredTextIfAny(path).catch(() => null);
  const parsed = text === null ? null : parseJsonText(text);
  if (parsed === null || 'problem' in parsed) return null;
  const { data } = planFileSchema.safeParse(parsed.value);
  return data !== undefined && isKnownVersion(data.schema_version ?? SCHEMA_VERSION) ? data.id : null;
}
