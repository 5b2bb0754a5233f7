import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';

import { messageOf, PlanError } from '../../errors.js';
import type { EventPayload, PlanEvent } from '../../plan/events.js';
import type { Plan } from '../../plan/plan.js';
import type { Summary } from '../../plan/schema.js';
import type { Listing, PlanLog, PlanStore, Shelf, Stamp, StoreProblem } from '../plan-store.js';
import { identify, markOf } from './file-identity.js';
import type { FileIdentity } from './file-identity.js';
import { readIndex, stampHolds, stampOf, writeIndex } from './index-file.js';
import type { Index } from './index-file.js';
import { backupPath, indexPath, planPaths, realFolder, shelfFolder, STORE_FILES } from './layout.js';
import type { PlanPaths } from './layout.js';
import { createFile, deleteFile, makeFolder, moveFile } from './replace-file.js';
import { filesOnShelf } from './shelf-files.js';
import { storageError } from './storage-error.js';
import { wordRefusal } from '../../plan/refusals.js';
import type { Refusal } from '../../plan/refusals.js';

export interface FileStoreOptions {
  /** The store's folder, such as `/project/.plans`. */
  readonly folder: string;
  readonly stamp: Stamp;
  readonly makeReplicaId: () => string;
  /** What tells a log from a later file of the same name (default: {@link markOf}). */
  readonly fileMark?: ((file: FileIdentity) => string) | undefined;
  /** Now, in milliseconds since 1970. */
  readonly now: () => number;
}

/**
 * A store in a folder: no locks, no daemon; any number of processes may work in it at once.
 * The folder must exist (see {@link prepareStore}).
 */
