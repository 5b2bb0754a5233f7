import { RUN_ID_PATTERN } from '../../../plan/run-ids.js';
import { firstRunLine } from '../../runs/storage/log/run-writer.js';
import { holdsNothing } from '../../runs/storage/lock-registry.js';
import type { Stamp } from '../../../storage/plan-store.js';
import { noRun, runExists } from '../../../storage/run-store-errors.js';
import type { RunLocks, RunStore } from '../../runs/storage/run-store.js';
import { openDatabase } from '../postgres/database.js';
import type { Database } from '../postgres/database.js';
import { createEventRows, deleteEventRows, RUN_EVENTS } from '../postgres/event-table.js';
import { listRuns } from './list-runs.js';
import { openPostgresRunLog, locationOfRun } from './postgres-run-log.js';

/** The runs of a store in a PostgreSQL database. @throws PlanError INVALID_CONFIG for what is no URL of PostgreSQL */
export function createPostgresRunStore(url: string, stamp: Stamp): RunStore {
  const database = openDatabase(url);
  const store: RunStore = {
    location: database.location,
    locationOf: (run) => locationOfRun(database, run),
    async create(prepared) {
      const { event, line } = firstRunLine(prepared, stamp, await database.replica());
      const rows = [{ id: event.id, body: line.slice(1, -1) }];
      if (!(await createEventRows(database, RUN_EVENTS, prepared.run, rows))) throw runExists(prepared.run);
      return store.open(prepared.run);
    },
    open: async (run) => openPostgresRunLog(database, checked(run), stamp),
    list: (which) => listRuns(database, which),
    locks: locksIn(database, (run) => holdsNothing(store, run)),
    async purge(run) {
      if (!(await deleteEventRows(database, RUN_EVENTS, checked(run)))) throw noRun(run);
    },
  };
  return store;
}

/** SQL for the run that holds a lock. No id is longer, whatever stands there. */
const HOLDER = 'select left(run, 200) as run from frctl_lock where name = $1';

function checked(run: string): string {
  if (RUN_ID_PATTERN.test(run)) return run;
  throw noRun(run);
}

/** @param hasEnded whether a run holds nothing any more */
function locksIn(database: Database, hasEnded: (run: string) => Promise<boolean>): RunLocks {
  const holder = async (lock: string): Promise<string | null> => {
    const { rows } = await database.query<{ run: string }>(HOLDER, [lock]);
    const run = rows[0]?.run ?? null;
    if (run === null || !(await hasEnded(run))) return run;
    await giveBack(lock, run);
    return null;
  };
  const giveBack = async (lock: string, run: string): Promise<void> => {
    await database.query('delete from frctl_lock where name = $1 and run = $2', [lock, run]);
  };
  return {
    holder,
    giveBack,
    async take(lock, run) {
      for (;;) {
        await database.query('insert into frctl_lock (name, run) values ($1, $2) on conflict do nothing', [
          lock,
          run,
        ]);
        // A run that is not there yet may take a lock: it holds nothing longer than others look.
        const { rows } = await database.query<{ run: string }>(HOLDER, [lock]);
        const found = rows[0]?.run;
        if (found === run || (found !== undefined && !(await hasEnded(found)))) return found;
        if (found !== undefined) await giveBack(lock, found);
      }
    },
  };
}
