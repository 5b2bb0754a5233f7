// What the worker processes share: a store as the command opens it, of the built modules.
import process from 'node:process';

import { createFileStore } from '../../../dist/storage/file/file-store.js';

let stamps = 0;

/** @param {string} folder */
export function openStore(folder) {
  const random = () => Math.random().toString(36).slice(2, 10);
  return createFileStore({
    folder,
    stamp: () => ({
      id: `${process.pid}-${(stamps += 1)}-${random()}`,
      at: new Date().toISOString(),
      by: String(process.pid),
    }),
    makeReplicaId: random,
    now: Date.now,
  });
}

/** The worker's task, given as JSON. */
export const task = JSON.parse(process.argv[2] ?? '{}');
