import { chmod, link, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { crc32 } from 'node:zlib';

import { PlanError } from '../../../kernel/errors.js';
import { syncLog } from '../log/event-log.js';
import { fileIdentityNow, isSameFile } from '../../../host/files/file-identity.js';
import type { FileIdentity } from '../../../host/files/file-identity.js';
import { inFolder, inFolderOf } from '../../../host/files/folder-handle.js';
import {
  isOwnJournalLink,
  isTakenName,
  linkName,
  linkOf,
  peekJournal,
  markName,
  journalFileNames,
  readMark,
} from './peek-journal.js';
import type { JournalLook } from './peek-journal.js';
import { isNotedOfOther, isPublishedNote, notePublished } from './published-notes.js';
import { CHECKED, journalFolder } from '../store-paths.js';
import { folderIdentity } from './folder-identity.js';
import { sweepTemporaries } from '../sweep-temporaries.js';
import { makeFolder } from '../../../host/files/make-folder.js';
import { deleteFile } from '../../../host/files/move-file.js';
import { createFile, isTemporary } from '../../../host/files/replace-file.js';
import { errorCode } from '../../../host/files/storage-error.js';

/** How often a mark is made that another process, or whatever stood in its place, takes away again. */
const MOST_ATTEMPTS = 100;

/** What keeps a journal from being kept: the log is then as safe as the file alone is. */
const IMPOSSIBLE = new Set([
  'EACCES',
  'EPERM',
  'EROFS',
  'EXDEV',
  'EMLINK',
  'ENOTSUP',
  'EOPNOTSUPP',
  'ENOSYS',
]);

/**
 * The journal of a plan: a hard link to each file that its log was while this copy of the store appended to it. When
 * git, or anything else, puts another file in place of the log, what was acknowledged is still in the old one. It
 * costs nothing more for each change, since a link needs no second write, and is kept out of git.
 */
export interface Journal {
  /** See {@link peekJournal}. */
  look(log: FileIdentity): JournalLook;
  /** Whether any log of the plan was appended to here and is still linked. */
  hasAny(): boolean;
  /** Notes of which log file a plan file is made that is about to be written. @param event the last that it reflects */
  notePublished(log: FileIdentity, event: string): void;
  /**
   * Whether a plan file was made here of another log file than the one that is there now. A note that a copied store brought
   * along does not count: in the copy the journal has no link that is its own.
   */
  isOfOther(log: FileIdentity, event: string): boolean;
  /** A mark for a log where there can be no journal. */
  makeshiftMark(log: FileIdentity): string;
  /** Agrees with every other process on the mark of a log file. Nobody may append to it before. */
  agree(log: FileIdentity): Promise<string>;
  /**
   * Makes a log file part of the journal, once the disk has what it holds.
   * @returns false when the path names another file by then
   */
  keep(path: string, log: FileIdentity): Promise<boolean>;
  /** Where it is kept, with what git took out of the log on purpose and nobody has decided about. */
  readonly folder: string;
  /** Makes the folder. */
  prepare(): Promise<void>;
  /**
   * Removes the links to other logs, whose lines are seen to, and what a copied store brought along. A link that was made
   * since stays: of that log nothing has been seen.
   * @param seen the links that were looked at, as they were then: a later log may have the number of an earlier one
   * @param path of the log: a mark without a link stays where it is that of the file there
   */
  forget(log: FileIdentity, seen: readonly SeenLink[], path: string): Promise<void>;
  /** Removes all there is. */
  clear(): Promise<void>;
}

/** A link to another log than the one that is there now, and which file that was. */
interface SeenLink {
  readonly path: string;
  readonly file: FileIdentity | null;
}

export interface JournalOptions {
  /** The store's folder. */
  readonly store: string;
  readonly planId: string;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Where a new mark comes from: up to 20 of 0-9a-z. */
  readonly makeMark: () => string;
  /** The mark of every log, where files are to be the same on every machine. */
  readonly fixedMark?: (() => string) | undefined;
}

/** Opens the journal of a plan; nothing is made before it is needed. */
export function openJournal({ store, planId, now, makeMark, fixedMark }: JournalOptions): Journal {
  const folder = journalFolder(store, planId);
  const hasAny = () => journalFileNames(folder).some((name) => isOwnJournalLink(folder, name));

  return {
    folder,
    look: (log) => peekJournal(store, folder, log),
    hasAny,
    notePublished: (log, event) => notePublished(folder, log, event, now()),
    isOfOther: (log, event) => isNotedOfOther(folder, log, event) && hasAny(),
    makeshiftMark: (log) => fixedMark?.() ?? crc32(`${log.inode} ${folderIdentity(store)}`).toString(36),
    async agree(log) {
      await prepare(store, folder);
      const path = join(folder, markName(store, log.inode));
      for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt += 1) {
        if (await createFile(path, fixedMark?.() ?? makeMark())) await alikeTo(store, path, 0o666);
        const found = fileIdentityNow(path);
        const mark = readMark(path);
        if (mark !== null) return mark;
        // A process that found another log has removed it since, and the next attempt makes one; or a store brought it.
        const now = fileIdentityNow(path);
        if (found !== null && now !== null && isSameFile(found, now)) await deleteFile(path);
      }
      throw new PlanError('STORAGE_FAILED', `${path} is not a mark of a log`, {
        hint: { commandLine: 'Run the command again.' },
      });
    },
    async keep(path, log) {
      await syncLog(path);
      const names = journalFileNames(folder);
      const isFirst = !names.some((name) => isOwnJournalLink(folder, name));
      await inFolderOf(path, (from) =>
        inFolder(folder, async ({ at, sync }) => {
          await link(from, at(linkName(log.inode))).catch(ignoreExisting);
          await sync();
        }),
      );
      // In a store that was copied the notes are of files of the original.
      if (isFirst) await remove(names.filter(isPublishedNote));
      if (isOwnJournalLink(folder, linkName(log.inode))) return true;
      // It was another file already, or a copied store brought one of that name.
      await deleteFile(join(folder, linkName(log.inode)));
      return false;
    },
    prepare: () => prepare(store, folder),
    async forget(log, links, path) {
      const kept = new Set([linkName(log.inode), markName(store, log.inode), CHECKED]);
      const seen = new Set(links.filter(isStillThere).map((each) => basename(each.path)));
      const current = fileIdentityNow(path)?.inode ?? null;
      const isOfNewLog = (name: string): boolean => {
        const link = linkOf(name);
        if (link === null || seen.has(link)) return false;
        return isOwnJournalLink(folder, link) || (current !== null && name === markName(store, current));
      };
      const names = journalFileNames(folder);
      await remove(
        names.filter(
          (name) =>
            !kept.has(name) &&
            !isTakenName(name) &&
            !isPublishedNote(name) &&
            !isTemporary(name) &&
            !isOfNewLog(name),
        ),
      );
      await sweepTemporaries(folder, names, now());
    },
    clear: () => remove(journalFileNames(folder)),
  };

  async function remove(names: readonly string[]): Promise<void> {
    // First the marks: one without its link could be taken for that of a later file.
    for (const name of [...names.filter(isMark), ...names.filter((name) => !isMark(name))])
      await deleteFile(join(folder, name));
  }
}

