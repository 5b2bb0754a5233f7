import type { BigIntStats } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { crc32 } from 'node:zlib';

import * as z from 'zod';

import { openPlainFile, overwritePlainFileNow, readPlainBytesNow } from '../../../host/files/plain-file.js';
import type { Damage } from '../../plan-store.js';

/** A record is no longer than this. */
const MOST_RECORD_BYTES = 64 * 1024;
/** Of a file that was changed just now the times may not tell a change that comes after. */
const LEAST_AGE_MS = 2500;
const CHUNK = 1 << 20;

const recordSchema = z.object({
  /** Which file it is, and when the system last changed anything about it; null where that cannot be relied on. */
  file: z.string(),
  stamp: z.string().nullable(),
  /** How much of it was checked, the CRC-32 of that, and what was damaged there. */
  bytes: z.int().nonnegative(),
  crc: z.int().nonnegative(),
  damage: z.array(
    z.object({
      kind: z.enum(['torn', 'unknown', 'conflict_marker', 'damaged']),
      line: z.int().positive(),
      mark: z.string(),
      reason: z.string(),
    }),
  ),
});

type Record = z.infer<typeof recordSchema>;

/** The part of a log that was checked before and is as it was then. */
interface CheckedPart {
  readonly bytes: number;
  readonly damage: readonly Damage[];
}

/** What is remembered of the checking of a log, so that one that did not change need not be checked again. */
export interface CheckedParts {
  /** What was checked before and has not changed since. */
  known(): Promise<CheckedPart>;
  /** Remembers what was found. @param bytes how much was checked, up to the end of a line */
  note(bytes: number, damage: readonly Damage[]): Promise<void>;
}

/**
 * Looks at what a record says of a log. It is believed where it is of this very file and either the file's size and times
 * are those of then, or the bytes that were checked have the CRC-32 that they had: one pass over them, which is many times
 * faster than looking at each line. A record that cannot be read or written is as if it were not there.
 * @param record the path of the record, which no other copy of the store has
 * @param now milliseconds since 1970
 * @throws PlanError STORAGE_FAILED when the log cannot be read
 */
export async function openCheckedParts(
  path: string,
  record: string,
  now: () => number,
): Promise<CheckedParts> {
  const before = await withLog(path, (handle) => handle.stat({ bigint: true }));
  const kept = readRecord(record);
  const mine =
    kept !== null && kept.file === fileOf(before) && kept.bytes <= Number(before.size) ? kept : null;
  let crcOfKnown = { bytes: 0, crc: 0 };
  let isFresh = false;

  return {
    async known() {
      if (mine === null) return { bytes: 0, damage: [] };
      isFresh = mine.stamp !== null && mine.stamp === stampOf(before);
      if (!isFresh && (await withLog(path, (handle) => crcOf(handle, 0, mine.bytes, 0))) !== mine.crc)
        return { bytes: 0, damage: [] };
      crcOfKnown = { bytes: mine.bytes, crc: mine.crc };
      return { bytes: mine.bytes, damage: mine.damage };
    },
    async note(bytes, damage) {
      if (isFresh && bytes === crcOfKnown.bytes) return;
      const { bytes: from, crc: start } = crcOfKnown;
      const crc = await withLog(path, (handle) => crcOf(handle, from, bytes, start));
      // What was changed between the checking and this reading was not checked.
      const after = await withLog(path, (handle) => handle.stat({ bigint: true }));
      if (fileOf(after) !== fileOf(before) || stampOf(after) !== stampOf(before)) return;
      const isOld = now() - Number(before.ctimeMs) > LEAST_AGE_MS;
      const stamp = isOld ? stampOf(before) : null;
      writeRecord(record, { file: fileOf(before), stamp, bytes, crc, damage: [...damage] });
    },
  };
}

async function withLog<T>(path: string, work: (handle: FileHandle) => Promise<T>): Promise<T> {
  const handle = await openPlainFile(path);
  try {
    return await work(handle);
  } finally {
    await handle.close();
  }
}

async function crcOf(handle: FileHandle, from: number, to: number, start: number): Promise<number> {
  const chunk = Buffer.alloc(Math.min(CHUNK, Math.max(1, to - from)));
  let crc = start;
  for (let position = from; position < to;) {
    const { bytesRead } = await handle.read(chunk, 0, Math.min(chunk.length, to - position), position);
    if (bytesRead === 0) return -1;
    crc = crc32(chunk.subarray(0, bytesRead), crc);
    position += bytesRead;
  }
  return crc;
}

function fileOf({ dev, ino }: BigIntStats): string {
  return `${dev} ${ino}`;
}

function stampOf({ size, mtimeNs, ctimeNs }: BigIntStats): string {
  return `${size} ${mtimeNs} ${ctimeNs}`;
}

function readRecord(path: string): Record | null {
  try {
    const { crc, ...kept } = z
      .object({ crc: z.int(), text: z.string() })
      .parse(JSON.parse(readPlainBytesNow(path, MOST_RECORD_BYTES).toString('utf8')));
    return crc32(kept.text) === crc ? recordSchema.parse(JSON.parse(kept.text)) : null;
  } catch {
    return null;
  }
}

function writeRecord(path: string, record: Record): void {
  const text = JSON.stringify(record);
  const whole = JSON.stringify({ crc: crc32(text), text });
  if (whole.length > MOST_RECORD_BYTES) return;
  try {
    overwritePlainFileNow(path, whole);
  } catch {
    // Then all of the log is checked the next time.
  }
}
