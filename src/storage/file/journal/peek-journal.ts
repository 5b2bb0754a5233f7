import { lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

import type { FileIdentity } from '../../../host/files/file-identity.js';
import { inFolderNow } from '../../../host/files/folder-handle.js';
import { folderIdentity } from './folder-identity.js';
import { readPlainBytesNow } from '../../../host/files/plain-file.js';

const LINK = /^(\d+)\.jsonl$/;
const MOST_MARK_BYTES = 64;

/** What a journal says of the log that is there now. */
export interface JournalLook {
  /** Whether the journal has this log and no other: then it lacks nothing that was acknowledged here. */
  readonly isReconciled: boolean;
  /** What tells this log file from every other, in the replica of whoever appends; null where nobody has yet. */
  readonly mark: string | null;
  /** Paths of the other log files that were appended to here, and that something may have put this one in place of. */
  readonly others: readonly string[];
}

/**
 * Looks at the journal of a plan, at once and without writing. Never throws: a journal that cannot be read is none.
 * @param store the store's folder
 * @param folder the folder of the plan's journal
 */
export function peekJournal(store: string, folder: string, log: FileIdentity): JournalLook {
  const names = journalFileNames(folder);
  if (names.length === 0) return { isReconciled: false, mark: null, others: [] };
  const own = linkName(log.inode);
  const others = names.filter((name) => name !== own && isOwnJournalLink(folder, name));
  const mark = names.includes(markName(store, log.inode))
    ? readMark(join(folder, markName(store, log.inode)))
    : null;
  return {
    isReconciled:
      mark !== null && others.length === 0 && names.includes(own) && isOwnJournalLink(folder, own),
    mark,
    others: others.map((name) => join(folder, name)),
  };
}

/** The names in the journal of a plan; none when there is no journal. */
export function journalFileNames(folder: string): readonly string[] {
  try {
    return inFolderNow(folder, ({ accessPath }) => readdirSync(accessPath));
  } catch {
    return [];
  }
}

/** The name of a journal's link to a log. */
export function linkName(inode: number): string {
  return `${inode}.jsonl`;
}

/** The name of the journal's link to the log that a link or a mark of this name is of; null for another file. */
export function linkOf(name: string): string | null {
  const inode = /^(\d+)(?:\.jsonl|-.*\.mark)$/.exec(name)?.[1];
  return inode === undefined ? null : `${inode}.jsonl`;
}

/**
 * The name of the file of a journal with the mark of a log: another after each start of the machine, and in every
 * copy.
 */
export function markName(store: string, inode: number): string {
  return `${inode}-${folderIdentity(store)}.mark`;
}

const TAKEN = /^taken(?:-([1-9]\d{0,14}))?\.jsonl$/;

/** Whether a name is that of a file in which a journal keeps what git took. */
export function isTakenName(name: string): boolean {
  return TAKEN.test(name);
}

/**
 * Which of the states of what git took a file of the journal holds, newer ones having higher numbers; null for
 * another file.
 */
export function takenVersion(name: string): number | null {
  const found = TAKEN.exec(name);
  return found === null ? null : Number(found[1] ?? 0);
}

/** Whether a name is that of a link that was made here: in a store that was copied, the number is another. */
export function isOwnJournalLink(folder: string, name: string): boolean {
  const inode = LINK.exec(name)?.[1];
  if (inode === undefined) return false;
  try {
    const found = inFolderNow(folder, ({ at }) => lstatSync(at(name)));
    return found.isFile() && found.ino === Number(inode);
  } catch {
    return false;
  }
}

/** Reads the mark that a journal has of a log; null when it cannot be read, or is none. */
export function readMark(path: string): string | null {
  try {
    const mark = readPlainBytesNow(path, MOST_MARK_BYTES).toString('latin1');
    return /^[0-9a-z]{0,20}$/.test(mark) ? mark : null;
  } catch {
    return null;
  }
}
