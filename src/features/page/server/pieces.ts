import type { ServerResponse } from 'node:http';

/** Bytes or characters that are handed to the system at once. */
const PIECE = 64 * 1024;

/**
 * Writes an answer as fast as its reader takes it, so that never more than a piece of it waits in this process. A reader
 * that takes a piece too slowly is dropped.
 * @param pieces made as they are needed
 * @param pieceMs how long a piece may take
 * @returns false when the reader is gone
 */
export async function writePieces(
  response: ServerResponse,
  pieces: Iterable<string | Buffer>,
  pieceMs: number,
): Promise<boolean> {
  for (const piece of pieces) {
    if (isGone(response)) return false;
    if (!response.write(piece)) await taken(response, pieceMs);
  }
  return !isGone(response);
}

/** Short texts as pieces of about one size. */
export function* joined(parts: Iterable<string>): Generator<string> {
  let kept: string[] = [];
  let length = 0;
  for (const part of parts) {
    kept.push(part);
    length += part.length;
    if (length < PIECE) continue;
    yield kept.join('');
    kept = [];
    length = 0;
  }
  if (length > 0) yield kept.join('');
}

/** Many bytes as pieces, which stay where they are. */
export function* sliced(bytes: Buffer): Generator<Buffer> {
  for (let start = 0; start < bytes.length; start += PIECE) yield bytes.subarray(start, start + PIECE);
}

function isGone({ destroyed, writableEnded }: ServerResponse): boolean {
  return destroyed || writableEnded;
}

async function taken(response: ServerResponse, pieceMs: number): Promise<void> {
  await new Promise<void>((resolve) => {
    const timer = setTimeout(() => response.destroy(), pieceMs);
    const resume = () => {
      clearTimeout(timer);
      response.off('drain', resume).off('close', resume);
      resolve();
    };
    response.on('drain', resume).on('close', resume);
  });
}