export function createFileStore(options: FileStoreOptions): PlanStore {
  const { stamp } = options;
  const folder = realFolder(options.folder);
  let replica: Promise<string> | null = null;
  const replicaId = () =>
    (replica ??= import('./replica.js').then(({ replicaOf }) => replicaOf(folder, options.makeReplicaId)));

  return {
    location: folder,
    async create(first, rest = []) {
      const planId = first.plan.id;
      const paths = planPaths(folder, planId, 'active');
      const events = stampAll([first, ...rest], await replicaId());
      const refused = await firstRefusal(events);
      if (refused !== null) throw new PlanError('INVALID_PLAN', wordRefusal(refused));
      const { createLog } = await import('./event-log.js');
      const { encodeReadably } = await import('./event-line.js');
      const archived = planPaths(folder, planId, 'archive');
      const exists =
        (await identify(paths.planFile)) !== null ||
        (await identify(archived.planFile)) !== null ||
        (await identify(archived.eventLog)) !== null ||
        !(await createLog(paths.eventLog, events.map((event) => encodeReadably(event).line).join('')));
      if (exists) throw planExists(planId);
      return open(planId, 'active');
    },
    async open(planId, from = 'view') {
      return open(planId, await shelfOf(planId), from);
    },
    async view(planId) {
      const { readPublishedView } = await import('./published-view.js');
      return readPublishedView(planId, planPaths(folder, planId, await shelfOf(planId)));
    },
    ids: async (shelf = 'active') => [...(await filesOn(shelf)).keys()],
    list,
    move,
    purge,
  };

  function stampAll(payloads: readonly EventPayload[], replica: string): readonly PlanEvent[] {
    return payloads.map((payload, index): PlanEvent => ({
      ...stamp(),
      replica,
      clock: index + 1,
      ...payload,
    }));
  }

  async function shelfOf(planId: string): Promise<Shelf> {
    if (await isThere(planPaths(folder, planId, 'active'))) return 'active';
    return (await isThere(planPaths(folder, planId, 'archive'))) ? 'archive' : 'active';
  }

  // What a plan is made with is loaded only when one is opened: `list` reads the index alone.
  async function open(planId: string, shelf: Shelf, from: 'view' | 'log' = 'view'): Promise<PlanLog> {
    const { openFilePlanLog } = await import('./file-plan-log.js');
    const paths = planPaths(folder, planId, shelf);
    return openFilePlanLog({
      planId,
      shelf,
      from,
      paths,
      stamp,
      replica: replicaId,
      fileMark: options.fileMark ?? markOf,
      backupFolder: backupPath(folder, ''),
      published: (plan, logSize) => remember(plan, logSize, shelf),
    });
  }

  /** Puts a published plan into the index, unless its files are newer than what was published. */
  async function remember(plan: Plan, logSize: number, shelf: Shelf): Promise<void> {
    if (shelf === 'archive') return;
    const files = stampOf(planPaths(folder, plan.header.id, shelf));
    if (files.log === null || files.log[0] !== logSize) return;
    const { summarize } = await import('../../plan/plan.js');
    const index = new Map(readIndex(indexPath(folder)));
    index.set(plan.header.id, { summary: summarize(plan), stamp: files });
    await keepIndex(index);
  }

  async function list(shelf: Shelf = 'active'): Promise<Listing> {
    const index: Index = shelf === 'active' ? readIndex(indexPath(folder)) : new Map();
    const there = await filesOn(shelf);
    const fresh = new Map<string, Index extends ReadonlyMap<string, infer Entry> ? Entry : never>();
    const torn: Summary[] = [];
    const problems: StoreProblem[] = [];
    let changed = index.size !== there.size;
    for (const [id, files] of there) {
      const paths = planPaths(folder, id, shelf);
      const known = index.get(id);
      if (known !== undefined && stampHolds(known.stamp, files, paths)) {
        fresh.set(id, known);
        continue;
      }
      changed = true;
      const stamp = stampOf(paths);
      const read = await summaryOf(id, shelf);
      if ('message' in read) problems.push(read);
      else if (read.whole) fresh.set(id, { summary: read.summary, stamp });
      else torn.push(read.summary);
    }
    if (changed && shelf === 'active') await keepIndex(fresh);
    const summaries = Array.from(fresh.values(), ({ summary }) => summary);
    return { plans: newestFirst([...summaries, ...torn]), problems };
  }

  /** `whole` says that the log has all that was published of it, so that the log alone tells when this changes. */
  async function summaryOf(
    id: string,
    shelf: Shelf,
  ): Promise<{ readonly summary: Summary; readonly whole: boolean } | StoreProblem> {
    try {
      const { summarize } = await import('../../plan/plan.js');
      const log = await open(id, shelf);
      return { summary: summarize(log.plan), whole: log.missing === 0 };
    } catch (thrown) {
      const code = thrown instanceof PlanError ? thrown.code : 'STORE_DAMAGED';
      return { file: planPaths(folder, id, shelf).planFile, code, path: '$', message: messageOf(thrown) };
    }
  }

  async function filesOn(shelf: Shelf) {
    return filesOnShelf(folder, shelf, options.now());
  }

  async function move(planId: string, to: Shelf): Promise<void> {
    const from = planPaths(folder, planId, to === 'archive' ? 'active' : 'archive');
    const target = planPaths(folder, planId, to);
    if ((await identify(from.planFile)) === null && (await identify(from.eventLog)) === null) {
      const place = to === 'archive' ? 'in the store' : 'in the archive';
      throw new PlanError('PLAN_NOT_FOUND', `there is no plan ${planId} ${place}`, {
        details: { plan: planId },
      });
    }
    if ((await identify(target.eventLog)) !== null) throw planExists(planId);
    await makeFolder(shelfFolder(folder, to)).catch((cause: unknown) => {
      throw storageError('create', shelfFolder(folder, to), cause);
    });
    // The log, which is the truth, moves last: a crash between leaves a plan that is rebuilt from it.
    await moveFile(from.planFile, target.planFile);
    await moveFile(from.eventLog, target.eventLog);
    await forget(planId);
  }

  async function purge(planId: string): Promise<void> {
    const places = [planPaths(folder, planId, 'active'), planPaths(folder, planId, 'archive')];
    const files = places.flatMap(({ planFile, eventLog }) => [planFile, eventLog]);
    const deleted = await Promise.all(files.map(deleteFile));
    if (!deleted.includes(true)) {
      throw new PlanError('PLAN_NOT_FOUND', `there is no plan ${planId}`, { details: { plan: planId } });
    }
    await forget(planId);
  }

  async function forget(planId: string): Promise<void> {
    const index = new Map(readIndex(indexPath(folder)));
    if (index.delete(planId)) await keepIndex(index);
  }

  // The listing is right without the cache: a change that was kept does not fail for it.
  async function keepIndex(index: Index): Promise<void> {
    const now = new Date(options.now()).toISOString();
    await writeIndex(indexPath(folder), index, now).catch(() => undefined);
  }
}

/**
 * Makes the folder of a store with the files that git needs. What is there stays as it is.
 * @throws PlanError STORAGE_FAILED
 */
export async function prepareStore(folder: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true });
    for (const [name, content] of Object.entries(STORE_FILES))
      await createFile(join(realFolder(folder), name), content);
  } catch (cause) {
    throw storageError('create', folder, cause);
  }
}

async function isThere({ eventLog, planFile }: PlanPaths): Promise<boolean> {
  return (await identify(eventLog)) !== null || (await identify(planFile)) !== null;
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

function newestFirst(plans: readonly Summary[]): readonly Summary[] {
  return plans.toSorted((a, b) => compareTimes(b.updated_at, a.updated_at) || (a.id < b.id ? -1 : 1));
}

/** Compares two times. As this program writes them, in UTC and to the millisecond, their texts are in order. */
function compareTimes(a: string, b: string): number {
  if (a.length === b.length && a.endsWith('Z') && b.endsWith('Z')) return a < b ? -1 : a > b ? 1 : 0;
  return Date.parse(a) - Date.parse(b);
}

function planExists(planId: string): PlanError {
  return new PlanError('PLAN_EXISTS', `there is a plan ${planId} already`, {
    hint: `\`plan delete --purge ${planId}\` would remove it for good.`,
    details: { plan: planId },
  });
}
