import { isArchived } from '../../../plan/archived.js';
import type { PlanEvent } from '../../../plan/events.js';
import { inCanonicalOrder } from '../../../plan/history.js';
import type { Plan } from '../../../plan/plan.js';
import type { PlanLog, PublishTime, Stamp } from '../../plan-store.js';
import { identify } from '../../../host/files/file-identity.js';
import { openLogReader } from './log-reader.js';
import type { LogReaderOptions } from './log-reader.js';
import { readAll } from './log-reading.js';
import { createLogWriter } from './log-writer.js';
import { linesLost } from './lost-lines.js';
import { createPublisher } from '../snapshot/publish-plan-file.js';
import { eventsInOrder } from './ordered-events.js';
import { eventsOf } from './settle-log.js';
import { stampAgain } from './stamp-events.js';
import type { Waiting } from './stamp-events.js';
import { storageError } from '../../../host/files/storage-error.js';
import { readTaken, writeTaken } from './taken-lines.js';

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

/**
 * Opens a plan kept as an event log and a published plan file.
 * @throws PlanError PLAN_NOT_FOUND, STORE_DAMAGED, INVALID_PLAN, UNSUPPORTED_VERSION, STORAGE_FAILED
 */
export async function openFilePlanLog(options: FilePlanLogOptions): Promise<PlanLog> {
  const { paths, journal, warn } = options;
  const reader = await openLogReader(options);
  const publisher = createPublisher(options);
  const writer = createLogWriter({ ...options, noteSynced: (log) => publisher.noteSynced(log) }, reader);
  const queue: Waiting[] = [];
  let turn: Promise<unknown> = Promise.resolve();

  return {
    get plan() {
      return reader.plan;
    },
    get archived() {
      return isArchived(reader.plan.header.archived_at, options.inArchive);
    },
    get missing() {
      return reader.missing;
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
    append(payloads, by) {
      return new Promise((resolve, reject) => {
        queue.push({ payloads, by, resolve, reject });
        void inTurn(writeQueued);
      });
    },
    refresh() {
      return inTurn(async () => {
        await reader.readOn(new Map());
        await saveIfCutOff();
        return reader.plan;
      });
    },
    publish(when) {
      return inTurn(() => publishOrWarn(when));
    },
    async taken() {
      const { action } = await readTaken(journal.taken);
      const log = action === '' ? null : await identify(paths.eventLog);
      const lines = log === null ? [] : await linesLost(paths.eventLog, log.size, [journal.taken]);
      return { events: eventsOf(lines).map(({ event }) => event), action, file: journal.taken };
    },
    bringBack() {
      return inTurn(async () => {
        const { lines } = await readTaken(journal.taken);
        await writer.append(
          ({ replica, history }) => stampAgain(eventsOf(lines), replica, history),
          new Map(),
        );
        await writeTaken(journal.taken, { lines: [], action: '' });
      });
    },
    letGo() {
      return inTurn(() => writeTaken(journal.taken, { lines: [], action: '' }));
    },
    async *eachEvent() {
      const file = await identify(paths.eventLog);
      if (file !== null) yield* eventsInOrder(paths.eventLog, file);
      yield* reader.reading?.pending ?? [];
    },
    async events(bytes = Infinity) {
      const file = await identify(paths.eventLog);
      if (file === null) return [];
      const part = { ...file, size: Math.min(bytes, file.size) };
      const { events } = await readAll(paths.eventLog, part);
      const all = bytes < Infinity ? events : [...events, ...(reader.reading?.pending ?? [])];
      return onceEach(inCanonicalOrder(all));
    },
  };

  /** One reading or writing at a time within this process; other processes are never waited for. */
  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = turn.then(work);
    turn = done.catch(() => undefined);
    return done;
  }

  async function writeQueued(): Promise<void> {
    const batch = queue.splice(0);
    try {
      await writer.write(batch);
    } catch (cause) {
      await saveIfCutOff();
      for (const { reject } of batch) reject(cause);
    }
  }

  /** A log that has lost what was read of it: this process may have the only copy, and publishes it. */
  async function saveIfCutOff(): Promise<void> {
    if (reader.missing > 0) await publish('now').catch(() => undefined);
  }

  async function publishOrWarn(when: PublishTime): Promise<boolean> {
    try {
      await publish(when);
      return true;
    } catch (cause) {
      const { message } = storageError('write', paths.planFile, cause);
      if (warn === undefined) throw cause;
      warn({
        code: 'NOT_PUBLISHED',
        message: `what was changed is stored, but the plan file could not be written anew: ${message}`,
        file: paths.planFile,
      });
      return false;
    }
  }

  async function publish(when: PublishTime): Promise<void> {
    if ((await publishOnce(when)) !== 'beside another log') return;
    await reader.readOn(new Map());
    await publishOnce('now');
  }

  async function publishOnce(when: PublishTime) {
    const { reading, plan, view } = reader;
    // What is in no log yet is not published.
    if (reading === null || reading.pending.length > 0) return 'not needed';
    const done = await publisher.publish({ reading, plan, isEdited: view === 'edited', when });
    if (done === 'published') reader.noteFits();
    return done;
  }
}

/** A line that a merge repeated, and the one that makes the plan, count once. */
function onceEach(events: readonly PlanEvent[]): readonly PlanEvent[] {
  const seen = new Set<string>();
  return events.filter(({ id }) => !seen.has(id) && seen.add(id));
}
