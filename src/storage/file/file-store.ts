import { lstatSync } from 'node:fs';
import { join } from 'node:path';

import { messageOf } from '../../kernel/errors.js';
import type { EventPayload, PlanEvent } from '../../plan/events.js';
import type { PlanStore, Stamp, StoreChange, StoreWarning } from '../plan-store.js';
import { peekJournal } from './journal/peek-journal.js';
import type { FilePlanLog } from './log/file-plan-log.js';
import type { Journal } from './journal/journal.js';
import { realFolder } from '../../host/files/folders.js';
import { backupPath, CHECKED, journalFolder, planPaths, STORE_FILES } from './store-paths.js';
import type { PlanFolder } from './store-paths.js';
import { refuseOtherFolder } from './store-folder.js';
import { createPlanLog } from './create-plan-log.js';
import { createPlanListing } from './index/plan-listing.js';
import { rememberPlan } from './index/remember-plan.js';
import { findPlanFolder, plansOnDisk } from './plans-on-disk.js';
import { makeFolder } from '../../host/files/make-folder.js';
import { createFile } from '../../host/files/replace-file.js';
import { storageError } from '../../host/files/storage-error.js';
import { planNotFound } from '../plan-store-errors.js';

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

/** A store whose logs are files. */
export interface FilePlanStore extends PlanStore {
  open(planId: string, from?: 'view' | 'log'): Promise<FilePlanLog>;
}

/**
 * A store in a folder: no locks, no daemon; any number of processes may work in it at once.
 * The folder must exist (see {@link prepareStore}).
 */
export function createFileStore(options: FileStoreOptions): FilePlanStore {
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
      const events = stampAll([first, ...rest], stamp, await replicaId());
      await createPlanLog({ folder, planId, events, journal: await journalOf(planId) });
      return openAt(planId, 'store');
    },
    open: async (planId, from) => openAt(planId, (await findPlanFolder(folder, planId)) ?? 'store', from),
    async view(planId) {
      const planFolder = await findPlanFolder(folder, planId);
      if (planFolder === null) return null;
      const { readPublishedView } = await import('./snapshot/published-view.js');
      return readPublishedView(planId, planPaths(folder, planId, planFolder), (log) =>
        peekJournal(folder, journalFolder(folder, planId), log),
      );
    },
    async findDamage(planId, depth) {
      const { findDamage } = await import('./log/log-damage.js');
      return findDamage(
        planPaths(folder, planId, (await findPlanFolder(folder, planId)) ?? 'store').eventLog,
        depth,
        { record: join(journalFolder(folder, planId), CHECKED), now: options.now },
      );
    },
    async eventsOf(planId, type, goal) {
      const path = await logPathOf(folder, planId);
      return (await import('./log/find-events.js')).findEvents(path, type, goal);
    },
    async recentEvents(planId, wanted) {
      const path = await logPathOf(folder, planId);
      return (await import('./recent-events.js')).readEndOfLog(path, wanted);
    },
    subscribe: (onChange) => subscribeTo(folder, onChange, warn),
    ids: async () => [...(await plansOnDisk(folder, options.now())).keys()],
    list: (which = 'active') => listing.list(which),
    async purge(planId) {
      const { purgePlan } = await import('./purge-plan.js');
      if (!(await purgePlan(folder, planId))) throw planNotFound(planId);
      await listing.forget(planId);
    },
  };

  // What a plan is made with is loaded only when one is opened: `list` reads the index alone.
  async function openAt(planId: string, planFolder: PlanFolder, from?: 'view' | 'log'): Promise<FilePlanLog> {
    const { openFilePlanLog } = await import('./log/file-plan-log.js');
    return openFilePlanLog({
      planId,
      inArchive: planFolder === 'archive',
      from: from ?? 'view',
      paths: planPaths(folder, planId, planFolder),
      stamp,
      replica: replicaId,
      journal: await journalOf(planId),
      backupFolder: backupPath(folder, ''),
      now: options.now,
      remember: (plan, logSize, archived) =>
        rememberPlan({ listing, folder, planFolder, warn }, plan, { logSize, archived }),
      warn,
    });
  }

  async function journalOf(planId: string): Promise<Journal> {
    const { openJournal } = await import('./journal/journal.js');
    const { makeReplicaId: makeMark, fixedMark, now } = options;
    return openJournal({ store: folder, planId, now, makeMark, fixedMark });
  }
}

/** @throws PlanError PLAN_NOT_FOUND */
async function logPathOf(folder: string, planId: string): Promise<string> {
  const planFolder = await findPlanFolder(folder, planId);
  if (planFolder === null) throw planNotFound(planId);
  return planPaths(folder, planId, planFolder).eventLog;
}

/** What watches is loaded only where somebody wants to know. */
function subscribeTo(
  folder: string,
  onChange: (change: StoreChange) => void,
  warn: FileStoreOptions['warn'],
): () => void {
  let stop: (() => void) | null = null;
  let isOver = false;
  import('./watch-store.js')
    .then(({ watchStore }) => {
      if (!isOver) stop = watchStore(folder, onChange);
    })
    .catch((cause: unknown) => {
      const message = `changes of the store cannot be followed: ${messageOf(cause)}`;
      warn?.({ code: 'NOT_WATCHED', message, file: folder });
    });
  return () => {
    isOver = true;
    stop?.();
  };
}

/**
 * Makes the folder of a store with the files that git needs. What is there stays as it is.
 * @throws PlanError INVALID_INPUT for a folder of other files, STORAGE_FAILED
 */
export async function prepareStore(folder: string): Promise<void> {
  refuseOtherFolder(folder);
  try {
    await makeFolder(realFolder(folder));
    // What is there need not be writable: nothing is tried where nothing is to be made.
    for (const [name, content] of Object.entries(STORE_FILES)) {
      const path = join(realFolder(folder), name);
      if (lstatSync(path, { throwIfNoEntry: false }) === undefined) await createFile(path, content);
    }
  } catch (cause) {
    throw storageError('create', folder, cause);
  }
}

function stampAll(payloads: readonly EventPayload[], stamp: Stamp, replica: string): readonly PlanEvent[] {
  return payloads.map((payload, index): PlanEvent => ({ ...stamp(), replica, clock: index + 1, ...payload }));
}
