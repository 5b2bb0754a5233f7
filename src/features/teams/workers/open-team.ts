import { VERSION } from '../../../kernel/version.js';
import type { Environment } from '../../../operations/shared/environment.js';
import type { OpenedStore } from '../../../storage/opened-store.js';
import { inPostgres } from '../postgres/open-postgres.js';
import type { Team } from '../team.js';
import { createTeam } from './postgres-team.js';

/** Opens what workers share that have the same store in a database. */
export async function openTeam(store: OpenedStore, { host, ids, pid }: Environment): Promise<Team> {
  const { database } = await inPostgres(store);
  return createTeam({ database, newProcess: () => ids.eventId(), about: { host, pid, version: VERSION } });
}
