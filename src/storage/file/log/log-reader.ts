import { setTimeout as wait } from 'node:timers/promises';

import { PlanError } from '../../../kernel/errors.js';
import type { PlanEvent } from '../../../plan/events.js';
import { extendHistory } from '../../../plan/history.js';
import type { Plan } from '../../../plan/plan.js';
import type { StoreWarning } from '../../plan-store.js';
import { logRemoved } from './event-log.js';
import { isSameFile } from '../../../host/files/file-identity.js';
import type { FileIdentity } from '../../../host/files/file-identity.js';
import type { Journal } from '../journal/journal.js';
import type { PlanPaths } from '../layout.js';
import { lagBehind, noLag } from '../snapshot/lag.js';
import { readLonePlanFile } from '../snapshot/lone-plan-file.js';
import type { LonePlanFile } from '../snapshot/lone-plan-file.js';
import { goesOn, isCutOff, noteVerdict, readFurther, readingFromView, rebuild } from './log-reading.js';
import type { Reading, Verdicts } from './log-reading.js';
import type { LostLine } from './lost-lines.js';
import { readPlanFile } from '../snapshot/plan-file-reader.js';
import { eventsOf, findLost, identifyPatiently, settleForReader, warnOfLost } from './settle-log.js';
import type { Lost } from './settle-log.js';
import { stampAgain } from './stamp-events.js';

/** How long git may take to write a log. */
const LONGEST_WRITING_MS = 2000;
const STEP_MS = 10;

export interface LogReaderOptions {
  readonly planId: string;
  /** What the state is made of: the published plan file and what the log has since, or the log alone. */
  readonly from: 'view' | 'log';
  readonly paths: PlanPaths;
  readonly journal: Journal;
  /** The id of this copy of the store. */
  readonly replica: () => Promise<string>;
  /** Told of changes that something took out of the log. */
  readonly warn?: ((warning: StoreWarning) => void) | undefined;
}

/** The state of one plan as far as its log was read. */
export interface LogReader {
  readonly plan: Plan;
  /** Null while there is no log, or its end is missing. */
  readonly reading: Reading | null;
  /** Bytes of the log that were read before, or published, and are gone. */
  readonly missing: number;
  /** What the plan file was when it was read: of the log, of no use, or edited by somebody. */
  readonly view: 'fits' | 'stale' | 'edited';
  /** The plan file that was read, where it had no log. */
  readonly alone: LonePlanFile | null;
  /** Reads a plan file that has no log anew. */
  reloadAlone(): Promise<void>;
  /** Notes that the plan file shows what was read. */
  noteFits(): void;
  /** Reads what was written since. @param watched learns what became of these events */
  readOn(watched: Verdicts): Promise<void>;
  /** Whether the log has lost what was read of it before. */
  noticeCutOff(log: FileIdentity): boolean;
  /**
   * Applies what was just written without reading it again, when nobody else has written meanwhile.
   * @param length the bytes that were written
   * @param log the log as it is now
   */
  takeOwn(events: readonly PlanEvent[], length: number, log: FileIdentity, watched: Verdicts): boolean;
}

/**
 * Reads a plan.
 * @throws PlanError PLAN_NOT_FOUND, STORE_DAMAGED, INVALID_PLAN, UNSUPPORTED_VERSION, STORAGE_FAILED
 */
