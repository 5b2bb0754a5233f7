import { PlanError } from '../../../kernel/errors.js';
import { inCanonicalOrder } from '../../../plan/history.js';
import { eventIdIn } from '../../../storage/log/event-id.js';
import type { PlanStore } from '../../../storage/plan-store.js';
import type { LogContents, LogsOfStore, StoreContents, TextsOfStore } from '../copy/store-contents.js';
import { openDatabase } from './database.js';
import type { Database } from './database.js';
import { createEventRows, PLAN_EVENTS, readEventRows, writeEventRowsAfter } from './event-table.js';
import type { EventRow, EventTable } from './event-table.js';
import { decodeRow } from './plan-reading.js';

/** What a store in PostgreSQL holds. @param store the same store, to look at its plans and to publish them */
export function contentsOfPostgres(url: string, store: PlanStore): StoreContents {
  const database = openDatabase(url);
  return {
    location: database.location,
    plans: plansIn(database, store),
    actionPlans: textsIn(database, {
      names: 'select id as name from frctl_action_plan',
      read: 'select body from frctl_action_plan where id = $1',
      write: 'insert into frctl_action_plan (id, body) values ($1, $2) on conflict do nothing',
    }),
  };
}

/** What a row tells of its event, as far as this version can read it. */
type Decode = (line: string) => { readonly event: unknown } | { readonly unknown?: unknown };

/** The logs of a table. @param decode what a line tells of its event, as far as this version can read it */
export function logsIn(database: Database, table: EventTable, decode: Decode): LogsOfStore {
  return {
    async ids() {
      const { rows } = await database.query<{ id: string }>(`select id from ${table.logs}`);
      return rows.map(({ id }) => id);
    },
    async read(id): Promise<LogContents | null> {
      const lines: string[] = [];
      for await (const page of readEventRows(database, table, id))
        for (const { seq, body } of page) {
          const line = decode(body);
          if (!('event' in line) && line.unknown === undefined) throw damaged(id, seq);
          lines.push(body);
        }
      return lines.length === 0 ? null : { lines, inArchive: false };
    },
    async write(id, { lines }, after) {
      const rows = lines.map(rowOf);
      return after === null
        ? createEventRows(database, table, id, rows)
        : writeEventRowsAfter(database, table, { id, after }, rows);
    },
  };
}

function plansIn(database: Database, store: PlanStore): LogsOfStore {
  const logs = logsIn(database, PLAN_EVENTS, decodeRow);
  return {
    ids: () => logs.ids(),
    async read(id) {
      const contents = await logs.read(id);
      if (contents === null) return null;
      refuseOtherOrder(id, contents.lines);
      const { rows } = await database.query<{ shelf: string }>('select shelf from frctl_plan where id = $1', [
        id,
      ]);
      return { ...contents, inArchive: rows[0]?.shelf === 'archive' };
    },
    async write(id, { lines, inArchive }, after) {
      const rows = lines.map(rowOf);
      const columns = { summary: '{}', shelf: inArchive ? 'archive' : 'active' };
      const isWritten =
        after === null
          ? await createEventRows(database, PLAN_EVENTS, id, rows, columns)
          : await writeEventRowsAfter(database, PLAN_EVENTS, { id, after }, rows);
      if (isWritten) await (await store.open(id)).publish('now');
      return isWritten;
    },
  };
}

/**
 * Files have no place but the order of clocks. It is another when somebody wrote to a plan here while lines were added to it
 * from elsewhere.
 */
function refuseOtherOrder(plan: string, lines: readonly string[]): void {
  const numbered = lines.flatMap((text, position) => {
    const line = decodeRow(text);
    const stamp = 'event' in line ? line.event : line.unknown;
    return stamp === undefined ? [] : [{ clock: stamp.clock, replica: stamp.replica, position }];
  });
  const ordered = inCanonicalOrder(numbered);
  if (ordered.every(({ position }, index) => position === numbered[index]?.position)) return;
  throw new PlanError('STORE_DAMAGED', `the events of plan ${plan} would count in another order elsewhere`, {
    hint: {
      commandLine:
        '`plan export --format json` takes the plan as it is now, and `plan import` makes a plan of that.',
    },
    details: { plan },
  });
}

/** Bytes in a table. */
export function textsIn(
  database: Database,
  statements: { readonly names: string; readonly read: string; readonly write: string },
): TextsOfStore {
  return {
    async names() {
      const { rows } = await database.query<{ name: string }>(statements.names);
      return rows.map(({ name }) => name);
    },
    async read(name) {
      const { rows } = await database.query<{ body: Buffer }>(statements.read, [name]);
      return rows[0]?.body ?? null;
    },
    async write(name, content) {
      return (await database.query(statements.write, [name, content])).count > 0;
    },
  };
}

function rowOf(body: string): EventRow {
  return { id: eventIdIn(body) ?? '', body };
}

function damaged(id: string, seq: number): PlanError {
  return new PlanError('STORE_DAMAGED', `event ${seq} of ${id} cannot be read`, {
    hint: ['Bring it back from a backup of the database.'],
    details: { id, event: seq },
  });
}
