import { PlanError } from '../../../kernel/errors.js';
import { MOST_ROW_BYTES } from './bounded-rows.js';
import type { Database } from './database.js';

/** So much is read at once: bytes come as digits, which are twice as long. */
const PIECE_BYTES = 64 * 1024 * 1024;

/** One row of a table that holds bytes, which never change, as `body`. */
export interface BytesRow {
  readonly table: 'frctl_action_plan' | 'frctl_run_value';
  /** SQL of the condition that finds it. */
  readonly where: string;
  readonly values: readonly string[];
  /** What it is, for messages. */
  readonly name: string;
}

/**
 * Reads bytes; null where there is no such row.
 * @throws PlanError STORE_DAMAGED for more than are read, STORAGE_FAILED
 */
export async function readBytes(database: Database, row: BytesRow): Promise<Buffer | null> {
  const { table, where, values, name } = row;
  const statement = `select octet_length(body)::float8 as size,
    case when octet_length(body) <= ${MOST_ROW_BYTES} then substring(body from $${values.length + 1}::int for ${PIECE_BYTES}) end as piece
    from ${table} where ${where}`;
  const pieces: Buffer[] = [];
  for (let read = 0; ;) {
    const { rows } = await database.query<{ size: number; piece: Buffer | null }>(statement, [
      ...values,
      read + 1,
    ]);
    const [found] = rows;
    if (found === undefined) return null;
    if (found.piece === null) throw tooLong(table, name, found.size);
    pieces.push(found.piece);
    read += found.piece.length;
    if (read >= found.size || found.piece.length === 0) return Buffer.concat(pieces);
  }
}

function tooLong(table: string, name: string, size: number): PlanError {
  return new PlanError(
    'STORE_DAMAGED',
    `${name} has ${size} bytes in ${table}; more than ${MOST_ROW_BYTES} are not read`,
    {
      hint: { commandLine: '`plan doctor --fix` takes it out of the way.' },
      details: { table, size },
    },
  );
}
