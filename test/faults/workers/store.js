// What the worker processes share: a store as the command opens it, of the built modules.
import process from 'node:process';

import { createFileStore } from '../../../dist/storage/file/file-store.js';
import { createPostgresStore } from '../../../dist/features/teams/postgres/postgres-store.js';

let stamps = 0;

/** @param {string} folder */
export function openStore(folder) {
  return createFileStore({ folder, stamp, makeReplicaId: random, now: Date.now });
}

const random = () => Math.random().toString(36).slice(2, 10);
const stamp = () => ({
  id: `${process.pid}-${(stamps += 1)}-${random()}`,
  at: new Date().toISOString(),
  by: String(process.pid),
});

/** @param {string} place a folder, or the URL of a database */
export function openStoreAt(place) {
  if (!place.startsWith('postgres://')) return openStore(place);
  return createPostgresStore({ url: place, stamp, now: Date.now });
}

/** The worker's task, given as JSON. */
export const task = JSON.parse(process.argv[2] ?? '{}');
