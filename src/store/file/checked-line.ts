import type { FileHandle } from 'node:fs/promises';

import { openPlainFile } from './plain-file.js';
import { checksum } from './seal.js';
import { storageError } from './storage-error.js';

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
 * The line, without its newline, that ends exactly at `end`, or null when none does.
 * @throws PlanError STORAGE_FAILED
 */
export async function lineEndingAt(path: string, end: number): Promise<Buffer | null> {
  let handle: FileHandle | null = null;
  try {
    handle = await openPlainFile(path);
    return await readLineBack(handle, end);
  } catch (cause) {
    throw storageError('read', path, cause);
  } finally {
    await handle?.close();
  }
}

async function readLineBack(handle: FileHandle, end: number): Promise<Buffer | null> {
  const parts: Buffer[] = [];
  for (let start = end; start > 0;) {
    const length = Math.min(CHUNK, start);
    start -= length;
    const { bytesRead, buffer } = await handle.read(Buffer.alloc(length), 0, length, start);
    if (bytesRead < length) return null;
    const isTail = parts.length === 0;
    if (isTail && buffer.at(-1) !== NEWLINE) return null;
    const rest = isTail ? buffer.subarray(0, -1) : buffer;
    const previous = rest.lastIndexOf(NEWLINE);
    parts.push(rest.subarray(previous + 1));
    if (previous !== -1 || start === 0) return Buffer.concat(parts.toReversed());
  }
  return null;
}
