import { fstatSync, readSync } from 'node:fs';
import type { Stats } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';

const FIRST_ROOM = 1 << 16;

/**
 * Reads all that is left of an open file up to a limit, however long it says that it is: a device says nothing,
 * and others may grow.
 * @returns null when that is more than `limit` bytes
 */
export async function readBounded(file: FileHandle, limit: number): Promise<Buffer | null> {
  let room = firstRoom(await file.stat(), limit);
  if (room === null) return null;
  for (let length = 0; ;) {
    const { bytesRead } = await file.read(room, length, room.length - length, null);
    if (bytesRead === 0) return room.subarray(0, length);
    length += bytesRead;
    if (length > limit) return null;
    if (length === room.length) room = withMoreRoom(room, limit);
  }
}

/**
 * Reads all that is left of an open file up to a limit, as {@link readBounded} does, synchronously.
 * @param file its descriptor
 */
export function readBoundedNow(file: number, limit: number): Buffer | null {
  let room = firstRoom(fstatSync(file), limit);
  if (room === null) return null;
  for (let length = 0; ;) {
    const bytesRead = readSync(file, room, length, room.length - length, null);
    if (bytesRead === 0) return room.subarray(0, length);
    length += bytesRead;
    if (length > limit) return null;
    if (length === room.length) room = withMoreRoom(room, limit);
  }
}

// One byte more than is wanted shows, when it is filled, that there is more.
function firstRoom(found: Stats, limit: number): Buffer | null {
  if (found.isFile() && found.size > limit) return null;
  return Buffer.allocUnsafe(Math.min(found.size === 0 ? FIRST_ROOM : found.size, limit) + 1);
}

function withMoreRoom(room: Buffer, limit: number): Buffer {
  const more = Buffer.allocUnsafe(Math.min(2 * room.length, limit + 1));
  room.copy(more);
  return more;
}
