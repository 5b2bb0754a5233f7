import type { RunEvent } from '../../runs/model/run-events.js';
import type { RunLog } from '../../runs/model/run-log.js';
import type { Run } from '../../runs/model/run.js';
import { textOfJson } from '../../../kernel/json/json-text.js';
import { openRunLog } from '../../runs/storage/log/open-run-log.js';
import type { RunLines } from '../../runs/storage/log/run-reading.js';
import { runCodec } from '../../runs/storage/log/run-line.js';
import type { Stamp } from '../../../storage/plan-store.js';
import { noRun } from '../../../storage/run-store-errors.js';
import type { Database } from '../postgres/database.js';
import { appendEventRows, RUN_EVENTS } from '../postgres/event-table.js';
import { decodeEventRow, readEventRows } from '../postgres/read-event-rows.js';
import { storeRunBytes, readRunValueRow } from './run-values.js';

/**
 * Opens the log of a run that is kept in PostgreSQL.
 * @throws PlanError E_PLAN_NOT_FOUND, STORE_DAMAGED when what prepared the run cannot be read, STORAGE_FAILED
 */
export async function openPostgresRunLog(database: Database, name: string, stamp: Stamp): Promise<RunLog> {
  return openRunLog({
    name,
    location: locationOfRun(database, name),
    stamp,
    replica: await database.replica(),
    lines: runLinesInTable(database, name),
    values: {
      folder: null,
      keep: (value) => storeRunBytes(database, name, Buffer.from(textOfJson(value))),
      keepBytes: (content) => storeRunBytes(database, name, content),
      read: (digest) => readRunValueRow(database, name, digest),
    },
  });
}

/** Where a run is, for messages. */
export function locationOfRun({ location }: Pick<Database, 'location'>, run: string): string {
  return `${location}: run ${run}`;
}

/** The lines of a run as rows, by their numbers. */
function runLinesInTable(database: Database, name: string): RunLines {
  /** The id of the first event: another run of that name is another. Empty where it cannot be read. */
  let first: string | null = null;
  const gone = () => noRun(name);
  return {
    unit: 'event',
    lengthOf: () => 1,
    gone,
    async append(lines, run) {
      const rows = lines.map(({ event, line }) => ({ id: event.id, body: line.slice(1, -1) }));
      const events = lines.map(({ event }) => event);
      const jobs = isForWorkers(run, events) ? 'run' : null;
      const base = await appendEventRows(database, RUN_EVENTS, { id: name, first: first ?? '' }, rows, jobs);
      if (base === null) throw gone();
      return base + lines.length;
    },
    async *read(from, upTo = Number.MAX_SAFE_INTEGER) {
      const of = first === null || first === '' ? {} : { of: { first, gone } };
      for await (const page of readEventRows(database, RUN_EVENTS, name, { after: from, upTo, ...of }))
        for (const row of page) {
          const { seq } = row;
          const { bytes, line } = decodeEventRow(RUN_EVENTS, row, runCodec.decode);
          if (seq === 1) first = 'event' in line ? line.event.id : '';
          yield { ...line, raw: { bytes, offset: seq, end: seq } };
        }
      if (first === null) throw gone();
    },
  };
}

/** Whether events give workers something to do: a run was left to them, or a person has answered what it waited for. */
function isForWorkers(run: Run | null, events: readonly RunEvent[]): boolean {
  return events.some(
    (event) =>
      event.type === 'left_to_workers' ||
      (run?.workers != null &&
        (event.type === 'run_approved' || (event.type === 'outcome_settled' && event.how === 'person'))),
  );
}
