import type { Database } from '../postgres/database.js';

/** The names by which workers that have not been given up enter their calls. @throws PlanError STORAGE_FAILED */
export async function callersIn(database: Database): Promise<readonly string[]> {
  const { rows } = await database.query<{ caller: string }>(
    `select distinct left(caller, 200) as caller from frctl_worker where caller is not null`,
  );
  return rows.map(({ caller }) => caller);
}
