import { isArchived } from '../../../plan/archived.js';
import type { PlanEvent } from '../../../plan/events.js';
import { inCanonicalOrder } from '../../../plan/history.js';
import type { Plan } from '../../../plan/plan.js';
import type { PlanLog, Stamp } from '../../plan-store.js';
import { createTurns } from '../../turns.js';
import { fileIdentity } from '../../../host/files/file-identity.js';
import { openLogReader } from './log-reader.js';
import type { LogReaderOptions } from './plan-state.js';
import { readAll } from './log-reading.js';
import { createLogWriter } from './log-writer.js';
import type { LogWriter } from './log-writer.js';
import { createPublisher } from '../snapshot/publish-plan-file.js';
import { createPublishing } from './publishing.js';
import type { Publishing } from './publishing.js';
import { discardDropped, droppedByGit, restoreDropped } from './dropped-changes.js';
import type { DroppedChanges } from './dropped-changes.js';
import { eventsInOrder } from './ordered-events.js';
import type { Waiting } from '../../log/stamp-events.js';

export interface FilePlanLogOptions extends LogReaderOptions {
  /** Whether its files are where 0.1 moved archived plans. */
  readonly inArchive: boolean;
  readonly stamp: Stamp;
  /** Where a plan file goes that somebody edited, before it is published anew. */
  readonly backupFolder: string;
  /** Called with the plan's state after each change and publishing. */
  readonly remember: (plan: Plan, logSize: number, archived: boolean) => Promise<void>;
  /** Now, in milliseconds since 1970. */
  readonly now: () => number;
}

/** The log of a plan in files, which git can change as well. */
export interface FilePlanLog extends PlanLog {
  /** Returns the changes that were acknowledged here and that git dropped when it was told to; nobody has decided about them. */
  droppedByGit(): Promise<DroppedChanges>;

  /** Writes again what is pending and what git dropped. @throws PlanError STORAGE_FAILED */
  restoreDropped(): Promise<void>;

  /** Discards for good what git dropped. @throws PlanError STORAGE_FAILED */
  discardDropped(): Promise<void>;
}

/**
 * Opens a plan kept as an event log and a published plan file.
 * @throws PlanError PLAN_NOT_FOUND, STORE_DAMAGED, INVALID_PLAN, UNSUPPORTED_VERSION, STORAGE_FAILED
 */
export async function openFilePlanLog(options: FilePlanLogOptions): Promise<FilePlanLog> {
  const { paths } = options;
  const reader = await openLogReader(options);
  const publisher = createPublisher(options);
  const writer = createLogWriter({ ...options, noteSynced: (log) => publisher.noteSynced(log) }, reader);
  const publishing = createPublishing(options, reader, publisher);
  const inTurn = createTurns();
  const queue: Waiting[] = [];

  return {
    get plan() {
      return reader.plan;
    },
    get archived() {
      return isArchived(reader.plan.header.archived_at, options.inArchive);
    },
    get isCutOff() {
      return reader.loss !== null;
    },
    get stale() {
      return reader.view === 'stale';
    },
    get lastEvent() {
      return reader.reading?.last?.event ?? null;
    },
    get publishDue() {
      return reader.reading !== null && publisher.isDue(reader.reading, reader.plan);
    },
    get pending() {
      return reader.reading?.pending.length ?? 0;
    },
    get damage() {
      return reader.reading?.damage ?? [];
    },
    append(payloads, by, onWritten) {
      return new Promise((resolve, reject) => {
        queue.push({ payloads, by, onWritten, resolve, reject });
        void inTurn(() => writeBatch(queue.splice(0), writer, publishing));
      });
    },
    refresh() {
      return inTurn(async () => {
        await reader.readOn(new Map());
        await publishing.saveIfCutOff();
        return reader.plan;
      });
    },
    publish: (when) => inTurn(() => publishing.publish(when)),
    droppedByGit: () => droppedByGit(options),
    restoreDropped: () => inTurn(() => restoreDropped(options, writer)),
    discardDropped: () => inTurn(() => discardDropped(options)),
    async *eachEvent() {
      const file = await fileIdentity(paths.eventLog);
      if (file !== null) yield* eventsInOrder(paths.eventLog, file);
      yield* reader.reading?.pending ?? [];
    },
    events: (upTo) => eventsUpTo(paths.eventLog, upTo?.bytes, reader.reading?.pending ?? []),
  };
}

async function writeBatch(
  batch: readonly Waiting[],
  writer: LogWriter,
  publishing: Publishing,
): Promise<void> {
  try {
    await writer.write(batch);
  } catch (cause) {
    await publishing.saveIfCutOff();
    for (const { reject } of batch) reject(cause);
  }
}

/** Events in canonical order. @param bytes only what is in so many first bytes of the log, and nothing pending */
async function eventsUpTo(
  path: string,
  bytes = Infinity,
  pending: readonly PlanEvent[],
): Promise<readonly PlanEvent[]> {
  const file = await fileIdentity(path);
  if (file === null) return [];
  const { events } = await readAll(path, { ...file, size: Math.min(bytes, file.size) });
  return onceEach(inCanonicalOrder(bytes < Infinity ? events : [...events, ...pending]));
}

/** A line that a merge repeated, and the one that makes the plan, count once. */
function onceEach(events: readonly PlanEvent[]): readonly PlanEvent[] {
  const seen = new Set<string>();
  return events.filter(({ id }) => !seen.has(id) && seen.add(id));
}
