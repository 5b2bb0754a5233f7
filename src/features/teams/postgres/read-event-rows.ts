import type { QueryResultRow } from 'pg';

import type { Line, LineCodec } from '../../../storage/log/line-codec.js';
import { MOST_ROW_BYTES, readBoundedPages } from './bounded-rows.js';
import type { BoundedRow } from './bounded-rows.js';
import type { Database } from './database.js';
import type { EventTable } from './event-table.js';

/** An event as it is kept, with its number in its log, from 1. */
export interface NumberedRow extends BoundedRow, QueryResultRow {
  readonly seq: number;
  readonly id: string;
}

/** Which events of a log are read. */
export interface Range {
  /** The number before the first of them. */
  readonly after?: number;
  /** The number of the last of them. */
  readonly upTo?: number;
  /** The id that the log's first event must have, for another log may have come by its name; and what is thrown where it is gone. */
  readonly of?: { readonly first: string; readonly gone: () => Error };
}

/** The longest id that an event has. */
const MOST_ID_LENGTH = 64;
/** SQL of what is read of an event beside its text. */
export const EVENT_COLUMNS = 'seq::float8, id';

/**
 * The events of a log in their order, page by page.
 * @throws PlanError STORAGE_FAILED; what is to be thrown for a log that is gone
 */
export async function* readEventRows(
  database: Database,
  table: EventTable,
  log: string,
  { after = 0, upTo = Number.MAX_SAFE_INTEGER, of }: Range = {},
): AsyncGenerator<readonly NumberedRow[]> {
  const { events, owner } = table;
  const rows = (limit: string) =>
    `select seq, id, size, body from ${events} where ${owner} = $1 and seq > $2 and seq <= $3 order by seq limit ${limit}`;
  const pages = readBoundedPages<NumberedRow>(database, {
    columns: EVENT_COLUMNS,
    order: 'seq',
    from: (limit) => (of === undefined ? rows(limit) : unlessGone(table, rows(limit))),
    values: (last) => [log, last?.seq ?? after, upTo, ...(of === undefined ? [] : [of.first])],
    name: `frctl read ${owner}${of === undefined ? '' : ' that is there'}`,
  });
  for await (const page of pages) {
    if (of !== undefined && page[0]?.seq === GONE) throw of.gone();
    yield page;
  }
}

/** The number of a row that says that the log is not there any more. */
const GONE = 0;

function unlessGone({ events, owner }: EventTable, rows: string): string {
  return `select ${GONE}::bigint as seq, '' as id, 0 as size, null::json as body
    where not exists (select from ${events} where ${owner} = $1 and seq = 1 and id = $4)
    union all (${rows})`;
}

/** An event with the log that it is of. */
export interface OwnedRow extends NumberedRow {
  readonly log: string;
}

/**
 * The events of several logs, each log's together and in their order, page by page.
 * @throws PlanError STORAGE_FAILED
 */
export function readEventRowsOf(
  database: Database,
  { events, owner }: EventTable,
  logs: readonly string[],
): AsyncGenerator<readonly OwnedRow[]> {
  return readBoundedPages<OwnedRow>(database, {
    columns: `log, ${EVENT_COLUMNS}`,
    order: 'log, seq',
    from: (limit) => `select ${owner} as log, seq, id, size, body from ${events}
      where ${owner} = any($1) and (${owner}, seq) > ($2, $3) order by ${owner}, seq limit ${limit}`,
    values: (last) => [logs, last?.log ?? '', last?.seq ?? 0],
    name: `frctl read ${owner}s`,
  });
}

/** Decodes a row, and says of what bytes: where it is too long to be read, of a note of that. Never throws. */
export function decodeEventRow<Event>(
  { events }: EventTable,
  { id, body, size }: NumberedRow,
  decode: LineCodec<Event>['decode'],
): { readonly bytes: Buffer; readonly line: Line<Event> } {
  if (body !== null) {
    const bytes = Buffer.from(body);
    return { bytes, line: decode(bytes) };
  }
  const known = id.slice(0, MOST_ID_LENGTH);
  const damage = `its row in ${events} (id ${known}) has ${size} bytes; more than ${MOST_ROW_BYTES} are not read`;
  return { bytes: Buffer.from(`a row of ${size} bytes: ${known}`), line: { damage } };
}
