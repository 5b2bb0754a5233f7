import { storageError } from '../../../host/files/storage-error.js';
import type { Plan } from '../../../plan/plan.js';
import type { StoreWarning } from '../../plan-store.js';
import { indexPath, planPaths } from '../store-paths.js';
import type { PlanFolder } from '../store-paths.js';
import { stampOf } from './index-file.js';
import type { PlanListing } from './plan-listing.js';

/** Where a plan is remembered. */
interface Remembering {
  readonly listing: PlanListing;
  /** The store's folder. */
  readonly folder: string;
  /** Where the plan's files are that count. */
  readonly planFolder: PlanFolder;
  /** Told of what failed. */
  readonly warn?: ((warning: StoreWarning) => void) | undefined;
}

/** Puts a plan into the index, unless its log is longer than what was read of it. Never throws. */
export async function rememberPlan(
  { listing, folder, planFolder, warn }: Remembering,
  plan: Plan,
  { logSize, archived }: { readonly logSize: number; readonly archived: boolean },
): Promise<void> {
  try {
    const stamp = stampOf(planPaths(folder, plan.header.id, planFolder));
    if (stamp.log === null || stamp.log[0] !== logSize) return;
    const { summarize } = await import('../../../plan/plan.js');
    await listing.remember(plan.header.id, { summary: summarize(plan), stamp, archived });
  } catch (cause) {
    const file = indexPath(folder);
    warn?.({ code: 'NOT_INDEXED', message: storageError('write', file, cause).message, file });
  }
}
