import { PlanError } from '../../errors.js';
import { isArchived } from '../../plan/archived.js';
import type { EventPayload, PlanEvent } from '../../plan/events.js';
import { extendHistory, inCanonicalOrder, nextClock } from '../../plan/history.js';
import type { Plan } from '../../plan/plan.js';
import { toPlanFile } from '../../plan/plan-file.js';
import { planFilePieces } from '../../plan/plan-text.js';
import type { LogPosition } from '../../plan/schema.js';
import type { Outcome, PlanLog, Stamp, StoreWarning } from '../plan-store.js';
import { encodeReadably } from './event-line.js';
import type { ReadableLine } from './event-line.js';
import { appendDurably, createLog, logRemoved } from './event-log.js';
import { identify, isSameFile } from './file-identity.js';
import type { FileIdentity } from './file-identity.js';
import type { PlanPaths } from './layout.js';
import {
  goesOn,
  isCutOff,
  noteVerdict,
  readAll,
  readFurther,
  readingFromView,
  rebuild,
} from './log-reading.js';
import type { EventVerdict, Reading, Verdicts } from './log-reading.js';
import { readLonePlanFile } from './lone-plan-file.js';
import type { LonePlanFile } from './lone-plan-file.js';
import { readPlanFile } from './plan-file-reader.js';
import { replaceFile } from './replace-file.js';
import { storageError } from './storage-error.js';
import { sealPlanFile } from './seal.js';
import { keepCopy } from '../text-files.js';

/** How often a log that was replaced under a writer (by a git checkout, say) is written to again. */
const MAX_REWRITES = 5;
/** `publish('cheaply')` waits this many times as long as publishing takes: at most 2 % of the time. */
const PUBLISH_PAUSE = 49;
const NOT_FOUND: EventVerdict = {
  refused: { code: 'not_in_log' },
  before: null,
  after: null,
};

export interface FilePlanLogOptions {
  readonly planId: string;
  /** Whether its files are where 0.1 moved archived plans. */
  readonly inArchive: boolean;
  /** What the state is made of: the published plan file and what the log has since, or the log alone. */
  readonly from: 'view' | 'log';
  readonly paths: PlanPaths;
  readonly stamp: Stamp;
  /** The id of this copy of the store; asked for at the first append. */
  readonly replica: () => Promise<string>;
  /** What tells a log from a later file of the same name. */
  readonly fileMark: (file: FileIdentity) => string;
  /** Where a plan file goes that somebody edited, before it is published anew. */
  readonly backupFolder: string;
  /** Called with the plan's state after each publishing. */
  readonly published: (plan: Plan, logSize: number, archived: boolean) => Promise<void>;
  /** Told that the plan file could not be written; without it that is thrown. */
  readonly warn: ((warning: StoreWarning) => void) | undefined;
}

interface Published {
  readonly event: string;
  readonly at: number;
  readonly took: number;
  /** How many goals that was. */
  readonly goals: number;
}

interface Signed {
  readonly payload: EventPayload;
  /** Who acts, where that is not whom the store stamps. */
  readonly by: string | undefined;
}

interface Waiting {
  readonly payloads: readonly Signed[];
  readonly resolve: (outcomes: readonly Outcome[]) => void;
  readonly reject: (cause: unknown) => void;
}

/**
 * Opens a plan kept as an event log and a published plan file.
 * @throws PlanError PLAN_NOT_FOUND, STORE_DAMAGED, INVALID_PLAN, UNSUPPORTED_VERSION, STORAGE_FAILED
 */
