import { lstatSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';

import { PlanError } from '../../kernel/errors.js';
import type { EventPayload, PlanEvent } from '../../plan/events.js';
import type { Plan } from '../../plan/plan.js';
import type { PlanLog, PlanStore, Stamp, StoreWarning } from '../plan-store.js';
import { stampOf } from './index/index-file.js';
import { lookInJournal } from './journal/journal-look.js';
import type { Journal } from './journal/journal.js';
import { realFolder } from '../../host/files/folders.js';
import { backupPath, indexPath, journalFolder, planPaths, STORE_FILES } from './layout.js';
import type { PlanPlace } from './layout.js';
import { createPlanListing } from './index/plan-listing.js';
import { placeOf, plansOnDisk } from './plans-on-disk.js';
import { createFile } from '../../host/files/replace-file.js';
import { storageError } from '../../host/files/storage-error.js';
import { wordRefusal } from '../../plan/refusals.js';
import type { Refusal } from '../../plan/refusals.js';

export interface FileStoreOptions {
  /** The store's folder, such as `/project/.plans`. */
  readonly folder: string;
  readonly stamp: Stamp;
  readonly makeReplicaId: () => string;
  /** The mark of every log file, where files are to be the same on every machine (see {@link openJournal}). */
  readonly fixedMark?: (() => string) | undefined;
  /** Now, in milliseconds since 1970. */
  readonly now: () => number;
  /** Told what failed after a change was stored; without it that is thrown. */
  readonly warn?: ((warning: StoreWarning) => void) | undefined;
}

/**
 * A store in a folder: no locks, no daemon; any number of processes may work in it at once.
 * The folder must exist (see {@link prepareStore}).
 */
export function createFileStore(options: FileStoreOptions): PlanStore {
  const { stamp, warn } = options;
  const folder = realFolder(options.folder);
  let replica: Promise<string> | null = null;
  const replicaId = () =>
    (replica ??= import('./journal/replica.js').then(({ replicaOf }) =>
      replicaOf(folder, options.makeReplicaId),
    ));
  const listing = createPlanListing({ folder, now: options.now, open: openAt });

  return {
    location: folder,
    async create(first, rest = []) {
      const planId = first.plan.id;
      const events = stampAll([first, ...rest], await replicaId());
      const refused = await firstRefusal(events);
      if (refused !== null) throw new PlanError('INVALID_PLAN', wordRefusal(refused));
      const { createLog } = await import('./log/event-log.js');
      const { encodeReadably, twiceMade } = await import('./log/event-line.js');
      const { endPurge } = await import('./purge-plan.js');
      await endPurge(folder, planId);
      const content = twiceMade(events.map((event) => encodeReadably(event).line)).join('');
      const { eventLog } = planPaths(folder, planId, 'store');
      const isTaken = (await placeOf(folder, planId)) !== null || !(await createLog(eventLog, content));
      if (isTaken) throw planExists(planId);
      const { beginJournal } = await import('./log/settle-log.js');
      await beginJournal(await journalOf(planId), eventLog);
      return openAt(planId, 'store');
    },
    open: async (planId, from) => openAt(planId, (await placeOf(folder, planId)) ?? 'store', from),
    async view(planId) {
      const place = await placeOf(folder, planId);
      if (place === null) return null;
      const { readPublishedView } = await import('./snapshot/published-view.js');
      return readPublishedView(planId, planPaths(folder, planId, place), (log) =>
        lookInJournal(folder, journalFolder(folder, planId), log),
      );
    },
    async findDamage(planId, depth) {
      const { findDamage } = await import('./log/log-damage.js');
      return findDamage(
        planPaths(folder, planId, (await placeOf(folder, planId)) ?? 'store').eventLog,
        depth,
      );
    },
    async eventsOf(planId, type, goal) {
      const place = await placeOf(folder, planId);
      if (place === null) throw noPlan(planId);
      const { findEvents } = await import('./log/find-events.js');
      return findEvents(planPaths(folder, planId, place).eventLog, type, goal);
    },
    ids: async () => [...(await plansOnDisk(folder, options.now())).keys()],
    list: (which = 'active') => listing.list(which),
    async purge(planId) {
      const { purgePlan } = await import('./purge-plan.js');
      if (!(await purgePlan(folder, planId))) throw noPlan(planId);
      await listing.forget(planId);
    },
  };

  function stampAll(payloads: readonly EventPayload[], replica: string): readonly PlanEvent[] {
    return payloads.map((payload, index): PlanEvent => ({
      ...stamp(),
      replica,
      clock: index + 1,
      ...payload,
    }));
  }

  // What a plan is made with is loaded only when one is opened: `list` reads the index alone.
  async function openAt(planId: string, place: PlanPlace, from: 'view' | 'log' = 'view'): Promise<PlanLog> {
    const { openFilePlanLog } = await import('./log/file-plan-log.js');
    return openFilePlanLog({
      planId,
      inArchive: place === 'archive',
      from,
      paths: planPaths(folder, planId, place),
      stamp,
      replica: replicaId,
      journal: await journalOf(planId),
      backupFolder: backupPath(folder, ''),
      now: options.now,
      remember: (plan, logSize, archived) => remember(plan, { logSize, archived, place }),
      warn,
    });
  }

  async function journalOf(planId: string): Promise<Journal> {
    const { openJournal } = await import('./journal/journal.js');
    const { makeReplicaId: makeMark, fixedMark } = options;
    return openJournal({ store: folder, planId, makeMark, fixedMark });
  }

  /** Puts a published plan into the index, unless its files are newer than what was published. */
  async function remember(
    plan: Plan,
    { logSize, archived, place }: { logSize: number; archived: boolean; place: PlanPlace },
  ): Promise<void> {
    try {
      const stamp = stampOf(planPaths(folder, plan.header.id, place));
      if (stamp.log === null || stamp.log[0] !== logSize) return;
      const { summarize } = await import('../../plan/plan.js');
      await listing.remember(plan.header.id, { summary: summarize(plan), stamp, archived });
    } catch (cause) {
      const file = indexPath(folder);
      warn?.({ code: 'NOT_INDEXED', message: storageError('write', file, cause).message, file });
    }
  }
}

/**
 * Makes the folder of a store with the files that git needs. What is there stays as it is.
 * @throws PlanError STORAGE_FAILED
 */
export async function prepareStore(folder: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true });
    // What is there need not be writable: nothing is tried where nothing is to be made.
    for (const [name, content] of Object.entries(STORE_FILES)) {
      const path = join(realFolder(folder), name);
      if (lstatSync(path, { throwIfNoEntry: false }) === undefined) await createFile(path, content);
    }
  } catch (cause) {
    throw storageError('create', folder, cause);
  }
}

async function firstRefusal(events: readonly PlanEvent[]): Promise<Refusal | null> {
  const { apply } = await import('../../plan/apply.js');
  let plan: Plan | null = null;
  for (const event of events) {
    const applied = apply(plan, event);
    if (applied.refused !== null) return applied.refused;
    plan = applied.plan;
  }
  return null;
}

function noPlan(planId: string): PlanError {
  return new PlanError('PLAN_NOT_FOUND', `there is no plan ${planId}`, { details: { plan: planId } });
}

function planExists(planId: string): PlanError {
  return new PlanError('PLAN_EXISTS', `there is a plan ${planId} already`, {
    hint: `\`plan status ${planId}\` shows the one that is here, also when it is archived; it stays as it is.`,
    details: { plan: planId },
  });
}
