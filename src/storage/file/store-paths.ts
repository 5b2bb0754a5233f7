import { lstatSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';

import { PlanError } from '../../kernel/errors.js';
import { realFolder } from '../../host/files/folders.js';
import { truncate } from '../../kernel/text/truncate.js';
import { PLAN_ID_PATTERN } from '../../plan/ids.js';

/** The folder of a store, as `plan init` makes it. */
export const STORE_FOLDER = '.plans';

/**
 * The folders in which files of plans are. 0.1 moved archived plans to `archive/`; they stay there, and nothing is
 * moved any more.
 */
export type PlanFolder = 'store' | 'archive';

/** In the order in which they are looked through. */
export const PLAN_FOLDERS: readonly PlanFolder[] = ['store', 'archive'];

/** The files of one plan. */
export interface PlanPaths {
  readonly planFile: string;
  readonly eventLog: string;
  /** What the log is renamed to when the plan is deleted for good, until the rest is gone too. */
  readonly purgedLog: string;
}

/**
 * The nearest `.plans/` from `start` upward, as git finds `.git`; null when there is none.
 * @param start an absolute path
 * @throws PlanError STORAGE_FAILED when it is a link: a repository can bring one that leads anywhere
 */
export function findStore(start: string): string | null {
  for (let folder = realFolder(start); ; folder = dirname(folder)) {
    const candidate = join(folder, STORE_FOLDER);
    const found = lstatSync(candidate, { throwIfNoEntry: false });
    if (found?.isSymbolicLink() === true) throw linkedStore(candidate);
    if (found?.isDirectory() === true) return candidate;
    if (dirname(folder) === folder) return null;
  }
}

/** Where a plan's files are. The id is checked, so that nothing else becomes part of a path. */
export function planPaths(store: string, planId: string, planFolder: PlanFolder): PlanPaths {
  if (!PLAN_ID_PATTERN.test(planId)) {
    throw new PlanError('INVALID_INPUT', `${JSON.stringify(truncate(planId, 80))} is not a plan id`, {
      hint: { commandLine: 'A plan id is 8 hexadecimal characters; `plan list` shows them.' },
    });
  }
  // Not `join`, which would cost a list of a thousand plans some milliseconds.
  const base = `${planFolderPath(store, planFolder)}${sep}${planId}`;
  const eventLog = `${base}.events.jsonl`;
  return { planFile: `${base}.json`, eventLog, purgedLog: `${eventLog}.purged.tmp` };
}

/** The path of one of the folders for plans. */
export function planFolderPath(store: string, planFolder: PlanFolder): string {
  return planFolder === 'archive' ? join(store, 'archive') : store;
}

/** The plan id that a file name of the store carries, or null for any other file. */
export function planIdOfFile(name: string): string | null {
  return /^([0-9a-f]{8})(?:\.json|\.events\.jsonl)$/.exec(name)?.[1] ?? null;
}

/** The plan id that the name of a {@link PlanPaths.purgedLog} carries, or null for any other file. */
export function planIdOfPurged(name: string): string | null {
  return /^([0-9a-f]{8})\.events\.jsonl\.purged\.tmp$/.exec(name)?.[1] ?? null;
}

/** The path of the journal of a plan in the store. */
export const journalFolder = (store: string, planId: string) => join(store, 'journal', planId);
/** In the journal of a plan: what was checked of its log for damage. */
export const CHECKED = 'checked.json';
export const indexPath = (store: string) => join(store, 'index.json');
/** Where files are kept that a command was about to replace, or could not take in. */
export const backupPath = (store: string, name: string) => join(store, 'backup', name);
export const configPath = (store: string) => join(store, 'config.json');

const PLAN_FILE_GLOB = `${'[0-9a-f]'.repeat(8)}.json`;

/**
 * Files that a new store is made with. Logs merge by union, and so do plan files, so that neither stops a
 * merge; a merged plan file is made anew from its log. Caches stay out of git.
 */
export const STORE_FILES: Readonly<Record<string, string>> = {
  '.gitattributes': `*.events.jsonl merge=union eol=lf\n${PLAN_FILE_GLOB} merge=union eol=lf\n`,
  '.gitignore': 'index.json\n.replica\n*.tmp\nbackup/\n',
};

function linkedStore(path: string): PlanError {
  return new PlanError('STORAGE_FAILED', `cannot use ${path}: it is a symbolic link`, {
    hint: {
      commandLine:
        'A repository can bring such a link. If you made it yourself, name the folder it leads to with --dir or FRCTL_DIR.',
    },
    details: { path },
  });
}
