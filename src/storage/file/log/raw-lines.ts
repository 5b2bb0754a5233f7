import { closeSync, readSync } from 'node:fs';

import { openToReadNow } from '../../../host/files/plain-file.js';
import { storageError } from '../../../host/files/storage-error.js';
import { MOST_LINE_BYTES } from '../../log/checked-line.js';
import type { RawLine } from '../../log/raw-line.js';

const CHUNK = 1 << 20;
/** So much is read at once of what passes: it stays in the processor's caches. */
const PASSING_CHUNK = 1 << 18;
/** So much is read without a turn of the event loop. A turn through the thread pool for each chunk would take longer than reading it. */
const AT_ONCE = 8 * CHUNK;
const NEWLINE = 0x0a;

/**
 * The lines from `from` up to `to` in file order, of which nothing is known but where they end; blank ones are passed
 * over. `whole` is false for what follows the last newline.
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
 * Reads the raw lines of a log as {@link readRawLines} does, as many at once as are read at once: a turn of an
 * asynchronous loop for each of a million lines would cost more than looking at them.
 * @param keeping `passing`: the bytes of lines are good until the next lines are asked for, so that the same memory does
 *   for all of them
 * @throws PlanError STORAGE_FAILED
 */
export async function* readRawBatches(
  path: string,
  from: number,
  to: number,
  keeping: 'kept' | 'passing' = 'kept',
): AsyncGenerator<readonly (RawLine & { readonly whole: boolean })[]> {
  const file = openLogToRead(path);
  try {
    let carried: Buffer[] = [];
    let isHopeless = false;
    let spare: Buffer | null = null;
    let lineStart = from;
    for (let position = from; position < to;) {
      if (position - from >= AT_ONCE) await turn();
      // Nothing is kept of what goes on with a hopeless line, so the same memory will do for all of it.
      const isPassing: boolean = keeping === 'passing';
      const into: Buffer =
        isHopeless || isPassing
          ? (spare ??= Buffer.alloc(isPassing ? PASSING_CHUNK : CHUNK))
          : Buffer.alloc(Math.min(CHUNK, to - position));
      const read = readChunk(file, path, position, into.subarray(0, to - position));
      const chunk = !isPassing && into === spare && read.includes(NEWLINE) ? Buffer.from(read) : read;
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
      if (!isHopeless) carried.push(isPassing ? Buffer.from(part) : part);
      // Of a line without end, or one with holes, only so much is kept that it shows what it is not.
      isHopeless ||= position - lineStart > MOST_LINE_BYTES || part.includes(0);
      if (isHopeless) carried = carried.slice(0, 1);
    }
    const rest = Buffer.concat(carried);
    if (!isBlank(rest)) yield [{ bytes: rest, offset: lineStart, end: to, whole: false }];
  } finally {
    closeSync(file);
  }
}

/**
 * The numbers of the lines that begin at some offsets, which ascend; the first of a file is 1, and blank ones count.
 * @throws PlanError STORAGE_FAILED
 */
export async function lineNumbersAt(path: string, offsets: readonly number[]): Promise<readonly number[]> {
  const numbers: number[] = [];
  const file = openLogToRead(path);
  const into = Buffer.alloc(PASSING_CHUNK);
  const last = offsets.at(-1) ?? 0;
  try {
    let line = 1;
    for (let position = 0; position < last;) {
      if (position >= AT_ONCE) await turn();
      const chunk = readChunk(file, path, position, into.subarray(0, last - position));
      if (chunk.length === 0) break;
      for (let at = chunk.indexOf(NEWLINE); at !== -1; at = chunk.indexOf(NEWLINE, at + 1)) {
        for (; (offsets[numbers.length] ?? Infinity) <= position + at;) numbers.push(line);
        line += 1;
      }
      position += chunk.length;
    }
    while (numbers.length < offsets.length) numbers.push(line);
    return numbers;
  } finally {
    closeSync(file);
  }
}

/** Opens a log to read lines of it; the caller closes it. @throws PlanError STORAGE_FAILED */
export function openLogToRead(path: string): number {
  try {
    return openToReadNow(path);
  } catch (cause) {
    throw storageError('read', path, cause);
  }
}

function readChunk(file: number, path: string, position: number, into: Buffer): Buffer {
  try {
    return into.subarray(0, readSync(file, into, 0, into.length, position));
  } catch (cause) {
    throw storageError('read', path, cause);
  }
}

/** Lets a process that serves others go on with that. */
function turn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}

function isBlank(line: Buffer): boolean {
  return line.length === 0 || (line.length === 1 && line[0] === 0x0d);
}
