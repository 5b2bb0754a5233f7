import { join } from 'node:path';

import { PlanError } from '../../../kernel/errors.js';
import { decodeEvent } from '../../log/event-line.js';
import { eventIdOfLine } from './lost-lines.js';
import type { LostLine } from './lost-lines.js';
import { readPlainBytes } from '../../../host/files/plain-file.js';
import { deleteFile } from '../../../host/files/move-file.js';
import { createFile } from '../../../host/files/replace-file.js';
import { errorCode, storageError } from '../../../host/files/storage-error.js';
import { isTakenName, journalFileNames, takenVersion } from '../journal/peek-journal.js';

const HEADER = /^\{"taken_by":/;
/** How often a change is begun again because another process was faster. */
const MOST_ATTEMPTS = 100;

/** Changes that were acknowledged here and that git took out of the log when it was told to. */
export interface Taken {
  readonly lines: readonly LostLine[];
  /** What git was told, such as `reset: moving to HEAD`; empty when there are none. */
  readonly action: string;
  /** The file that they are in. */
  readonly file: string;
}

type Content = Pick<Taken, 'lines' | 'action'>;

/** Reads what was taken; where there is no such file, nothing was. @throws PlanError STORAGE_FAILED */
export async function readTaken(folder: string): Promise<Taken> {
  return (await readLatest(folder)).taken;
}

/**
 * Changes what is kept of what was taken. Each state is a file of its own with the next number, which only one process
 * can make: whoever finds that another was faster begins again with what that one wrote, so that nothing is lost.
 * @param change the next state, of the one that is there; the same one changes nothing. It may be made once more of a state
 *   that has it already, where another process went on from there at once: twice must be as once
 * @param unless asked just before it counts: whether the change is to be dropped
 * @throws PlanError STORAGE_FAILED
 */
export async function changeTaken(
  folder: string,
  change: (taken: Content) => Content,
  unless: () => Promise<boolean> = () => Promise.resolve(false),
): Promise<void> {
  for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt += 1) {
    const { version, taken } = await readLatest(folder);
    const next = change(taken);
    if (isSame(next, taken) || (await unless())) return;
    const path = pathOf(folder, version + 1);
    const isMade = await createFile(path, textOf(next), { unless });
    if (!isMade) {
      if (await unless()) return;
      continue;
    }
    if (latestVersion(folder) === version + 1) return removeOlder(folder, version + 1);
    // Others have gone on: from this one, or from another of its number that they have removed.
    await deleteFile(path);
  }
  throw new PlanError('STORAGE_FAILED', `other processes change ${folder} again and again`, {
    hint: { commandLine: 'Run the command again.' },
    details: { path: folder },
  });
}

async function readLatest(folder: string): Promise<{ readonly version: number; readonly taken: Taken }> {
  for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt += 1) {
    const version = latestVersion(folder);
    const file = pathOf(folder, Math.max(version, 0));
    if (version === -1) return { version, taken: { lines: [], action: '', file } };
    const text = await textIn(file);
    // It was removed since, because there is a newer one.
    if (text !== null) return { version, taken: { ...parse(text), file } };
  }
  throw new PlanError('STORAGE_FAILED', `other processes change ${folder} again and again`, {
    hint: { commandLine: 'Run the command again.' },
    details: { path: folder },
  });
}

/** The number of the newest state; -1 where there is none. */
function latestVersion(folder: string): number {
  return journalFileNames(folder).reduce((latest, name) => Math.max(latest, takenVersion(name) ?? -1), -1);
}

function pathOf(folder: string, version: number): string {
  return join(folder, version === 0 ? 'taken.jsonl' : `taken-${version}.jsonl`);
}

/** Removes what a newer state has taken the place of. That one stays, also without lines: numbers never begin anew. */
async function removeOlder(folder: string, version: number): Promise<void> {
  const older = journalFileNames(folder).filter(
    (name) => isTakenName(name) && (takenVersion(name) ?? 0) < version,
  );
  for (const name of older) await deleteFile(join(folder, name));
}

function isSame(next: Content, taken: Content): boolean {
  return (
    next.lines.length === taken.lines.length &&
    next.lines.every(({ id }, index) => id === taken.lines[index]?.id)
  );
}

function textOf({ lines, action }: Content): string {
  const texts = [JSON.stringify({ taken_by: action }), ...lines.map(({ bytes }) => bytes.toString('utf8'))];
  return `${texts.join('\n')}\n`;
}

function parse(text: string): Content {
  const lines: LostLine[] = [];
  let action = '';
  for (const each of text.split('\n')) {
    if (HEADER.test(each)) action = actionOf(each);
    const bytes = Buffer.from(each);
    const id = eventIdOfLine(bytes);
    const read = decodeEvent(bytes);
    if (id !== null) lines.push({ id, bytes, event: 'event' in read ? read.event : null });
  }
  return { lines, action };
}

function actionOf(header: string): string {
  try {
    const value: unknown = JSON.parse(header);
    return typeof value === 'object' && value !== null && 'taken_by' in value ? String(value.taken_by) : '';
  } catch {
    return '';
  }
}

async function textIn(path: string): Promise<string | null> {
  try {
    return (await readPlainBytes(path)).toString('utf8');
  } catch (cause) {
    if (errorCode(cause) === 'ENOENT') return null;
    throw storageError('read', path, cause);
  }
}
