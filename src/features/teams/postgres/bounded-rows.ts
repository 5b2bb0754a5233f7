import type { QueryResultRow } from 'pg';

import { MOST_LINE_BYTES } from '../../../storage/log/checked-line.js';
import type { Database } from './database.js';

/** The longest text of one row that is read, in bytes: more than any event has, and less than the longest text there can be. */
export const MOST_ROW_BYTES = MOST_LINE_BYTES;
/** Rows that are read at once at most; an event is mostly shorter than a kilobyte. */
const ROWS_A_PAGE = 2000;
/** Rows that are read first, before it is known how long they are. */
const FIRST_ROWS = 32;
/** Bytes of a page, about: events can be of megabytes. */
const PAGE_BYTES = 16 * 1024 * 1024;

/** A row of which one column is a text, which is null where it is longer than is read. */
export interface BoundedRow {
  readonly body: string | null;
  /** Bytes of the text. */
  readonly size: number;
}

interface PageRow extends QueryResultRow {
  readonly body: string | null;
  readonly size: number;
  readonly found: number;
}

/** How rows are read page by page. */
export interface Paging<Row> {
  /** SQL of the columns that are wanted beside the text. */
  readonly columns: string;
  /** SQL that selects those columns, the text as `body` and its bytes as `size`, in their order and no more than `limit` of them. */
  readonly from: (limit: string) => string;
  /** SQL of the order, without which no row follows another. */
  readonly order: string;
  /** The values of `from` after a row; null before the first. */
  readonly values: (last: Row | null) => readonly unknown[];
  /** Of the statement, which is run again and again; null for one that is seldom. */
  readonly name: string | null;
}

/**
 * Reads rows page by page. Sizes are asked of the database first: a text that is too long for this process is not sent to
 * it, and no more texts at once than it wants to hold.
 * @throws PlanError STORAGE_FAILED
 */
export async function* readBoundedPages<Row extends BoundedRow & QueryResultRow>(
  database: Database,
  { columns, from, order, values, name }: Paging<Row>,
): AsyncGenerator<readonly Row[]> {
  let last: Row | null = null;
  let rowsAPage = FIRST_ROWS;
  for (;;) {
    const given = values(last);
    const statement = boundedPageSql({ columns, from: from(`$${given.length + 1}`), order });
    const { rows }: { readonly rows: readonly (Row & PageRow)[] } = await database.query<Row & PageRow>(
      statement,
      [...given, rowsAPage],
      name ?? undefined,
    );
    if (rows.length > 0) yield rows;
    const found = rows[0]?.found ?? 0;
    if (rows.length === found && found < rowsAPage) return;
    last = rows.at(-1) ?? last;
    rowsAPage = nextPage(rows);
  }
}

/**
 * SQL for a page of rows: the first of those that are selected, as many as are to be had at once, and one at least. `found`
 * is how many were selected.
 */
export function boundedPageSql({
  columns,
  from,
  order,
}: Pick<Paging<unknown>, 'columns' | 'order'> & { readonly from: string }): string {
  return `select ${columns}, size, found, case when size <= ${MOST_ROW_BYTES} then body::text end as body
    from (select *, count(*) over ()::int as found, sum(size) over (order by ${order}) - size as before
      from (${from}) as candidate) as page
    where before < ${PAGE_BYTES} order by ${order}`;
}

/** How many rows are read next, by how long the last ones were. */
function nextPage(page: readonly BoundedRow[]): number {
  const length = page.reduce((sum, { size }) => sum + size, 0);
  return Math.max(1, Math.min(ROWS_A_PAGE, Math.floor((PAGE_BYTES * page.length) / length)));
}
