import { unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';

import { tellsBirths } from '../../../host/files/file-identity.js';
import type { FileIdentity } from '../../../host/files/file-identity.js';
import { inFolderNow } from '../../../host/files/folder-handle.js';
import { overwritePlainFileNow } from '../../../host/files/plain-file.js';
import { journalFileNames } from './peek-journal.js';

/**
 * Notes of which log file the last plan files were made, as names of empty files: each process makes its own, so that none
 * writes over another's and nobody reads half of one.
 */
const NOTE = /^[0-9a-z]{9}-(\d+-\d+)-([0-9a-f]{8})\.published$/;
/** Several processes note what they publish, and do not publish it when another was faster. */
const MOST_NOTES = 16;

/** Whether a name in a journal is that of such a note. */
export function isPublishedNote(name: string): boolean {
  return NOTE.test(name);
}

/**
 * Notes of which log file a plan file is made that is about to be written.
 * @param folder of the journal
 * @param event the last that the plan file reflects
 * @param now milliseconds since 1970
 */
export function notePublished(folder: string, log: FileIdentity, event: string, now: number): void {
  try {
    const said = `${fileOf(log)}-${hashOf(event)}.published`;
    const notes = journalFileNames(folder).filter(isPublishedNote);
    const old = notes.filter((name) => !name.endsWith(`-${said}`));
    if (old.length === notes.length)
      overwritePlainFileNow(join(folder, `${Math.floor(now).toString(36).padStart(9, '0')}-${said}`), '');
    for (const name of old.toSorted().slice(0, Math.max(0, old.length - MOST_NOTES))) dropNote(folder, name);
  } catch {
    // It is needed only where something goes wrong, and there may be no journal.
  }
}

/** Removes a note; a folder that has its name stays, and keeps no other from being removed. */
function dropNote(folder: string, name: string): void {
  try {
    inFolderNow(folder, ({ at }) => unlinkSync(at(name)));
  } catch {
    // Another process may have removed it.
  }
}

/** Whether a plan file was made of another log file than this one, by what was noted of it. */
export function isNotedOfOther(folder: string, log: FileIdentity, event: string): boolean {
  const hash = hashOf(event);
  const files = journalFileNames(folder).flatMap((name) => {
    const [, file, of] = NOTE.exec(name) ?? [];
    return file !== undefined && of === hash ? [file] : [];
  });
  const [inode, birth] = fileOf(log).split('-');
  const isOther = (file: string) => {
    const [notedInode, notedBirth] = file.split('-');
    // A later file can have the number of an earlier one.
    return notedInode !== inode || (notedBirth !== birth && tellsBirths(folder));
  };
  return files.length > 0 && files.every(isOther);
}

/** The number of a file and the microseconds since 1970 at which it was made. */
function fileOf({ inode, birthTime }: FileIdentity): string {
  return `${inode}-${Math.max(0, Math.round(birthTime * 1000))}`;
}

function hashOf(event: string): string {
  return crc32(event).toString(16).padStart(8, '0');
}
