import { applyRun } from '../../runs/model/apply-run.js';
import type { Run } from '../../runs/model/run.js';
import { unreadableRun } from '../../runs/storage/log/open-run-log.js';
import { runCodec } from '../../runs/storage/log/run-line.js';
import type { RunListing } from '../../runs/storage/run-store.js';
import type { Database } from '../postgres/database.js';
import { IS_RUN_ID, RUN_EVENTS } from '../postgres/event-table.js';
import { decodeEventRow, readEventRowsOf } from '../postgres/read-event-rows.js';
import { locationOfRun } from './postgres-run-log.js';

/** So many events are read of several runs at once; a longer run is read alone. */
const EVENTS_AT_ONCE = 2000;

interface RunRow extends Record<string, unknown> {
  readonly id: string;
  readonly ended: boolean;
  readonly events: number;
}

/**
 * The runs of a database, the one prepared last first, many read by one statement. Of those that are known to be over
 * nothing is read where only the others are wanted; that a run is over is noted when it is first seen, whoever has ended it.
 * @throws PlanError STORAGE_FAILED
 */
export async function listRuns(database: Database, which: 'open' | undefined): Promise<RunListing> {
  const { rows } = await database.query<RunRow>(
    `select id, ended, seq::float8 as events from frctl_run where ${IS_RUN_ID} ${which === 'open' ? 'and not ended' : ''} order by id`,
  );
  const read = new Map<string, Run | null>();
  for (const some of inBatches(rows)) await readRuns(database, some, read);
  const over = rows.filter(({ id, ended }) => !ended && read.get(id)?.ended != null);
  await noteEnded(
    database,
    over.map(({ id }) => id),
  );
  const runs = [...read.values()].filter((run) => run !== null);
  return {
    runs: runs
      .filter(({ ended }) => which !== 'open' || ended === null)
      .toSorted((a, b) => Date.parse(b.prepared_at) - Date.parse(a.prepared_at)),
    problems: [...read].flatMap(([run, state]) => {
      if (state !== null) return [];
      const { code, message } = unreadableRun(locationOfRun(database, run), run);
      return [{ run, code, message }];
    }),
  };
}

function inBatches(rows: readonly RunRow[]): readonly (readonly string[])[] {
  const batches: string[][] = [];
  let room = 0;
  for (const { id, events } of rows) {
    if (room < events) {
      batches.push([]);
      room = EVENTS_AT_ONCE;
    }
    batches.at(-1)?.push(id);
    room -= events;
  }
  return batches;
}

/** Puts runs to their ids; null to that of one whose log does not say what prepared it. One that was removed meanwhile is left out. */
async function readRuns(
  database: Database,
  ids: readonly string[],
  runs: Map<string, Run | null>,
): Promise<void> {
  for await (const page of readEventRowsOf(database, RUN_EVENTS, ids))
    for (const row of page) {
      const { log } = row;
      const before = runs.get(log) ?? null;
      const { line } = decodeEventRow(RUN_EVENTS, row, runCodec.decode);
      const after = 'event' in line ? applyRun(before, line.event).run : before;
      runs.set(log, after?.id === log ? after : before);
    }
}

/** What is over stays so. A note that cannot be made is made another time. */
async function noteEnded(database: Database, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await database.query('update frctl_run set ended = true where id = any($1)', [ids]).catch(() => undefined);
}
