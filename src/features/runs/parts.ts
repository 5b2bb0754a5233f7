import { isFolder } from '../../host/files/folders.js';
import type { RunContext } from '../../operations/operation.js';
import { partOpener } from '../../operations/shared/parts.js';
import type { Part } from '../../operations/shared/parts.js';
import { runsFolder } from '../../storage/file/run-paths.js';
import type { RunLog } from './model/run-log.js';
import type { RunWorkers } from './model/run.js';
import type { Toolbox } from './model/tool.js';
import type { KitCarrier } from './runners/kit-carrier.js';
import type { RunStore } from './storage/run-store.js';

/** The runs of action plans. */
export const RUNS: Part<RunStore> = { name: 'runs' };

/** The tools that the program has brought, in place of any tools file. */
export const TOOLBOX: Part<Toolbox> = { name: 'toolbox' };

/** What carries out the tools of kits. */
export const KIT_CARRIER: Part<KitCarrier> = { name: 'kit carrier' };

/** Who carries runs out together, where several machines share a store. */
export const RUN_TEAM: Part<RunTeam> = { name: 'run team' };

export interface RunTeam {
  /**
   * Holds a run as long as this process lives, or until it is let go.
   * @returns lets it go; null when another process holds it
   * @throws PlanError STORAGE_FAILED
   */
  hold(run: string): Promise<(() => Promise<void>) | null>;
  /** Whether some process holds a run. @throws PlanError STORAGE_FAILED */
  isHeld(run: string): Promise<boolean>;
  /** Leaves a run to workers, from wherever. @throws PlanError as `plan run --workers` does */
  leave(context: RunContext, log: RunLog, how: LeavingOptions): Promise<void>;
}

/** How workers are to carry a run out; the same as a command may say that does so itself. */
export type LeavingOptions = Pick<RunWorkers, 'on_unknown' | 'snapshot'>;

/** How runs are opened that are kept in files or in memory. */
export const RUN_PARTS = [
  partOpener({
    part: RUNS,
    store: 'files',
    has: ({ folder }) => folder !== null && isFolder(runsFolder(folder)),
    async open(store) {
      const { createFileRunStore } = await import('./storage/file/file-run-store.js');
      return createFileRunStore((await store.plans()).location, store.stamp);
    },
  }),
  partOpener({
    part: RUNS,
    store: 'memory',
    async open({ stamp, workspace }) {
      const { createMemoryRunStore, keptRuns } = await import('./storage/memory-run-store.js');
      return createMemoryRunStore(stamp, keptRuns(workspace));
    },
  }),
];
