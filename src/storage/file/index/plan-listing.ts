import { messageOf, PlanError } from '../../../kernel/errors.js';
import { isArchived } from '../../../plan/archived.js';
import type { KeptSummary } from '../../../plan/schema.js';
import type { Listing, PlanLog, StoreProblem } from '../../plan-store.js';
import { lastWritten } from '../../../host/files/file-identity.js';
import { readIndex, indexStampHolds, stampOf, writeIndex } from './index-file.js';
import type { Index, IndexEntry } from './index-file.js';
import { indexPath, planPaths } from '../store-paths.js';
import type { PlanPaths, PlanFolder } from '../store-paths.js';
import { plansOnDisk } from '../plans-on-disk.js';

export interface ListingOptions {
  readonly folder: string;
  /** Now, in milliseconds since 1970. */
  readonly now: () => number;
  /** Opens a plan that the index does not know as it is now. */
  readonly open: (planId: string, planFolder: PlanFolder) => Promise<PlanLog>;
}

/** The summaries of a store's plans, and the index that keeps them. */
export interface PlanListing {
  list(which: 'active' | 'archived'): Promise<Listing>;
  /** Puts a plan into the index. @throws PlanError STORAGE_FAILED */
  remember(planId: string, entry: IndexEntry): Promise<void>;
  /** Takes a plan out of the index. The listing is right without that. */
  forget(planId: string): Promise<void>;
}

/** Lists plans; those that the index knows as they are now are not read. */
export function createPlanListing({ folder, now, open }: ListingOptions): PlanListing {
  return {
    async list(which) {
      const index = readIndex(indexPath(folder));
      const known = new Map<string, IndexEntry>();
      const torn: KeptSummary[] = [];
      const problems: StoreProblem[] = [];
      const unreadable = new Map<StoreProblem, PlanPaths>();
      // An archive that is a link, say, hides no plan beside it.
      const there = await plansOnDisk(folder, now(), (file, cause) => problems.push(problemAt(file, cause)));
      let changed = index.size !== there.size;
      for (const [id, { planFolder, files }] of there) {
        const paths = planPaths(folder, id, planFolder);
        const entry = index.get(id);
        const inArchive = planFolder === 'archive';
        if (entry !== undefined && indexStampHolds(entry.stamp, files, paths)) {
          const archived = isArchived(entry.summary.archived_at, inArchive);
          known.set(id, archived === entry.archived ? entry : { ...entry, archived });
          continue;
        }
        changed = true;
        const stamp = stampOf(paths);
        const read = await summaryOf(id, planFolder);
        if ('message' in read) {
          if (inArchive !== (which === 'archived')) continue;
          problems.push(read);
          unreadable.set(read, paths);
          continue;
        }
        if (read.whole) known.set(id, { summary: read.summary, stamp, archived: read.archived });
        else if (read.archived === (which === 'archived')) torn.push(read.summary);
      }
      // The listing is right without the cache, also where nothing may be written.
      if (changed) await keep(known).catch(() => undefined);
      const wanted = [...known.values()].filter(({ archived }) => archived === (which === 'archived'));
      const plans = newestFirst([...wanted.map(({ summary }) => summary), ...torn]);
      return { plans, problems, perhapsNewest: changedSince(unreadable, plans[0]?.updated_at) };
    },
    async remember(planId, entry) {
      await keep(new Map([...readIndex(indexPath(folder)), [planId, entry]]));
    },
    async forget(planId) {
      const index = new Map(readIndex(indexPath(folder)));
      if (index.delete(planId)) await keep(index).catch(() => undefined);
    },
  };

  /** `whole` says that the log has all that was published of it, so that the log alone tells when this changes. */
  async function summaryOf(
    id: string,
    planFolder: PlanFolder,
  ): Promise<
    { readonly summary: KeptSummary; readonly whole: boolean; readonly archived: boolean } | StoreProblem
  > {
    try {
      const { summarize } = await import('../../../plan/plan.js');
      const { plan, isCutOff, pending, archived } = await open(id, planFolder);
      return { summary: summarize(plan), whole: !isCutOff && pending === 0, archived };
    } catch (thrown) {
      return problemAt(planPaths(folder, id, planFolder).planFile, thrown);
    }
  }

  async function keep(index: Index): Promise<void> {
    await writeIndex(indexPath(folder), index, new Date(now()).toISOString());
  }
}

function problemAt(file: string, thrown: unknown): StoreProblem {
  const code = thrown instanceof PlanError ? thrown.code : 'STORE_DAMAGED';
  return { file, code, path: '$', message: messageOf(thrown) };
}

/** Plans that cannot be read and whose files were written after a time. A file is never older than the last change in it. */
function changedSince(
  unreadable: ReadonlyMap<StoreProblem, PlanPaths>,
  time: string | undefined,
): readonly StoreProblem[] {
  const since = time === undefined ? -Infinity : Date.parse(time);
  return Array.from(unreadable)
    .filter(([, { planFile, eventLog }]) => Math.max(lastWritten(planFile), lastWritten(eventLog)) >= since)
    .map(([problem]) => problem);
}

function newestFirst(plans: readonly KeptSummary[]): readonly KeptSummary[] {
  return plans.toSorted((a, b) => compareTimes(b.updated_at, a.updated_at) || (a.id < b.id ? -1 : 1));
}

/** Compares two times. As this program writes them, in UTC and to the millisecond, their texts are in order. */
function compareTimes(a: string, b: string): number {
  if (a.length === b.length && a.endsWith('Z') && b.endsWith('Z')) return a < b ? -1 : a > b ? 1 : 0;
  return Date.parse(a) - Date.parse(b);
}
