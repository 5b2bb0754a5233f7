import { decodeEvent } from './event-line.js';
import { idOf } from './lost-lines.js';
import type { LostLine } from './lost-lines.js';
import { readPlainBytes } from '../../../host/files/plain-file.js';
import { deleteFile, replaceFile } from '../../../host/files/replace-file.js';
import { errorCode, storageError } from '../../../host/files/storage-error.js';

const HEADER = /^\{"taken_by":/;

/** Changes that were acknowledged here and that git took out of the log when it was told to. */
export interface Taken {
  readonly lines: readonly LostLine[];
  /** What git was told, such as `reset: moving to HEAD`; empty when there are none. */
  readonly action: string;
}

/** Reads a file of taken lines; where there is none, nothing was taken. @throws PlanError STORAGE_FAILED */
export async function readTaken(path: string): Promise<Taken> {
  const lines: LostLine[] = [];
  let action = '';
  for (const text of (await textOf(path)).split('\n')) {
    if (HEADER.test(text)) action = actionOf(text);
    const bytes = Buffer.from(text);
    const id = idOf(bytes);
    const read = decodeEvent(bytes);
    if (id !== null) lines.push({ id, bytes, event: 'event' in read ? read.event : null });
  }
  return { lines, action };
}

/** Replaces a file of taken lines; without any it is removed. @throws PlanError STORAGE_FAILED */
export async function writeTaken(path: string, { lines, action }: Taken): Promise<void> {
  if (lines.length === 0) await deleteFile(path);
  else {
    const texts = [JSON.stringify({ taken_by: action }), ...lines.map(({ bytes }) => bytes.toString('utf8'))];
    await replaceFile(path, `${texts.join('\n')}\n`);
  }
}

function actionOf(header: string): string {
  try {
    const value: unknown = JSON.parse(header);
    return typeof value === 'object' && value !== null && 'taken_by' in value ? String(value.taken_by) : '';
  } catch {
    return '';
  }
}

async function textOf(path: string): Promise<string> {
  try {
    return (await readPlainBytes(path)).toString('utf8');
  } catch (cause) {
    if (errorCode(cause) === 'ENOENT') return '';
    throw storageError('read', path, cause);
  }
}
