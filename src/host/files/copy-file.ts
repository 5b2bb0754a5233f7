import { closeSync, readSync } from 'node:fs';

import { openToReadNow } from './plain-file.js';
import { replaceFile } from './replace-file.js';

const CHUNK = 1 << 20;

/** Copies a file of the store byte for byte; a copy that is there is replaced. @throws PlanError STORAGE_FAILED */
export async function copyPlainFile(from: string, to: string): Promise<void> {
  await replaceFile(to, piecesOf(from));
}

function* piecesOf(path: string): Generator<Buffer> {
  const file = openToReadNow(path);
  try {
    for (;;) {
      const piece = Buffer.allocUnsafe(CHUNK);
      const count = readSync(file, piece, 0, CHUNK, null);
      if (count === 0) return;
      yield piece.subarray(0, count);
    }
  } finally {
    closeSync(file);
  }
}
