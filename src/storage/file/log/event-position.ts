import { closeSync, readSync } from 'node:fs';
import { crc32 } from 'node:zlib';

import { openToReadNow } from '../../../host/files/plain-file.js';
import { storageError } from '../../../host/files/storage-error.js';

const CHUNK = 1 << 16;
const NEWLINE = 0x0a;
const CRC = /,"crc":"([0-9a-f]{8})"\}\r?\n$/;
const CRC_LENGTH = ',"crc":"01234567"}\r\n'.length;
/** How this program begins a line. */
const BEGINNING = /^\{"id":"([^"\\]{1,64})","at":"/;
const BEGINNING_LENGTH = 100;

/**
 * Id of the event that stands at a position: its line ends exactly at `end`, newline included; null where none does,
 * its checksum does not fit, or its id does not come first. A line that makes ten thousand goals is neither parsed
 * nor held in memory. Synchronous: mostly it reads little, and a turn through the thread pool would take longer.
 * @throws PlanError STORAGE_FAILED
 */
export function eventIdEndingAt(path: string, end: number): string | null {
  let file: number | null = null;
  try {
    file = openToReadNow(path);
    return idOfLine(file, end, Buffer.allocUnsafe(Math.min(CHUNK, end)));
  } catch (cause) {
    throw storageError('read', path, cause);
  } finally {
    if (file !== null) closeSync(file);
  }
}

function idOfLine(file: number, end: number, room: Buffer): string | null {
  const text = (from: number, to: number) => part(file, from, to, room)?.toString('latin1') ?? '';
  const crc = CRC.exec(text(Math.max(0, end - CRC_LENGTH), end));
  if (crc === null) return null;
  const start = startOfLine(file, end - 1, room);
  if (start === null || checksumOf(file, start, end - crc[0].length, room) !== crc[1]) return null;
  return BEGINNING.exec(text(start, Math.min(end, start + BEGINNING_LENGTH)))?.[1] ?? null;
}

/** The offset after the newline before `end`, or the beginning of the file. */
function startOfLine(file: number, end: number, room: Buffer): number | null {
  for (let to = end; to > 0; to -= room.length) {
    const from = Math.max(0, to - room.length);
    const newline = part(file, from, to, room)?.lastIndexOf(NEWLINE);
    if (newline === undefined) return null;
    if (newline !== -1) return from + newline + 1;
  }
  return 0;
}

function checksumOf(file: number, start: number, end: number, room: Buffer): string | null {
  let crc = 0;
  for (let from = start; from < end; from += room.length) {
    const bytes = part(file, from, Math.min(end, from + room.length), room);
    if (bytes === null) return null;
    crc = crc32(bytes, crc);
  }
  return crc.toString(16).padStart(8, '0');
}

/** Bytes of a file, which stay until the next are read; null when it has not so many. */
function part(file: number, from: number, to: number, room: Buffer): Buffer | null {
  const length = to - from;
  return length >= 0 && readSync(file, room, 0, length, from) === length ? room.subarray(0, length) : null;
}
