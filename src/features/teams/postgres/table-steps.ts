/**
 * What workers share, beside the tables of plans. Names begin with `frctl_`, so that they can stand in a schema with
 * others. A later version adds columns with defaults and tables, so that two versions can work in one database.
 */
const WORKER_TABLES = `
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
const LEFT_RUN_TABLES = `
create table if not exists frctl_left_run (run text primary key references frctl_run on delete cascade);
`;

/**
 * Up to which event a summary holds a plan, and whether a run is known to be over. An older frctl writes neither: then the
 * one is too low, which is found by what stands in the summary itself, and the other is found out when the run is listed.
 */
const WHAT_IS_KNOWN = `
alter table frctl_plan add column summary_seq bigint not null default 0;
alter table frctl_run add column ended boolean not null default false;
`;

/**
 * By which name a worker enters its calls in the logs of plans. How long each event is, known without unpacking it; and where rows are kept that were too long to be read, taken out of the
 * way as they were.
 */
const SIZES = `
alter table frctl_event add column size int generated always as (octet_length(body::text)) stored;
alter table frctl_worker add column caller text;
alter table frctl_run_event add column size int generated always as (octet_length(body::text)) stored;
create table frctl_removed (
  at timestamptz not null default clock_timestamp(), place text not null, key json not null, body json, bytes bytea);
`;

/**
 * What brings the tables from each version to the next. `json` keeps an event as the text that it is, so that a log goes
 * to a file and back byte for byte; `bytea` keeps any text.
 */
export const STEPS: readonly string[] = [
  `create table frctl_schema (version int not null, oldest int not null, replica text not null);
   insert into frctl_schema select 0, 0, 'pg-' || substr(md5(random()::text || clock_timestamp()::text), 1, 8);
   create table frctl_plan (
     id text primary key, shelf text not null default 'active', seq bigint not null default 0,
     summary json not null, snapshot text, snapshot_seq bigint);
   create table frctl_event (
     plan text not null references frctl_plan on delete cascade, seq bigint not null, id text not null,
     body json not null, primary key (plan, seq), unique (plan, id));
   create table frctl_action_plan (id text primary key, body bytea not null);
   create table frctl_run (id text primary key, seq bigint not null default 0);
   create table frctl_run_event (
     run text not null references frctl_run on delete cascade, seq bigint not null, id text not null,
     body json not null, primary key (run, seq), unique (run, id));
   create table frctl_run_value (
     run text not null references frctl_run on delete cascade, digest text not null, body bytea not null,
     primary key (run, digest));
   create table frctl_lock (name text primary key, run text not null);`,
  WORKER_TABLES,
  LEFT_RUN_TABLES,
  WHAT_IS_KNOWN,
  SIZES,
];
