import { closeSync, readSync } from 'node:fs';

import { PlanError } from '../../../kernel/errors.js';
import type { PlanEvent } from '../../../plan/events.js';
import { inCanonicalOrder } from '../../../plan/history.js';
import { checkLine } from '../../log/checked-line.js';
import { decodeEvent } from '../../log/event-line.js';
import { readRawLines } from './raw-lines.js';
import { openToReadNow } from '../../../host/files/plain-file.js';
import { errorCode, storageError } from '../../../host/files/storage-error.js';

const CHUNK = 1 << 20;
const NEWLINE = 0x0a;
/** The beginning of a line as this program writes it. */
const ID = /^\{"id":"([^"\\]{1,64})"/;
const MOST_ID_CHARACTERS = 80;

/** A line of a log that another log lacks. */
export interface LostLine {
  readonly id: string;
  readonly bytes: Buffer;
  /** Null for one of a newer version. */
  readonly event: PlanEvent | null;
}

/**
 * The events that are in some logs and not in another, in the order of the files. What the files begin with alike is
 * only compared, so this is quick where one is the other with more at its end.
 * @param size how much of the log is looked at
 * @throws PlanError STORAGE_FAILED
 */
export async function linesLost(
  log: string,
  size: number,
  others: readonly string[],
): Promise<readonly LostLine[]> {
  const found = new Map<string, LostLine>();
  for (const other of others) {
    const alike = sameBeginning(log, other);
    const candidates = await linesFrom(other, alike);
    if (candidates.size === 0) continue;
    if (size > alike)
      for await (const { bytes } of readRawLines(log, alike, size))
        candidates.delete(eventIdOfLine(bytes) ?? '');
    for (const [id, bytes] of candidates) {
      const line = decodeEvent(bytes);
      found.set(id, { id, bytes, event: 'event' in line ? line.event : null });
    }
  }
  return [...found.values()];
}

/**
 * Those of some ids whose events a log still has, none of which is lost.
 * @param size how much of it is looked at
 */
export async function idsPresent(
  log: string,
  size: number,
  ids: ReadonlySet<string>,
): Promise<ReadonlySet<string>> {
  const present = new Set<string>();
  for await (const { bytes } of readRawLines(log, 0, size)) {
    const id = eventIdOfLine(bytes);
    if (id !== null && ids.has(id)) present.add(id);
  }
  return present;
}

/** The lines from an offset on, by the ids of their events; none when another process has removed the file. */
async function linesFrom(path: string, from: number): Promise<Map<string, Buffer>> {
  const lines = new Map<string, Buffer>();
  try {
    for await (const { bytes } of readRawLines(path, from, Infinity)) {
      const id = eventIdOfLine(bytes);
      if (id !== null) lines.set(id, Buffer.from(bytes));
    }
  } catch (cause) {
    if (!(cause instanceof PlanError) || cause.details.reason !== 'ENOENT') throw cause;
  }
  return lines;
}

/**
 * The id of the event of a whole line, to tell which lines are lost, as far as that can be told without reading all
 * of it; null for a damaged line.
 */
export function eventIdOfLine(line: Buffer): string | null {
  if ('damage' in checkLine(line)) return null;
  const id = ID.exec(line.subarray(0, MOST_ID_CHARACTERS).toString('latin1'))?.[1];
  if (id !== undefined) return id;
  const read = decodeEvent(line);
  return 'event' in read ? read.event.id : null;
}

/** The ids of the events in the lines of a log, to tell which are lost. */
export function eventIdsInLines(log: Buffer): ReadonlySet<string> {
  const ids = new Set<string>();
  for (let start = 0; start < log.length;) {
    const newline = log.indexOf(NEWLINE, start);
    const end = newline === -1 ? log.length : newline;
    const id = eventIdOfLine(log.subarray(start, end));
    if (id !== null) ids.add(id);
    start = end + 1;
  }
  return ids;
}

/** How many bytes two files begin with alike, up to the end of a line. Files that are not there have none. */
function sameBeginning(one: string, two: string): number {
  const files: number[] = [];
  try {
    for (const path of [one, two]) files.push(openToReadNow(path));
    return compare(files[0] ?? -1, files[1] ?? -1);
  } catch (cause) {
    if (errorCode(cause) === 'ENOENT') return 0;
    throw storageError('read', two, cause);
  } finally {
    for (const file of files) closeSync(file);
  }
}

function compare(one: number, two: number): number {
  const [a, b] = [Buffer.allocUnsafe(CHUNK), Buffer.allocUnsafe(CHUNK)];
  let lastEnd = 0;
  for (let position = 0; ; position += CHUNK) {
    const length = Math.min(readSync(one, a, 0, CHUNK, position), readSync(two, b, 0, CHUNK, position));
    const alike = lengthAlike(a, b, length);
    const newline = a.subarray(0, alike).lastIndexOf(NEWLINE);
    if (newline !== -1) lastEnd = position + newline + 1;
    if (alike < CHUNK) return lastEnd;
  }
}

function lengthAlike(a: Buffer, b: Buffer, length: number): number {
  if (a.subarray(0, length).equals(b.subarray(0, length))) return length;
  let alike = 0;
  while (alike < length && a[alike] === b[alike]) alike += 1;
  return alike;
}

/** The events of lost lines, in the order in which they counted where they were. */
export function eventsOfLostLines(lines: readonly LostLine[]): readonly { readonly event: PlanEvent }[] {
  const known = lines.flatMap(({ event }) => (event === null ? [] : [event]));
  return inCanonicalOrder(known).map((event) => ({ event }));
}
