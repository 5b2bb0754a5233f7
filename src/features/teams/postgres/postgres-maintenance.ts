import { PlanError } from '../../../kernel/errors.js';
import type { Diagnosis, Maintenance } from '../../../storage/maintenance.js';
import { openDamage } from '../../../storage/open-damage.js';
import type { Damage, PlanStore, Stamp } from '../../../storage/plan-store.js';
import { openDatabase } from './database.js';
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
      for (const id of await store.ids())
        yield { plan: id, diagnoses: await diagnose({ database, store, stamp }, id), backUp: null };
      const diagnoses = await tooLongBytes(database, store.location);
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

const BACKUP = 'bring it back from a backup of the database';

function damagedEvent(file: string, { line, reason }: Damage): Diagnosis {
  const message = `event ${line} cannot be read: ${reason}`;
  return { code: 'DAMAGED_EVENT', severity: 'error', file, message, cure: BACKUP };
}

function unknownEvent(file: string, { line, reason }: Damage): Diagnosis {
  const message = `event ${line} is passed over: ${reason}`;
  return { code: 'UNKNOWN_EVENT', severity: 'warning', file, message, cure: 'update frctl' };
}
