import { RUN_ID_PATTERN } from '../../execution/ids.js';
import type { Run } from '../../execution/run.js';
import { messageOf, PlanError } from '../../kernel/errors.js';
import { firstRunLine } from '../log/run-writer.js';
import { isOver } from '../held-locks.js';
import type { Stamp } from '../plan-store.js';
import { noRun, runExists } from '../run-store-errors.js';
import type { RunListing, RunLocks, RunStore } from '../run-store.js';
import { openDatabase } from './database.js';
import type { Database } from './database.js';
import { createRows, deleteLog, RUN_EVENTS } from './event-table.js';
import { openPostgresRunLog, placeOfRun } from './postgres-run-log.js';

/** The runs of a store in a PostgreSQL database. @throws PlanError INVALID_CONFIG for what is no URL of PostgreSQL */
export function createPostgresRunStore(url: string, stamp: Stamp): RunStore {
  const database = openDatabase(url);
  const store: RunStore = {
    location: database.location,
    locationOf: (run) => placeOfRun(database, run),
    async create(prepared) {
      const { event, line } = firstRunLine(prepared, stamp, await database.replica());
      const rows = [{ id: event.id, body: line.slice(1, -1) }];
      if (!(await createRows(database, RUN_EVENTS, prepared.run, rows))) throw runExists(prepared.run);
      return store.open(prepared.run);
    },
    open: async (run) => openPostgresRunLog(database, checked(run), stamp),
    async list(which) {
      const { runs, problems } = await listRuns(database, (run) => store.open(run));
      return { runs: which === 'open' ? runs.filter(({ ended }) => ended === null) : runs, problems };
    },
    locks: locksIn(database, (run) => isOver(store, run)),
    async purge(run) {
      if (!(await deleteLog(database, RUN_EVENTS, checked(run)))) throw noRun(run);
    },
  };
  return store;
}

function checked(run: string): string {
  if (RUN_ID_PATTERN.test(run)) return run;
  throw noRun(run);
}

async function listRuns(
  database: Database,
  open: (run: string) => Promise<{ readonly run: Run }>,
): Promise<RunListing> {
  const { rows } = await database.query<{ id: string }>('select id from frctl_run order by id');
  const runs: Run[] = [];
  const problems: { run: string; code: string; message: string }[] = [];
  for (const { id } of rows)
    try {
      runs.push((await open(id)).run);
    } catch (thrown) {
      const code = thrown instanceof PlanError ? thrown.code : 'INTERNAL';
      // One that was removed meanwhile is none.
      if (code === 'STORAGE_FAILED') throw thrown;
      if (code !== 'E_PLAN_NOT_FOUND') problems.push({ run: id, code, message: messageOf(thrown) });
    }
  return { runs: runs.toSorted((a, b) => Date.parse(b.prepared_at) - Date.parse(a.prepared_at)), problems };
}

/** @param hasEnded whether a run holds nothing any more */
function locksIn(database: Database, hasEnded: (run: string) => Promise<boolean>): RunLocks {
  const holder = async (lock: string): Promise<string | null> => {
    const { rows } = await database.query<{ run: string }>('select run from frctl_lock where name = $1', [
      lock,
    ]);
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
        const { rows } = await database.query<{ run: string }>('select run from frctl_lock where name = $1', [
          lock,
        ]);
        const found = rows[0]?.run;
        if (found === run || (found !== undefined && !(await hasEnded(found)))) return found;
        if (found !== undefined) await giveBack(lock, found);
      }
    },
  };
}
