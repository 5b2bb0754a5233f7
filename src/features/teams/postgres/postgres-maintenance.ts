import { PlanError } from '../../../kernel/errors.js';
import type { Diagnosis, Examination, Maintenance } from '../../../storage/maintenance.js';
import { openDamage } from '../../../storage/open-damage.js';
import type { Damage, PlanStore, Stamp } from '../../../storage/plan-store.js';
import { openDatabase } from './database.js';
import type { Database } from './database.js';
import {
  IS_COUNTED,
  IS_PLAN_ID,
  IS_RUN_ID,
  MOST_EVENTS,
  PLAN_EVENTS,
  RUN_EVENTS,
  strayLog,
} from './event-table.js';
import type { EventTable } from './event-table.js';
import { SNAPSHOT } from './snapshot.js';
import { tooLongBytes, tooLongEvents, unreadablePlanCure } from './too-long-rows.js';
import type { LogMending } from './too-long-rows.js';

/**
 * Maintenance of a store in PostgreSQL: every event is read again, as any reader does. What is damaged there was changed by
 * a hand or a disk, and comes back from a backup of the database. What is too long to be read can be moved out of the way.
 * @param stamp of the events that stand in place of such a one
 */
export function createPostgresMaintenance(url: string, store: PlanStore, stamp: Stamp): Maintenance {
  const database = openDatabase(url);
  return {
    async *examine() {
      // First: with them away, what is said of the plans is what stays.
      const strays = [
        ...(await strayEvents(database, store.location, PLAN_EVENTS)),
        ...(await strayEvents(database, store.location, RUN_EVENTS)),
      ];
      if (strays.length > 0) yield { plan: null, diagnoses: strays, backUp: null };
      for (const id of await store.ids())
        yield { plan: id, diagnoses: await diagnose({ database, store, stamp }, id), backUp: null };
      yield* miscounted(database, store.location, PLAN_EVENTS);
      yield* miscounted(database, store.location, RUN_EVENTS);
      const diagnoses = [
        ...(await strayLogs(database, store.location, PLAN_EVENTS)),
        ...(await strayLogs(database, store.location, RUN_EVENTS)),
        ...(await tooLongBytes(database, store.location)),
      ];
      if (diagnoses.length > 0) yield { plan: null, diagnoses, backUp: null };
    },
    async snapshot(planId) {
      const { rows } = await database.query<{ snapshot: string | null }>(
        `select ${SNAPSHOT} from frctl_plan where id = $1`,
        [planId],
      );
      return rows[0]?.snapshot ?? null;
    },
    keepCopy: async () => null,
  };
}

async function diagnose(mending: LogMending, id: string): Promise<readonly Diagnosis[]> {
  const { store } = mending;
  const file = `${store.location}: plan ${id}`;
  try {
    const log = await store.open(id, 'log');
    const open = new Set(openDamage(log.damage, log.plan));
    const tooLong = open.size === 0 ? new Map<number, Diagnosis>() : await tooLongEvents(mending, id);
    return log.damage.flatMap((damage) => {
      if (damage.kind === 'unknown') return [unknownEvent(file, damage)];
      return open.has(damage) ? [tooLong.get(damage.line) ?? damagedEvent(file, damage)] : [];
    });
  } catch (thrown) {
    if (!(thrown instanceof PlanError) || thrown.code !== 'STORE_DAMAGED') throw thrown;
    const cure = unreadablePlanCure(id);
    return [{ code: 'LOG_UNUSABLE', severity: 'error', file, message: thrown.message, cure }];
  }
}

/** The outputs of a run go with its row. */
const MOVE_VALUES = `
  insert into frctl_removed (place, key, bytes)
  select 'frctl_run_value', json_build_object('run', run, 'digest', digest), body
  from frctl_run_value where run = $1`;