export async function openFilePlanLog(options: FilePlanLogOptions): Promise<PlanLog> {
  const { paths } = options;
  let reading: Reading | null = null;
  let missing = 0;
  let view: 'fits' | 'stale' | 'edited' = 'fits';
  let alone: LonePlanFile | null = null;
  let plan = await load();
  let published: Published | null = null;
  const queue: Waiting[] = [];
  let turn: Promise<unknown> = Promise.resolve();

  return {
    get plan() {
      return plan;
    },
    get archived() {
      return archived();
    },
    get missing() {
      return missing;
    },
    get stale() {
      return view === 'stale';
    },
    get damage() {
      return reading?.damage ?? [];
    },
    append(payloads, by) {
      return new Promise((resolve, reject) => {
        queue.push({ payloads: payloads.map((payload) => ({ payload, by })), resolve, reject });
        void inTurn(writeQueued);
      });
    },
    refresh() {
      return inTurn(async () => {
        await readOn(new Map());
        return plan;
      });
    },
    publish(when) {
      return inTurn(() => publishOrWarn(when));
    },
    async events(bytes = Infinity) {
      const file = await identify(paths.eventLog);
      if (file === null) return [];
      const part = { ...file, size: Math.min(bytes, file.size) };
      return inCanonicalOrder((await readAll(paths.eventLog, part)).events);
    },
  };

  function archived(): boolean {
    return isArchived(plan.header.archived_at, options.inArchive);
  }

  /** One reading or writing at a time within this process; other processes are never waited for. */
  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = turn.then(work);
    turn = done.catch(() => undefined);
    return done;
  }

  async function load(): Promise<Plan> {
    if ((await identify(paths.eventLog)) === null) return loadAlone();
    const found = options.from === 'log' ? null : await readPlanFile(paths.planFile, 'view');
    const published = found?.kind === 'plan' && found.published ? found : null;
    // Looked at after the plan file, for others may write and publish while it is read.
    const log = await identify(paths.eventLog);
    if (log === null) throw logRemoved(paths.eventLog);
    // A log that is shorter than what was published of it has lost its end; the plan file still has it.
    missing = Math.max(0, (published?.log?.bytes ?? 0) - log.size);
    if (published !== null && missing > 0) return published.plan;
    const fromView = published === null ? null : readingFromView(paths.eventLog, published, log);
    if (found !== null && found.kind !== 'absent' && fromView === null) {
      const isEdit = found.kind === 'plan' && readingFromView(paths.eventLog, found, log) !== null;
      view = isEdit ? 'edited' : 'stale';
    }
    reading =
      fromView === null
        ? await rebuild(paths.eventLog, log)
        : await readFurther(paths.eventLog, fromView, log, new Map());
    // A merge brought events that belong before the last one that the plan file reflects.
    if (fromView !== null && reading.whole) view = 'stale';
    return planOf(reading);
  }

  function planOf(reading: Reading): Plan {
    if (reading.history.plan !== null) return reading.history.plan;
    throw new PlanError('STORE_DAMAGED', `no plan can be made of the event log ${paths.eventLog}`, {
      hint: 'Bring back the log or the plan file from version control or a backup.',
      details: { path: paths.eventLog, damage: reading.damage.slice(0, 20) },
    });
  }

  async function readOn(watched: Verdicts): Promise<void> {
    if (missing > 0) return;
    const log = await identify(paths.eventLog);
    if (log === null) {
      if (reading !== null) throw logRemoved(paths.eventLog);
      return;
    }
    if (await noticeCutOff(log)) return;
    const replaced =
      reading === null || !isSameFile(reading.file, log) || !goesOn(paths.eventLog, reading, log);
    reading =
      replaced || reading === null
        ? await rebuild(paths.eventLog, log, watched)
        : await readFurther(paths.eventLog, reading, log, watched);
    plan = planOf(reading);
  }

  /**
   * Whether the log has lost what was read of it before. Then this process may have the only copy, and
   * publishes it; nothing is written behind a gap.
   */
  async function noticeCutOff(log: FileIdentity): Promise<boolean> {
    if (reading === null || !isCutOff(reading, log)) return false;
    missing = reading.position - log.size;
    await publish('now').catch(() => undefined);
    return true;
  }

  async function writeQueued(): Promise<void> {
    const batch = queue.splice(0);
    try {
      await write(batch);
    } catch (cause) {
      for (const { reject } of batch) reject(cause);
    }
  }

  async function write(batch: readonly Waiting[]): Promise<void> {
    if (batch.every(({ payloads }) => payloads.length === 0)) {
      for (const { resolve } of batch) resolve([]);
      return;
    }
    const log = await identify(paths.eventLog);
    if (log !== null) await noticeCutOff(log);
    if (missing > 0) throw endMissing(paths.eventLog, missing);
    const store = await options.replica();
    if (reading === null) await adoptPlanFile(store);
    if (reading === null) throw logRemoved(paths.eventLog);
    // A log that git replaced, by a checkout say, goes on as another replica: place in the file is an order
    // only among lines that were appended to one file.
    const replica = `${store}${options.fileMark(reading.file)}`;
    const stamped = stampEach(batch, replica, reading.history);
    const written = stamped.flatMap(({ lines }) => lines);
    const events = written.map(({ event }) => event);
    const verdicts: Verdicts = new Map(events.map(({ id }) => [id, null]));
    if (events.length > 0)
      await appendUntilNamed(Buffer.from(written.map(({ line }) => line).join('')), events, verdicts);
    for (const { lines, resolve } of stamped)
      resolve(lines.map(({ event }) => outcomeOf(event, verdicts.get(event.id) ?? NOT_FOUND)));
  }

  function outcomeOf(event: PlanEvent, { refused, before, after }: EventVerdict): Outcome {
    return { event, refused, before: before ?? plan, after: after ?? plan };
  }

  /** Makes the events of those that wait; one whose events nobody could read is told, and holds up no other. */
  function stampEach(batch: readonly Waiting[], replica: string, history: Reading['history']) {
    const stamped: { readonly lines: readonly ReadableLine[]; readonly resolve: Waiting['resolve'] }[] = [];
    let others = 0;
    for (const { payloads, resolve, reject } of batch) {
      try {
        const lines = payloads.map(({ payload, by }, index) =>
          encodeReadably({
            ...options.stamp(),
            ...(by === undefined ? {} : { by }),
            replica,
            clock: nextClock(history, others + index),
            ...payload,
          }),
        );
        others += lines.length;
        stamped.push({ lines, resolve });
      } catch (cause) {
        reject(cause);
      }
    }
    return stamped;
  }

  /** Appends, and again when the path names another file by then, which lacks the events. */
  async function appendUntilNamed(
    bytes: Buffer,
    events: readonly PlanEvent[],
    watched: Verdicts,
  ): Promise<void> {
    for (let attempt = 0; attempt < MAX_REWRITES; attempt += 1) {
      const written = await appendDurably(paths.eventLog, bytes);
      const named = await identify(paths.eventLog);
      if (named === null) throw logRemoved(paths.eventLog);
      if (isSameFile(written, named) && takeOwn(events, bytes.length, named, watched)) return;
      await readOn(watched);
      if (missing > 0) throw endMissing(paths.eventLog, missing);
      if (isSameFile(written, named)) return;
      if (events.every(({ id }) => reading?.history.seen.has(id))) return;
    }
    throw new PlanError(
      'STORAGE_FAILED',
      `the event log ${paths.eventLog} is being replaced again and again`,
      {
        details: { path: paths.eventLog },
      },
    );
  }

  /** Applies what was just written without reading it again, when nobody else has written meanwhile. */
  function takeOwn(
    events: readonly PlanEvent[],
    length: number,
    log: FileIdentity,
    watched: Verdicts,
  ): boolean {
    if (reading === null || !isSameFile(reading.file, log) || reading.position + length !== log.size)
      return false;
    let { history, last } = reading;
    for (const event of events) {
      const extended = extendHistory(history, event);
      if (extended.verdict.kind === 'late') return false;
      noteVerdict(watched, event.id, { from: history, ...extended });
      history = extended.history;
      last = { event: event.id, end: log.size };
    }
    reading = { ...reading, history, last, file: log, position: log.size };
    plan = planOf(reading);
    return true;
  }

  /** A plan file that came without its log becomes the first event of a new one. */
  async function adoptPlanFile(replica: string): Promise<void> {
    for (let attempt = 0; attempt < MAX_REWRITES; attempt += 1) {
      const first: PlanEvent = {
        ...options.stamp(),
        replica,
        clock: 1,
        type: 'plan_imported',
        plan: toPlanFile(plan),
      };
      await createLog(paths.eventLog, encodeReadably(first).line, alone?.isChanged);
      await readOn(new Map());
      if (reading !== null) return;
      // It was edited, or deleted, after it had been read.
      plan = await loadAlone();
    }
  }

  async function loadAlone(): Promise<Plan> {
    alone = await readLonePlanFile(options.planId, paths);
    return alone.plan;
  }

  async function publishOrWarn(when: 'now' | 'cheaply'): Promise<boolean> {
    try {
      await publish(when);
      return true;
    } catch (cause) {
      const { message } = storageError('write', paths.planFile, cause);
      if (options.warn === undefined) throw cause;
      options.warn({
        code: 'NOT_PUBLISHED',
        message: `what was changed is stored, but the plan file could not be written anew: ${message}`,
        file: paths.planFile,
      });
      return false;
    }
  }

  async function publish(when: 'now' | 'cheaply'): Promise<void> {
    if (reading === null || reading.last === null || published?.event === reading.last.event) return;
    const started = performance.now();
    if (when === 'cheaply' && published !== null && started - published.at < pauseAfter(published, plan))
      return;
    const { last, history, position } = reading;
    const log: LogPosition = { bytes: last.end, event: last.event, clocks: { ...history.clocks } };
    if (view === 'edited') await keepCopy(paths.planFile, options.backupFolder);
    const content = sealPlanFile(planFilePieces(plan, log));
    const isReplaced = await replaceFile(paths.planFile, content, {
      like: paths.eventLog,
      unless: isReadingOfAnother(reading),
    });
    if (!isReplaced) return;
    view = 'fits';
    await options.published(plan, position, archived());
    const at = performance.now();
    published = { event: last.event, at, took: at - started, goals: plan.counts.total };
  }

  /** Whether the path names another log than the one that was read, or none: the plan was deleted, say. */
  function isReadingOfAnother(read: Reading): () => Promise<boolean> {
    return async () => {
      const log = await identify(paths.eventLog);
      if (log === null || !isSameFile(read.file, log)) return true;
      return !isCutOff(read, log) && !goesOn(paths.eventLog, read, log);
    };
  }
}

/** In milliseconds; a plan that has grown since is expected to take as much longer to publish. */
function pauseAfter({ took, goals }: Published, plan: Plan): number {
  return took * Math.max(1, plan.counts.total / goals) * PUBLISH_PAUSE;
}

function endMissing(path: string, bytes: number): PlanError {
  return new PlanError('STORE_DAMAGED', `the last ${bytes} bytes of the event log ${path} are gone`, {
    hint: 'The plan file still has that state: bring the log back, or run `plan doctor --fix` to go on from the plan file.',
    details: { path, missing_bytes: bytes },
  });
}
