import { closeSync, fdatasync, fstatSync, writeSync } from 'node:fs';
import { promisify } from 'node:util';

import { PlanError } from '../../../kernel/errors.js';
import { identityOf, isSameFile } from '../../../host/files/file-identity.js';
import type { FileIdentity } from '../../../host/files/file-identity.js';
import { openToAppend, openToReadNow } from '../../../host/files/plain-file.js';
import { createFile } from '../../../host/files/replace-file.js';
import type { Creating } from '../../../host/files/replace-file.js';
import { errorCode, storageError, unsureError } from '../../../host/files/storage-error.js';

/**
 * Makes a log that holds `content` from its first moment, so that nobody ever sees an empty one.
 * @returns false when there is a log of that name already, or is to be none
 * @throws PlanError STORAGE_FAILED
 */
export async function createLog(path: string, content: string, how?: Creating): Promise<boolean> {
  try {
    return await createFile(path, content, how);
  } catch (cause) {
    throw storageError('create', path, cause);
  }
}

/**
 * Appends events to a log in a single write and waits until the disk has it. Never makes the file. All but that
 * wait is done at once: these calls take microseconds, where a turn through the thread pool would take longer.
 * @param expected the file that the path must name; when it names another by now, nothing is written
 * @param how.onlyAt the bytes that it must hold, where what comes before matters; when it holds more, nothing is written
 * @param how.onWritten called before the wait
 * @returns the file that was written to, as it was before the wait: the disk has all of that size. It is for the
 *   caller to see whether the path still names that file. Null when the path named another one, or none.
 * @throws PlanError STORAGE_FAILED; a part of the text may then be in the file, as a torn line; where all of it was
 *   written and the wait for the disk failed, the error says that nobody can tell
 */
export async function appendDurably(
  path: string,
  bytes: Buffer,
  expected: FileIdentity,
  { onlyAt, onWritten }: { readonly onlyAt?: number; readonly onWritten?: (() => void) | undefined } = {},
): Promise<FileIdentity | null> {
  let file: number | null = null;
  let isWritten = false;
  try {
    file = openToAppend(path);
    const there = identityOf(fstatSync(file));
    if (!isSameFile(there, expected) || (onlyAt !== undefined && there.size !== onlyAt)) return null;
    const written = writeSync(file, bytes);
    if (written < bytes.length) throw whyNoMore(file, written, bytes.length);
    isWritten = true;
    const found = identityOf(fstatSync(file));
    onWritten?.();
    await flush(file);
    return found;
  } catch (cause) {
    if (file === null && errorCode(cause) === 'ENOENT') return null;
    throw isWritten ? unsureError(path, cause) : storageError('append to', path, cause);
  } finally {
    if (file !== null) closeSync(file);
  }
}

/**
 * Waits until the disk has what a log holds, whoever wrote it.
 * @returns the file, as it was before the wait
 * @throws PlanError STORAGE_FAILED
 */
export async function syncLog(path: string): Promise<FileIdentity> {
  let file: number | null = null;
  try {
    file = openToReadNow(path);
    const found = identityOf(fstatSync(file));
    await flush(file);
    return found;
  } catch (cause) {
    throw storageError('read', path, cause);
  } finally {
    if (file !== null) closeSync(file);
  }
}

const flush = promisify(fdatasync);

/** Asks the system why it took only a part, with a newline, which also ends the torn line. */
function whyNoMore(file: number, written: number, wanted: number): unknown {
  try {
    writeSync(file, '\n');
    return new Error(`only ${written} of ${wanted} bytes were written`);
  } catch (cause) {
    return cause;
  }
}

/** The error for a log that vanished while it was in use. */
export function logRemoved(path: string): PlanError {
  return new PlanError('STORAGE_FAILED', `the event log ${path} was removed while it was in use`, {
    hint: {
      commandLine:
        '`plan doctor --fix` puts it back from the journal, if that has it; else bring the file back from version control or a backup.',
    },
    details: { path },
  });
}
