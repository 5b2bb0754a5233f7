import { constants } from 'node:fs';
import { access, lstat } from 'node:fs/promises';
import { join } from 'node:path';

import { planFolderPath, planIdOfFile, planIdOfPurged, STORE_FILES } from '../store-paths.js';
import type { PlanFolder } from '../store-paths.js';
import { fileIdentity } from '../../../host/files/file-identity.js';
import { folderEntryNames } from '../../../host/files/folder-entries.js';
import { PLAN_ID_PATTERN } from '../../../plan/ids.js';
import { readPlainFile, readPlainFolder } from '../../../host/files/plain-file.js';
import { errorCode, storageError } from '../../../host/files/storage-error.js';

/** Files and folders that belong in a store besides the files of plans. */
const KNOWN_FILES = new Set([
  ...Object.keys(STORE_FILES),
  'index.json',
  'config.json',
  '.replica',
  'README.md',
  'tools.json',
  'tools.yaml',
  'policy.json',
  'policy.yaml',
  'panes.yaml',
  'wa-data.jsonl',
  'approvers',
]);
const KNOWN_FOLDERS = new Set(['archive', 'journal', 'backup', 'prompts', 'methods', 'actions', 'runs']);

/** What the store's own files, such as `.gitignore`, may hold. */
const MOST_OWN_BYTES = 1024 * 1024;

/** Something about a file of the store that is not as it should be. */
export interface FileFinding {
  readonly kind:
    'strange' | 'temporary' | 'purged' | 'link' | 'not_a_file' | 'not_a_folder' | 'unreadable' | 'unwritable';
  readonly path: string;
}

/** Looks at the files of a folder without reading them. @throws PlanError STORAGE_FAILED */
export async function inspectFiles(store: string, planFolder: PlanFolder): Promise<readonly FileFinding[]> {
  const folder = planFolderPath(store, planFolder);
  const names = await folderEntryNames(folder);
  const found = await Promise.all(names.map((name) => inspectFile(join(folder, name), name)));
  return found.flat();
}

/** Looks at the folders of the journal. @throws PlanError STORAGE_FAILED */
export async function inspectJournal(store: string): Promise<readonly FileFinding[]> {
  const folder = join(store, 'journal');
  const entries = await readPlainFolder(folder).catch(() => []);
  return entries
    .filter((entry) => PLAN_ID_PATTERN.test(entry.name) && !entry.isDirectory())
    .map((entry) => ({
      kind: entry.isSymbolicLink() ? 'link' : 'not_a_folder',
      path: join(folder, entry.name),
    }));
}

/** Inspects the store's own files for lines that git needs and that they lack, by file name. */
export async function missingGitLines(store: string): Promise<ReadonlyMap<string, readonly string[]>> {
  const missing = new Map<string, readonly string[]>();
  for (const [name, wanted] of Object.entries(STORE_FILES)) {
    // What is no file is named as such.
    if ((await fileIdentity(join(store, name)).catch(() => 'none')) === 'none') continue;
    const there = new Set((await ownText(join(store, name))).split(/\r?\n/));
    const lines = wanted.split('\n').filter((line) => line !== '' && !there.has(line));
    if (lines.length > 0) missing.set(name, lines);
  }
  return missing;
}

async function inspectFile(path: string, name: string): Promise<readonly FileFinding[]> {
  const isPlan = planIdOfFile(name) !== null;
  const isFolder = KNOWN_FOLDERS.has(name);
  if (planIdOfPurged(name) !== null) return [{ kind: 'purged', path }];
  if (!isPlan && !isFolder && !KNOWN_FILES.has(name))
    return [{ kind: name.endsWith('.tmp') ? 'temporary' : 'strange', path }];
  const found = await lstat(path).catch(() => null);
  if (found === null) return [];
  if (found.isSymbolicLink()) return [{ kind: 'link', path }];
  if (isFolder) return found.isDirectory() ? [] : [{ kind: 'not_a_folder', path }];
  if (!found.isFile()) return [{ kind: 'not_a_file', path }];
  if (!isPlan) return [];
  if (!(await isAllowed(path, constants.R_OK))) return [{ kind: 'unreadable', path }];
  return (await isAllowed(path, constants.W_OK)) ? [] : [{ kind: 'unwritable', path }];
}

async function isAllowed(path: string, mode: number): Promise<boolean> {
  return access(path, mode).then(
    () => true,
    () => false,
  );
}

/**
 * Inspects one of the store's own files, such as `.gitignore`: its text, empty where there is none.
 * @throws PlanError STORAGE_FAILED
 */
export async function ownText(path: string): Promise<string> {
  try {
    return await readPlainFile(path, MOST_OWN_BYTES);
  } catch (cause) {
    if (errorCode(cause) === 'ENOENT') return '';
    throw storageError('read', path, cause);
  }
}
