import { PlanError } from '../../../kernel/errors.js';
import { inCanonicalOrder } from '../../../plan/history.js';
import { eventIdIn } from '../../../storage/log/event-id.js';
import { decodeEvent } from '../../../storage/log/event-line.js';
import type { LineCodec } from '../../../storage/log/line-codec.js';
import type { PlanStore } from '../../../storage/plan-store.js';
import type { LogContents, LogsOfStore, StoreContents, TextsOfStore } from '../copy/store-contents.js';
import { readBytes } from './bounded-bytes.js';
import type { BytesRow } from './bounded-bytes.js';
import { openDatabase } from './database.js';
import type { Database } from './database.js';
import { createEventRows, PLAN_EVENTS, writeEventRowsAfter } from './event-table.js';
import type { EventRow, EventTable } from './event-table.js';
import { decodeEventRow, readEventRows } from './read-event-rows.js';

/** What a store in PostgreSQL holds. @param store the same store, to look at its plans and to publish them */
export function contentsOfPostgres(url: string, store: PlanStore): StoreContents {
  const database = openDatabase(url);
  return {
    location: database.location,
    plans: plansIn(database, store),
    actionPlans: textsIn(database, {
      names: 'select id as name from frctl_action_plan',
      row: (id) => ({
        table: 'frctl_action_plan',
        where: 'id = $1',
        values: [id],
        name: `the action plan ${id}`,
      }),
      write: 'insert into frctl_action_plan (id, body) values ($1, $2) on conflict do nothing',
    }),
  };
}

/** The logs of a table. */
export function logsIn<Event>(
  database: Database,
  table: EventTable,
  decode: LineCodec<Event>['decode'],
): LogsOfStore {
  return {
    async ids() {
      const { rows } = await database.query<{ id: string }>(`select id from ${table.logs}`);
      return rows.map(({ id }) => id);
    },
    async read(id): Promise<LogContents | null> {
      const lines: string[] = [];
      for await (const page of readEventRows(database, table, id))
        for (const row of page) {
          const { line } = decodeEventRow(table, row, decode);
          if (!('event' in line) && line.unknown === undefined) throw damaged(id, row.seq, line.damage);
          lines.push(row.body ?? '');
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
  const logs = logsIn(database, PLAN_EVENTS, decodeEvent);
  return {
    ids: () => logs.ids(),
    async read(id) {
      const contents = await logs.read(id);
      if (contents === null) return null;
      refuseOtherOrder(id, contents.lines);
      const { rows } = await database.query<{ shelved: boolean }>(
        `select shelf = 'archive' as shelved from frctl_plan where id = $1`,
        [id],
      );
      return { ...contents, inArchive: rows[0]?.shelved === true };
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
    const line = decodeEvent(Buffer.from(text));
    const stamp = 'event' in line ? line.event : line.unknown;
    return stamp === undefined ? [] : [{ clock: stamp.clock, replica: stamp.replica, position }];
  });
  const ordered = inCanonicalOrder(numbered);
  if (ordered.every(({ position }, index) => position === numbered[index]?.position)) return;
  throw new PlanError(
    'STORE_DAMAGED',
    `plan ${plan} cannot be copied: it was changed while events from elsewhere were added, and a copy would order them differently`,
    {
      hint: {
        commandLine:
          '`plan export --format json` saves the plan as it is now; `plan import` makes a new plan from that.',
      },
      details: { plan },
    },
  );
}

/** Bytes in a table. */
export function textsIn(
  database: Database,
  statements: {
    readonly names: string;
    readonly row: (name: string) => BytesRow;
    readonly write: string;
  },
): TextsOfStore {
  return {
    async names() {
      const { rows } = await database.query<{ name: string }>(statements.names);
      return rows.map(({ name }) => name);
    },
    read: (name) => readBytes(database, statements.row(name)),
    async write(name, content) {
      return (await database.query(statements.write, [name, content])).count > 0;
    },
  };
}

function rowOf(body: string): EventRow {
  return { id: eventIdIn(body) ?? '', body };
}

function damaged(id: string, seq: number, reason: string): PlanError {
  return new PlanError('STORE_DAMAGED', `event ${seq} of ${id} cannot be read: ${reason}`, {
    hint: ['Bring it back from a backup of the database; `plan doctor` says what else can be done.'],
    details: { id, event: seq },
  });
}
