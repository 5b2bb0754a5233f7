import { closeSync, readSync } from 'node:fs';

import { openToReadNow } from '../../../host/files/plain-file.js';
import { checksum } from '../snapshot/checksum.js';
import { storageError } from '../../../host/files/storage-error.js';

const CRC_PATTERN = /,"crc":"([0-9a-f]{8})"\}\r?$/;
const CRC_LENGTH = ',"crc":"01234567"}'.length;
const CHUNK = 1 << 16;
const NEWLINE = 0x0a;

/** The JSON of a line of an event log, without its checksum, when that fits; else what is wrong. */
export type CheckedLine = { readonly text: string } | { readonly damage: string };

/** Holds a line, without its newline, against the checksum at its end. */
export function checkLine(line: Buffer): CheckedLine {
  const tail = line.subarray(Math.max(0, line.length - CRC_LENGTH - 1)).toString('latin1');
  const crc = CRC_PATTERN.exec(tail);
  if (crc === null) return { damage: 'the line is cut off or is no event' };
  const body = line.subarray(0, line.length - crc[0].length);
  if (checksum(body) !== crc[1]) return { damage: 'the line’s checksum does not fit its text' };
  return { text: `${body.toString('utf8')}}` };
}

/** A line of a log from the text of its event up to the closing brace, with its checksum. */
export function withChecksum(body: string): string {
  return `${body},"crc":"${checksum(Buffer.from(body))}"}`;
}

/**
 * The line, without its newline, that ends exactly at `end`, or null when none does. Synchronous: it reads
 * little, and a turn through the thread pool would take longer.
 * @throws PlanError STORAGE_FAILED
 */
export function lineEndingAt(path: string, end: number): Buffer | null {
  let file: number | null = null;
  try {
    file = openToReadNow(path);
    return readLineBack(file, end);
  } catch (cause) {
    throw storageError('read', path, cause);
  } finally {
    if (file !== null) closeSync(file);
  }
}

function readLineBack(file: number, end: number): Buffer | null {
  const parts: Buffer[] = [];
  for (let start = end; start > 0;) {
    const length = Math.min(CHUNK, start);
    start -= length;
    const chunk = Buffer.alloc(length);
    if (readSync(file, chunk, 0, length, start) < length) return null;
    const isTail = parts.length === 0;
    if (isTail && chunk.at(-1) !== NEWLINE) return null;
    const rest = isTail ? chunk.subarray(0, -1) : chunk;
    const previous = rest.lastIndexOf(NEWLINE);
    parts.push(rest.subarray(previous + 1));
    if (previous !== -1 || start === 0) return Buffer.concat(parts.toReversed());
  }
  return null;
}