/** Rows of plans or runs under ids that no command takes. */
async function strayLogs(
  database: Database,
  location: string,
  table: EventTable,
): Promise<readonly Diagnosis[]> {
  const { logs, events, owner } = table;
  const values = table === RUN_EVENTS ? `, values as (${MOVE_VALUES})` : '';
  const { rows } = await database.query<{ id: string }>(
    `select id from ${logs} where not ${isLogId(table)} order by id`,
  );
  return rows.map(({ id }) => ({
    code: table === PLAN_EVENTS ? 'STRAY_PLAN' : 'STRAY_RUN',
    severity: 'error',
    file: location,
    message: strayLog(table, id),
    cure: '`plan doctor --fix` moves it and its events to the table frctl_removed, where nothing reads them',
    async mend() {
      const { count, again } = await database.query(
        `with lines as (
            insert into frctl_removed (place, key, body)
            select '${events}', json_build_object('${owner}', ${owner}, 'seq', seq, 'id', id), body
            from ${events} where ${owner} = $1),
          log as (
            insert into frctl_removed (place, key, body)
            select '${logs}', json_build_object('id', id), to_json(${logs}) from ${logs} where id = $1)${values}
         delete from ${logs} where id = $1`,
        [id],
      );
      return count > 0 || again ? 'moved it and its events to the table frctl_removed' : null;
    },
  }));
}

const isLogId = (table: EventTable) => (table === PLAN_EVENTS ? IS_PLAN_ID : IS_RUN_ID);

/** Events under numbers that none can have, where most readers do not come to them. */
async function strayEvents(
  database: Database,
  location: string,
  table: EventTable,
): Promise<readonly Diagnosis[]> {
  const { logs, events, owner } = table;
  const { rows } = await database.query<{ id: string; number: string }>(
    `select ${owner} as id, count(*)::text as number from ${events}
     where not ${IS_COUNTED} and ${owner} in (select id from ${logs} where ${isLogId(table)})
     group by ${owner} order by ${owner}`,
  );
  return rows.map(({ id, number }) => ({
    code: 'STRAY_EVENT',
    severity: 'error',
    file: `${location}: ${owner} ${id}`,
    message: `${number} of its events are numbered below 1 or above ${MOST_EVENTS}, as none can be`,
    cure: '`plan doctor --fix` moves them to the table frctl_removed',
    async mend() {
      const { count, again } = await database.query(
        `with gone as (delete from ${events} where ${owner} = $1 and not ${IS_COUNTED} returning seq, id, body)
         insert into frctl_removed (place, key, body)
         select '${events}', json_build_object('${owner}', $1::text, 'seq', seq, 'id', id), body from gone`,
        [id],
      );
      return count > 0 || again ? 'moved them to the table frctl_removed' : null;
    },
  }));
}

/** Logs that were written to by other hands, and count other events than they have: nothing can be added to them. */
async function* miscounted(
  database: Database,
  location: string,
  table: EventTable,
): AsyncGenerator<Examination> {
  const { logs, events, owner } = table;
  const last = `coalesce((select max(seq) from ${events} where ${owner} = log.id and ${IS_COUNTED}), 0)`;
  // New events would get numbers that others have, or that cannot be counted with.
  const isMiscounted = `(log.seq < ${last} or log.seq > ${MOST_EVENTS})`;
  const { rows } = await database.query<{ id: string; seq: string; last: string }>(
    `select id, seq::text, ${last}::text as last from ${logs} as log
     where ${isLogId(table)} and ${isMiscounted} order by id`,
  );
  for (const { id, seq, last: number } of rows) {
    const diagnosis: Diagnosis = {
      code: 'EVENTS_MISCOUNTED',
      severity: 'error',
      file: `${location}: ${owner} ${id}`,
      message: `it counts ${seq} events, and its last has the number ${number}: nothing can be added to it`,
      cure: '`plan doctor --fix` counts them again',
      async mend() {
        const { count, again } = await database.query(
          `update ${logs} as log set seq = ${last} where id = $1 and ${isMiscounted}`,
          [id],
        );
        return count > 0 || again ? 'counted them again' : null;
      },
    };
    yield { plan: owner === 'plan' ? id : null, diagnoses: [diagnosis], backUp: null };
  }
}

const BACKUP = 'bring it back from a backup of the database';

function damagedEvent(file: string, { line, reason }: Damage): Diagnosis {
  const message = `event ${line} cannot be read: ${reason}`;
  return { code: 'DAMAGED_EVENT', severity: 'error', file, message, cure: BACKUP };
}

function unknownEvent(file: string, { line, reason }: Damage): Diagnosis {
  const message = `event ${line} is passed over: ${reason}`;
  return { code: 'UNKNOWN_EVENT', severity: 'warning', file, message, cure: 'update frctl' };
}
