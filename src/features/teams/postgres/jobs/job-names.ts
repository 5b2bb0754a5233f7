/** The schema that the engine of jobs keeps its own tables in. */
export const ENGINE = 'graphile_worker';
/**
 * SQL for the name of the jobs: that of the schema too, for one database may hold the plans of several projects, each in a
 * schema of its own, and the engine has one.
 */
export const TASK_NAME = `'frctl_goal ' || current_schema()`;

/** SQL for the name of the jobs that carry out runs of action plans; workers that know nothing of them take none. */
export const RUN_TASK_NAME = `'frctl_run ' || current_schema()`;

/** SQL for the key of a goal's job. @param goal SQL for the id of the goal, or for its beginning */
export function goalJobKey(goal: string): string {
  return `current_schema() || ' ' || (${goal})`;
}

/**
 * Whether PostgreSQL has refused a statement on jobs because the engine has no tables, as where the tables of plans
 * alone were brought back from a backup.
 */
export function hasNoEngine(refusal: string | null): boolean {
  return refusal === '3F000' || refusal === '42P01' || refusal === '42883';
}
