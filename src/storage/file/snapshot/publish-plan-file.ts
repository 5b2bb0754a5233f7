import { lstatSync } from 'node:fs';

import { monotonicNow } from '../../../host/monotonic-clock.js';
import { PlanError } from '../../../kernel/errors.js';
import { isArchived } from '../../../plan/archived.js';
import type { Plan } from '../../../plan/plan.js';
import { planFilePieces } from '../../../plan/snapshot/plan-text.js';
import type { LogPosition } from '../../../plan/schema.js';
import { copyToFolder } from '../../../host/files/text-files.js';
import type { PublishTime } from '../../plan-store.js';
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

/** `cheaply` waits this many times as long as publishing takes: at most 2 % of the time. */
const PUBLISH_PAUSE = 49;

export interface PublisherOptions {
  readonly paths: PlanPaths;
  readonly journal: Journal;
  /** Where a plan file goes that somebody edited, before it is published anew. */
  readonly backupFolder: string;
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
  /** Whether somebody edited the plan file that is there. */
  readonly isEdited: boolean;
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
   * @returns `beside another log` when that was put there just then: it must be read and published at once
   * @throws PlanError STORAGE_FAILED
   */
  publish(publishing: Publishing): Promise<'published' | 'not needed' | 'beside another log'>;
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
    async publish({ reading, plan, isEdited, when }) {
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
        clocks: { ...history.clocks },
        ...(reading.unknown.size === 0 ? {} : { unknown: [...reading.unknown].toSorted() }),
      };
      if (isEdited) await copyToFolder(paths.planFile, options.backupFolder);
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
