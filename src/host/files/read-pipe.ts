import { constants, openSync } from 'node:fs';
import { Socket } from 'node:net';

let waiting = 0;

/** Whether this process waits for whoever writes to a named pipe: it may be ended then, for nothing else is under way. */
export function isWaitingForPipe(): boolean {
  return waiting > 0;
}

/**
 * Reads a named pipe up to a limit. No thread waits for who writes to it, because one that did could not be ended, not
 * even with the process.
 * @returns null when that is more than `limit` bytes
 */
export async function readPipe(path: string, limit: number): Promise<Buffer | null> {
  const fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  const socket = new Socket({ fd, readable: true, writable: false });
  const parts: Buffer[] = [];
  let length = 0;
  waiting += 1;
  try {
    for await (const part of socket) {
      if (!Buffer.isBuffer(part)) continue;
      length += part.length;
      if (length > limit) return null;
      parts.push(part);
    }
    return Buffer.concat(parts);
  } finally {
    waiting -= 1;
    socket.destroy();
  }
}