export async function openLogReader(options: LogReaderOptions): Promise<LogReader> {
  const { paths, journal } = options;
  let reading: Reading | null = null;
  let missing = 0;
  let view: LogReader['view'] = 'fits';
  let alone: LonePlanFile | null = null;
  let plan = await patiently(load);

  return {
    get plan() {
      return plan;
    },
    get reading() {
      return reading;
    },
    get missing() {
      return missing;
    },
    get view() {
      return view;
    },
    get alone() {
      return alone;
    },
    async reloadAlone() {
      plan = await loadAlone();
    },
    noteFits() {
      view = 'fits';
      if (reading !== null) reading = { ...reading, lag: noLag(plan) };
    },
    readOn: (watched) => patiently(() => readOn(watched)),
    noticeCutOff,
    takeOwn,
  };

  /** Git writes a large file in pieces, and begins with an empty one; where there was a plan, one is waited for. */
  async function patiently<T>(read: () => Promise<T>): Promise<T> {
    const end = performance.now() + LONGEST_WRITING_MS;
    for (;;) {
      try {
        return await read();
      } catch (cause) {
        if (!isPassing(cause) || !journal.hasAny() || performance.now() > end) throw cause;
        await wait(STEP_MS);
      }
    }
  }

  async function load(): Promise<Plan> {
    if ((await identifyPatiently(paths.eventLog, journal)) === null) return loadAlone();
    const found = options.from === 'log' ? null : await readPlanFile(paths.planFile, 'view');
    const published = found?.kind === 'plan' && found.published ? found : null;
    // Looked at after the plan file, for others may write and publish while it is read.
    const log = await identifyPatiently(paths.eventLog, journal);
    if (log === null) throw logRemoved(paths.eventLog);
    const lost = await lostFrom(log);
    if (lost !== null && lost.again.length > 0) {
      view = 'stale';
      reading = withPending(await rebuild(paths.eventLog, log), lost.again);
      return planOf(reading);
    }
    // A log that is shorter than what was published of it has lost its end; the plan file still has it.
    const isOther = lost !== null || journal.isOfOther(log, published?.log?.event ?? '');
    missing = isOther ? 0 : Math.max(0, (published?.log?.bytes ?? 0) - log.size);
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

  async function loadAlone(): Promise<Plan> {
    alone = await readLonePlanFile(options.planId, paths);
    return alone.plan;
  }

  /** What the log lacks of what was acknowledged here; null unless something put it in the place of another file. */
  async function lostFrom(log: FileIdentity): Promise<Lost | null> {
    const { settled: isSettled, others } = journal.look(log);
    if (isSettled || others.length === 0) return null;
    const lost = await findLost(paths.eventLog, log, others);
    if (lost.again.length === 0) {
      const store = await options.replica();
      const settled = await settleForReader({ path: paths.eventLog, journal, store }, log);
      if (settled !== null) warnOfLost(options, settled);
    }
    return lost;
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
    const log = await identifyPatiently(paths.eventLog, journal);
    if (log === null) {
      if (reading !== null) throw logRemoved(paths.eventLog);
      return;
    }
    if (noticeCutOff(log)) return;
    const lost = await lostFrom(log);
    const replaced =
      reading === null ||
      reading.pending.length > 0 ||
      lost !== null ||
      !isSameFile(reading.file, log) ||
      !goesOn(paths.eventLog, reading, log);
    const further =
      replaced || reading === null
        ? withPending(await rebuild(paths.eventLog, log, watched), lost?.again ?? [])
        : await readFurther(paths.eventLog, reading, log, watched);
    plan = planOf(further);
    reading = further;
  }

  function noticeCutOff(log: FileIdentity): boolean {
    if (reading === null || !isCutOff(reading, log)) return false;
    missing = reading.position - log.size;
    return true;
  }

  function takeOwn(
    events: readonly PlanEvent[],
    length: number,
    log: FileIdentity,
    watched: Verdicts,
  ): boolean {
    if (reading === null || !isSameFile(reading.file, log) || reading.position + length !== log.size)
      return false;
    let { history, last, lag } = reading;
    for (const event of events) {
      const extended = extendHistory(history, event);
      if (extended.verdict.kind === 'late') return false;
      noteVerdict(watched, event.id, { from: history, ...extended });
      history = extended.history;
      last = { event: event.id, end: log.size };
      lag &&= lagBehind(lag, event, length / events.length);
    }
    reading = { ...reading, history, last, lag, file: log, position: log.size };
    plan = planOf(reading);
    return true;
  }
}

/** Whether an error may come of a log that is being replaced: it is not there for a moment, or there is nothing in it. */
function isPassing(thrown: unknown): boolean {
  if (!(thrown instanceof PlanError)) return false;
  return thrown.code === 'STORE_DAMAGED' || thrown.details.reason === 'ENOENT';
}

/** A reading as it will be once events are appended again that something took out of the log. */
function withPending(reading: Reading, lines: readonly LostLine[]): Reading {
  let { history } = reading;
  const pending = stampAgain(eventsOf(lines), 'pending', history).map(({ event }) => event);
  for (const event of pending) history = extendHistory(history, event).history;
  return { ...reading, history, pending };
}
