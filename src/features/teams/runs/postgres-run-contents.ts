import { runCodec } from '../../runs/storage/log/run-line.js';
import type { RunContents } from '../copy/store-contents.js';
import type { Database } from '../postgres/database.js';
import { RUN_EVENTS } from '../postgres/event-table.js';
import { logsIn, textsIn } from '../postgres/postgres-contents.js';

/** The runs that a store in PostgreSQL holds. */
export function runContentsOfPostgres(database: Database): RunContents {
  return {
    runs: logsIn(database, RUN_EVENTS, runCodec.decode),
    values: textsIn(database, {
      names: `select run || '/' || digest as name from frctl_run_value`,
      row: (name) => ({
        table: 'frctl_run_value',
        where: `run = split_part($1, '/', 1) and digest = split_part($1, '/', 2)`,
        values: [name],
        name: `the output ${name}`,
      }),
      write: `insert into frctl_run_value (run, digest, body)
        values (split_part($1, '/', 1), split_part($1, '/', 2), $2) on conflict do nothing`,
    }),
  };
}
