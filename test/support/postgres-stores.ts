import { createPostgresStore } from '../../src/features/teams/postgres/postgres-store.js';
import type { PlanStore } from '../../src/storage/plan-store.js';
import { newDatabase } from './postgres.js';
import { newStamp } from './stores.js';

/** A store in a database of its own. */
export async function newPostgresStore(url?: string): Promise<PlanStore> {
  return createPostgresStore({ url: url ?? (await newDatabase()), stamp: newStamp(), now: Date.now });
}
