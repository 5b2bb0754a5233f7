import { closeSync, fdatasync, fstatSync, writeSync } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { promisify } from 'node:util';

import { PlanError } from '../../../kernel/errors.js';
import { MOST_LINE_BYTES } from './checked-line.js';
import { decodeEvent } from './event-line.js';
import { identityOf, isSameFile } from '../../../host/files/file-identity.js';
import type { FileIdentity } from '../../../host/files/file-identity.js';
import type { EventLine } from './event-line.js';
import { openPlainFile, openToAppend, openToReadNow } from '../../../host/files/plain-file.js';
import { createFile } from '../../../host/files/replace-file.js';
import { errorCode, storageError, unsureError } from '../../../host/files/storage-error.js';

const CHUNK = 1 << 20;
const NEWLINE = 0x0a;

/** A line of the log and where it stands. */
export type LogLine = EventLine & { readonly raw: RawLine };

/**
 * Makes a log that holds `content` from its first moment, so that nobody ever sees an empty one.
 * @param unless asked when all is written: whether there is to be no log after all
 * @returns false when there is a log of that name already, or is to be none
 * @throws PlanError STORAGE_FAILED
 */
export async function createLog(
  path: string,
  content: string,
  unless?: () => Promise<boolean>,
): Promise<boolean> {
  try {
    return await createFile(path, content, unless);
  } catch (cause) {
    throw storageError('create', path, cause);
  }
}

/**
 * Appends in a single write and waits until the disk has it. Never makes the file. All but that wait is
 * done at once: these calls take microseconds, where a turn through the thread pool would take longer.
 * @param expected the file that the path must name; when it names another by now, nothing is written
 * @returns the file that was written to, as it was before the wait: the disk has all of that size. It is for the
 *   caller to see whether the path still names that file. Null when the path named another one, or none.
 * @throws PlanError STORAGE_FAILED; a part of the text may then be in the file, as a torn line; where all of it was
 *   written and the wait for the disk failed, the error says that nobody can tell
 */
export async function appendDurably(
  path: string,
  bytes: Buffer,
  expected: FileIdentity,
): Promise<FileIdentity | null> {
  let file: number | null = null;
  let isWritten = false;
  try {
    file = openToAppend(path);
    if (!isSameFile(identityOf(fstatSync(file)), expected)) return null;
    const written = writeSync(file, bytes);
    if (written < bytes.length) throw whyNoMore(file, written, bytes.length);
    isWritten = true;
    const found = identityOf(fstatSync(file));
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

/** A line as it stands in the file, without its newline; `offset` is its first byte, `end` the one after its newline. */
export interface RawLine {
  readonly bytes: Buffer;
  readonly offset: number;
  readonly end: number;
}

/**
 * The complete lines from `from` up to `to`, in file order. An unfinished line at the end is left for a
 * later reading, since its writer may still be at it; one that lacks nothing but its newline is complete.
 * Blank lines are passed over.
 * @throws PlanError STORAGE_FAILED
 */
export async function* readLines(path: string, from: number, to: number): AsyncGenerator<LogLine> {
  for await (const { whole, ...raw } of readRawLines(path, from, to)) {
    const line = decodeEvent(raw.bytes);
    if (whole || 'event' in line) yield { ...line, raw };
  }
}

/**
 * The same as bytes, of which nothing is known but where they end. `whole` is false for what follows the last newline.
 * @throws PlanError STORAGE_FAILED
 */
export async function* readRawLines(
  path: string,
  from: number,
  to: number,
): AsyncGenerator<RawLine & { readonly whole: boolean }> {
  for await (const lines of readRawBatches(path, from, to)) yield* lines;
}

/**
 * The same, as many lines at once as are read at once: a turn of an asynchronous loop for each of a million lines would
 * cost more than looking at them.
 * @throws PlanError STORAGE_FAILED
 */
export async function* readRawBatches(
  path: string,
  from: number,
  to: number,
): AsyncGenerator<readonly (RawLine & { readonly whole: boolean })[]> {
  const handle = await openToRead(path);
  try {
    let carried: Buffer[] = [];
    let isHopeless = false;
    let spare: Buffer | null = null;
    let lineStart = from;
    for (let position = from; position < to;) {
      // Nothing is kept of what goes on with a hopeless line, so the same memory will do for all of it.
      const into: Buffer = isHopeless
        ? (spare ??= Buffer.alloc(CHUNK))
        : Buffer.alloc(Math.min(CHUNK, to - position));
      const read = await readChunk(handle, path, position, into.subarray(0, to - position));
      const chunk = into === spare && read.includes(NEWLINE) ? Buffer.from(read) : read;
      if (chunk.length === 0) return;
      let cursor = 0;
      const lines: (RawLine & { readonly whole: boolean })[] = [];
      for (let newline = chunk.indexOf(NEWLINE); newline !== -1; newline = chunk.indexOf(NEWLINE, cursor)) {
        const line = chunk.subarray(cursor, newline);
        const bytes = carried.length === 0 ? line : Buffer.concat([...carried, line]);
        carried = [];
        isHopeless = false;
        cursor = newline + 1;
        const end = position + cursor;
        if (!isBlank(bytes)) lines.push({ bytes, offset: lineStart, end, whole: true });
        lineStart = end;
      }
      if (lines.length > 0) yield lines;
      position += chunk.length;
      if (cursor === chunk.length) continue;
      const part = chunk.subarray(cursor);
      if (!isHopeless) carried.push(part);
      // Of a line without end, or one with holes, only so much is kept that it shows what it is not.
      isHopeless ||= position - lineStart > MOST_LINE_BYTES || part.includes(0);
      if (isHopeless) carried = carried.slice(0, 1);
    }
    const rest = Buffer.concat(carried);
    if (!isBlank(rest)) yield [{ bytes: rest, offset: lineStart, end: to, whole: false }];
  } finally {
    await handle.close();
  }
}

/** Asks the system why it took only a part, with a newline, which also ends the torn line. */
function whyNoMore(file: number, written: number, wanted: number): unknown {
  try {
    writeSync(file, '\n');
    return new Error(`only ${written} of ${wanted} bytes were written`);
  } catch (cause) {
    return cause;
  }
}

async function openToRead(path: string): Promise<FileHandle> {
  try {
    return await openPlainFile(path);
  } catch (cause) {
    throw storageError('read', path, cause);
  }
}

async function readChunk(handle: FileHandle, path: string, position: number, into: Buffer): Promise<Buffer> {
  try {
    const { bytesRead } = await handle.read(into, 0, into.length, position);
    return into.subarray(0, bytesRead);
  } catch (cause) {
    throw storageError('read', path, cause);
  }
}

function isBlank(line: Buffer): boolean {
  return line.length === 0 || (line.length === 1 && line[0] === 0x0d);
}

/** The error for a log that vanished while it was in use. */
export function logRemoved(path: string): PlanError {
  return new PlanError('STORAGE_FAILED', `the event log ${path} was removed while it was in use`, {
    hint: 'Bring the file back (for instance with `git checkout`) and run the command again.',
    details: { path },
  });
}