/** Whether the reason for which a journal could not be written is that there can be none here. */
export function isImpossible(thrown: unknown): boolean {
  const reason = thrown instanceof PlanError ? thrown.details.reason : errorCode(thrown);
  return typeof reason === 'string' && IMPOSSIBLE.has(reason);
}

function isStillThere({ path, file }: SeenLink): boolean {
  const now = fileIdentityNow(path);
  return now === null || file === null || (isSameFile(now, file) && now.birthTime === file.birthTime);
}

const isMark = (name: string) => name.endsWith('.mark');

async function prepare(store: string, folder: string): Promise<void> {
  const made = await stat(folder).catch(() => null);
  if (made !== null) return;
  await makeFolder(folder);
  // In a store that several users share they share this too.
  for (const each of [dirname(folder), folder]) await alikeTo(store, each, 0o7777);
  await createFile(join(dirname(folder), '.gitignore'), '*\n');
}

/** Gives a file or folder the rights that the store's folder has, as far as that can be done. */
async function alikeTo(store: string, path: string, bits: number): Promise<void> {
  const { mode } = await stat(store);
  await inFolderOf(path, (at) => chmod(at, mode & bits)).catch(() => undefined);
}

function ignoreExisting(cause: unknown): void {
  if (errorCode(cause) !== 'EEXIST') throw cause;
}
