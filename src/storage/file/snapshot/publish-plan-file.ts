import { lstatSync } from 'node:fs';
import { join } from 'node:path';

import { monotonicNow } from '../../../host/monotonic-clock.js';
import { PlanError } from '../../../kernel/errors.js';
import { isArchived } from '../../../plan/archived.js';
import { clocksByReplica } from '../../../plan/events/clocks.js';
import type { Plan } from '../../../plan/plan.js';
import { planFilePieces } from '../../../plan/snapshot/plan-text.js';
import type { LogPosition } from '../../../plan/schema.js';
import { copyToFolder } from '../../../host/files/text-files.js';
import type { PublishTime, StoreWarning } from '../../plan-store.js';
import { syncLog } from '../log/event-log.js';
import { fileIdentity, fileIdentityNow, isSameFile } from '../../../host/files/file-identity.js';
import type { FileIdentity } from '../../../host/files/file-identity.js';
import type { Journal } from '../journal/journal.js';
import type { PlanPaths } from '../store-paths.js';
import { goesOn, isCutOff } from '../log/log-reading.js';
import type { Reading } from '../log/log-reading.js';
import { replaceFile } from '../../../host/files/replace-file.js';
import { withFileChecksum } from '../../log/checksum.js';
import { isDue } from '../../log/lag.js';
import { fateOfPlanFile } from './beside-plan-file.js';
import { planFileStamp } from './plan-file-stamp.js';

/** `cheaply` waits this many times as long as publishing takes: at most 2 % of the time. */
const PUBLISH_PAUSE = 49;

export interface PublisherOptions {
  readonly planId: string;
  readonly paths: PlanPaths;
  readonly journal: Journal;
  /** What the plan was read from; whoever read the log alone has made a copy of the plan file, and replaces whatever it is. */
  readonly from: 'view' | 'log';
  /** Where a plan file goes that shows something of its own, before it is published anew. */
  readonly backupFolder: string;
  /** Told of such a copy. */
  readonly warn?: ((warning: StoreWarning) => void) | undefined;
  /** Called with the plan's state, also where the plan file was left behind it. */
  readonly remember: (plan: Plan, logSize: number, archived: boolean) => Promise<void>;
  /** Now, in milliseconds since 1970. */
  readonly now: () => number;
  /** Whether its files are where 0.1 moved archived plans. */
  readonly inArchive: boolean;
}

/** What is to be published. */
interface Publishing {
  readonly reading: Reading;
  readonly plan: Plan;
  /** The stamp of a plan file of which the plan has everything; null where that is not known. */
  readonly covered: string | null;
  readonly when: PublishTime;
}

/** Writes the plan file of one plan, as often as it pays. */
export interface Publisher {
  /** Notes how much of a log the disk is known to have. */
  noteSynced(log: FileIdentity): void;
  /** Whether the plan file is missing, of no use, or too far behind what was read. */
  isDue(reading: Reading, plan: Plan): boolean;
  /**
   * Writes the state as the plan file. It never tells more than the disk has of the log, and is not written beside
   * another log than the one that was read.
   * @returns `beside another log` when that was put there just then: it must be read and published at once; `behind` when the
   *   plan file stays as it is, since it shows what the log has lost
   * @throws PlanError UNSUPPORTED_VERSION, STORAGE_FAILED
   */
  publish(publishing: Publishing): Promise<'published' | 'not needed' | 'beside another log' | 'behind'>;
}

interface Published {
  readonly event: string;
  readonly at: number;
  readonly took: number;
  /** How many goals that was. */
  readonly goals: number;
}

/** Makes the publisher of one plan. */
export function createPublisher(options: PublisherOptions): Publisher {
  const { paths } = options;
  let published: Published | null = null;
  let synced: FileIdentity | null = null;

  return {
    noteSynced(log) {
      synced = log;
    },
    isDue: isDueNow,
    async publish({ reading, plan, covered, when }) {
      const { file, last, history } = reading;
      if (last === null || published?.event === last.event) return 'not needed';
      const started = monotonicNow();
      if (when === 'cheaply' && published !== null && started - published.at < pauseAfter(published, plan))
        return 'not needed';
      if (when === 'when_due' && !isDueNow(reading, plan)) {
        await remember(reading, plan);
        return 'not needed';
      }
      if (!(await isDurable(file, last.end))) return 'not needed';
      const log: LogPosition = {
        bytes: last.end,
        event: last.event,
        clocks: clocksByReplica(history.clocks),
        ...(reading.unknown.size === 0 ? {} : { unknown: [...reading.unknown].toSorted() }),
      };
      if (!(await seeToPlanFile(reading, covered))) return 'behind';
      options.journal.notePublished(file, last.event);
      const unless = () => isReadingOfAnother(paths.eventLog, reading);
      const content = withFileChecksum(planFilePieces(plan, log));
      if (!(await replaceFile(paths.planFile, content, { like: paths.eventLog, unless })))
        return 'not needed';
      await remember(reading, plan);
      const at = monotonicNow();
      published = { event: last.event, at, took: at - started, goals: plan.counts.total };
      const named = await fileIdentity(paths.eventLog);
      if (named === null || isSameFile(named, file)) return 'published';
      published = null;
      return 'beside another log';
    },
  };

  function isDueNow({ lag }: Reading, plan: Plan): boolean {
    const size = lstatSync(paths.planFile, { throwIfNoEntry: false })?.size ?? 0;
    return isDue(lag, plan, size, options.now());
  }

  /** Copies the plan file that is there if need be. @returns whether it may be replaced */
  async function seeToPlanFile(reading: Reading, covered: string | null): Promise<boolean> {
    const { from, backupFolder, warn } = options;
    if (from === 'log' || (covered !== null && covered === planFileStamp(paths.planFile))) return true;
    const fate = await fateOfPlanFile({ ...options, reading });
    if (fate !== 'copy') return fate === 'replace';
    const copy = join(backupFolder, await copyToFolder(paths.planFile, backupFolder));
    warn?.({
      code: 'PLAN_FILE_KEPT',
      message: `${paths.planFile} was edited or damaged, and is rewritten from the log; what it was is kept as ${copy}`,
      file: paths.planFile,
    });
    return true;
  }

  async function remember({ position }: Reading, plan: Plan): Promise<void> {
    await options.remember(plan, position, isArchived(plan.header.archived_at, options.inArchive));
  }

  /** Whether the path still names a log file, once the disk has so much of it. */
  async function isDurable(file: FileIdentity, end: number): Promise<boolean> {
    const named = await fileIdentity(paths.eventLog);
    if (named === null || !isSameFile(named, file)) return false;
    if (synced === null || !isSameFile(synced, file) || synced.size < end)
      synced = await syncLog(paths.eventLog).catch(nullIfGone);
    return synced !== null && isSameFile(synced, file);
  }
}

/** Whether the path names another log than the one that was read, or none: the plan was deleted, say. */
function isReadingOfAnother(path: string, reading: Reading): boolean {
  const log = fileIdentityNow(path);
  if (log === null || !isSameFile(reading.file, log)) return true;
  return !isCutOff(reading, log) && !goesOn(path, reading, log);
}

function nullIfGone(thrown: unknown): null {
  if (thrown instanceof PlanError && thrown.details.reason === 'ENOENT') return null;
  throw thrown;
}

/** In milliseconds; a plan that has grown since is expected to take as much longer to publish. */
function pauseAfter({ took, goals }: Published, plan: Plan): number {
  return took * Math.max(1, plan.counts.total / goals) * PUBLISH_PAUSE;
}
