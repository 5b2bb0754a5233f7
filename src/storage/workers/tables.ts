/**
 * What workers share, beside the tables of plans. Names begin with `frctl_`, so that they can stand in a schema with
 * others. A later version adds columns with defaults and tables, so that two versions can work in one database.
 */
export const TABLES = `
create table if not exists frctl_worker (
  process text not null,
  pool text not null,
  host text not null,
  pid int not null,
  version text not null,
  since timestamptz not null default clock_timestamp(),
  primary key (process, pool)
);
create table if not exists frctl_planning (
  plan text primary key,
  run text not null,
  started_at timestamptz not null default clock_timestamp(),
  calls double precision not null default 0,
  tokens double precision not null default 0,
  usd double precision not null default 0,
  held_calls double precision not null default 0,
  held_tokens double precision not null default 0,
  held_usd double precision not null default 0
);
create table if not exists frctl_held (
  id text primary key,
  process text not null,
  plan text not null,
  calls double precision not null,
  tokens double precision not null,
  usd double precision not null
);
create index if not exists frctl_held_process on frctl_held (process);
create table if not exists frctl_model (
  model text primary key,
  closed_until timestamptz not null default 'epoch',
  requests double precision not null default 0,
  filled_at timestamptz not null default clock_timestamp(),
  under_way int not null default 0
);
create table if not exists frctl_request (
  id text primary key,
  process text not null,
  model text not null
);
create index if not exists frctl_request_process on frctl_request (process);
`;

/** The runs of action plans that were left to workers. */
export const RUN_TABLES = `
create table if not exists frctl_left_run (run text primary key references frctl_run on delete cascade);
`;

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
export function keyOf(goal: string): string {
  return `current_schema() || ' ' || (${goal})`;
}

/** Whether PostgreSQL has refused a statement because the engine has no tables, as where the tables of plans alone were brought back from a backup. */
export function hasNoEngine(refusal: string | null): boolean {
  return refusal === '3F000' || refusal === '42P01' || refusal === '42883';
}

/** Where a model that has closed is told of. */
export const MODEL_CHANNEL = 'frctl_model';
