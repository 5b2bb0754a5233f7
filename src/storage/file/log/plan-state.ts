import { PlanError } from '../../../kernel/errors.js';
import { clocksByReplica } from '../../../plan/events/clocks.js';
import type { PlanEvent } from '../../../plan/events.js';
import { extendHistory } from '../../../plan/history.js';
import type { Plan } from '../../../plan/plan.js';
import type { StoreWarning } from '../../plan-store.js';
import { planNotFound } from '../../plan-store-errors.js';
import { logRemoved } from './event-log.js';
import { fileIdentity, isSameFile } from '../../../host/files/file-identity.js';
import type { FileIdentity } from '../../../host/files/file-identity.js';
import type { Journal } from '../journal/journal.js';
import { isPurged } from '../purge-plan.js';
import type { PlanPaths } from '../store-paths.js';
import { lagBehind } from '../../log/lag.js';
import { planFileStamp } from '../snapshot/plan-file-stamp.js';
import { readLonePlanFile } from '../snapshot/lone-plan-file.js';
import type { LonePlanFile } from '../snapshot/lone-plan-file.js';
import {
  goesOn,
  isCutOff,
  lostLines,
  noteVerdict,
  readFurther,
  readingFromView,
  readTail,
  rebuild,
} from './log-reading.js';
import type { Reading, Verdicts } from './log-reading.js';
import { logOfOtherPlan, refuseLogOfOther } from './log-owner.js';
import { planWithLostChanges } from './lost-changes.js';
import type { LostLine } from './lost-lines.js';
import { readPlanFile } from '../snapshot/plan-file-reader.js';
import type { PlanFileReading } from '../snapshot/plan-file-reader.js';
import { findLost, identifyWithRetries, reconcileForReader, warnOfLost } from './reconcile-log.js';
import { eventsOfLostLines } from './lost-lines.js';
import type { Lost } from './reconcile-log.js';
import { stampAgain } from '../../log/stamp-events.js';

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
export interface PlanState {
  readonly plan: Plan;
  /** Null while there is no log, or its end is missing. */
  readonly reading: Reading | null;
  /** What the log has lost of what was read of it before, or published; null for nothing. */
  readonly loss: Loss | null;
  /** What the plan file was when it was read: of the log, of no use, or edited by somebody. */
  readonly view: 'fits' | 'stale' | 'edited';
  /** The stamp of a plan file of which this state has everything; null where that is not known. */
  readonly covered: string | null;
  /** The plan file that was read, where it had no log. */
  readonly alone: LonePlanFile | null;
}

/** What a log has lost. The plan is then what was shown of it, with whatever else the log has. */
export interface Loss {
  /** How many bytes are gone from its end; 0 where a line between is damaged or gone. */
  readonly bytes: number;
}

/**
 * Reads a plan: its plan file and what the log has since, or the log alone.
 * @throws PlanError PLAN_NOT_FOUND, STORE_DAMAGED, INVALID_PLAN, UNSUPPORTED_VERSION, STORAGE_FAILED
 */
export async function loadPlan(options: LogReaderOptions): Promise<PlanState> {
  const { planId, paths, journal, from } = options;
  if ((await identifyWithRetries(paths.eventLog, journal)) === null) return loadAlone(options);
  const stamp = planFileStamp(paths.planFile);
  const found = from === 'log' ? null : await readPlanFile(paths.planFile, planId, 'view');
  // Looked at after the plan file, for others may write and publish while it is read.
  const log = await identifyWithRetries(paths.eventLog, journal);
  if (log === null) throw await whyGone(options);
  const lost = await lostFrom(options, log);
  if (lost !== null && lost.again.length > 0) {
    const reading = withPending(await rebuild(paths.eventLog, log), lost.again);
    return stateOf(options, reading, 'stale', null);
  }
  return loadWhole(options, { found, stamp, isOther: lost !== null }, log);
}

/** A plan file beside a log. */
interface FoundView {
  readonly found: PlanFileReading | null;
  readonly stamp: string | null;
  /** Whether it is known that it was made of another log. */
  readonly isOther: boolean;
}

/** Reads a plan that has a log, and sees whether that has everything. */
async function loadWhole(
  options: LogReaderOptions,
  { found, stamp, isOther }: FoundView,
  log: FileIdentity,
): Promise<PlanState> {
  const path = options.paths.eventLog;
  const fromFile = found?.kind === 'plan' ? readingFromView(path, found, log) : null;
  const published = found?.kind === 'plan' && found.published ? found : null;
  if (published === null || fromFile === null) {
    const isThere = found !== null && found.kind !== 'absent';
    const view = !isThere ? 'fits' : fromFile === null ? 'stale' : 'edited';
    const state = await lossBeside(options, published, isOther, log);
    const covered = isThere && published === null ? null : stamp;
    return state ?? stateOf(options, await rebuild(path, log), view, covered);
  }
  const reading = await readFurther(path, fromFile, log, new Map());
  if (!reading.whole) return stateOf(options, reading, 'fits', stamp);
  // A merge brought events that belong before the last one that the plan file reflects.
  const state = await lossBeside(options, published, isOther, log);
  return state ?? stateOf(options, reading, 'stale', stamp);
}

/** The state of a plan whose log has lost something of what was published of it; null where it has all of that. */
async function lossBeside(
  { paths, journal }: LogReaderOptions,
  published: Extract<PlanFileReading, { kind: 'plan' }> | null,
  isOther: boolean,
  log: FileIdentity,
): Promise<PlanState | null> {
  const { plan: shown, log: position } = published ?? {};
  if (shown === undefined || position === undefined) return null;
  if (isOther || journal.isOfOther(log, position.event)) return null;
  const plan = await planWithLostChanges(paths.eventLog, log, { plan: shown, position });
  if (plan === null) return null;
  const bytes = Math.max(0, position.bytes - log.size);
  return { plan, reading: null, loss: { bytes }, view: 'fits', covered: null, alone: null };
}

/** Reads a plan file that has no log. @throws PlanError PLAN_NOT_FOUND, STORE_DAMAGED, STORAGE_FAILED */
export async function loadAlone({ planId, paths }: LogReaderOptions): Promise<PlanState> {
  const alone = await readLonePlanFile(planId, paths);
  return { plan: alone.plan, reading: null, loss: null, view: 'fits', covered: null, alone };
}

/**
 * Reads what was written since the state of a plan was read.
 * @param watched learns what became of these events
 * @throws PlanError PLAN_NOT_FOUND when the plan was deleted for good, STORAGE_FAILED
 */
export async function readPlanNews(
  options: LogReaderOptions,
  state: PlanState,
  watched: Verdicts,
): Promise<PlanState> {
  const { paths, journal } = options;
  const { reading } = state;
  const log = await identifyWithRetries(paths.eventLog, journal);
  if (log === null && (reading !== null || (await isDeleted(options)))) throw await whyGone(options);
  if (log === null) return state;
  // Only this process may have what it has read; what it has from the plan file others may have mended since.
  if (state.loss !== null) return reading === null ? loadPlan(options) : state;
  if (reading !== null && isCutOff(reading, log)) return withoutItsEnd(state, log);
  const lost = await lostFrom(options, log);
  const isSame =
    reading !== null &&
    reading.pending.length === 0 &&
    lost === null &&
    isSameFile(reading.file, log) &&
    goesOn(paths.eventLog, reading, log);
  if (isSame) return readTailNews(options, { ...state, reading }, log, watched);
  const further = withPending(await rebuild(paths.eventLog, log, watched), lost?.again ?? []);
  const loss = lost === null ? await lossBesideFile(options, log) : null;
  return loss ?? { ...state, plan: planOf(options, further), reading: further };
}

/** Reads what was written to the log file that was read before. */
async function readTailNews(
  options: LogReaderOptions,
  state: PlanState & { readonly reading: Reading },
  log: FileIdentity,
  watched: Verdicts,
): Promise<PlanState> {
  const { eventLog } = options.paths;
  const { plan, reading } = state;
  const { last, history, unknown } = reading;
  const tail = await readTail(eventLog, reading, log, watched);
  if (tail === null && last !== null) {
    // All is read anew, and what was read before may be there no more.
    const position = {
      bytes: last.end,
      event: last.event,
      clocks: clocksByReplica(history.clocks),
      unknown: [...unknown],
    };
    if ((await planWithLostChanges(eventLog, log, { plan, position })) !== null)
      return { ...state, loss: { bytes: 0 } };
  }
  // Whoever wrote what is damaged now may have published it.
  const hasDamage = tail !== null && lostLines(tail) > lostLines(reading);
  const loss = hasDamage ? await lossBesideFile(options, log) : null;
  const further = tail ?? (await rebuild(eventLog, log, watched));
  return loss ?? { ...state, plan: planOf(options, further), reading: further };
}

/** The same for the plan file that is there now. */
async function lossBesideFile(options: LogReaderOptions, log: FileIdentity): Promise<PlanState | null> {
  const { planId, paths, from } = options;
  const found = from === 'log' ? null : await readPlanFile(paths.planFile, planId, 'view');
  if (found?.kind !== 'plan' || !found.published) return null;
  // Others may have written, and published that, since the log was looked at.
  const now = await fileIdentity(paths.eventLog);
  return now === null || !isSameFile(now, log) ? null : lossBeside(options, found, false, now);
}

type PlanOnDisk = Pick<LogReaderOptions, 'planId' | 'paths' | 'journal'>;

/** Why the log of a plan is not there any more: the plan was deleted for good, or something removed the file alone. */
export async function whyGone(plan: PlanOnDisk): Promise<PlanError> {
  return (await isDeleted(plan)) ? planNotFound(plan.planId) : logRemoved(plan.paths.eventLog);
}

/** Whether a plan that has no log was deleted for good: then nothing else of it is there either, or is to stay. */
async function isDeleted({ paths, journal }: PlanOnDisk): Promise<boolean> {
  return (await isPurged(paths)) || (!journal.hasAny() && (await fileIdentity(paths.planFile)) === null);
}

/** The state as it is when the log has lost what was read of it. */
export function withoutItsEnd(state: PlanState, log: FileIdentity): PlanState {
  const { reading } = state;
  return reading !== null && isCutOff(reading, log)
    ? { ...state, loss: { bytes: reading.position - log.size } }
    : state;
}

/** Events that were just written. */
interface OwnEvents {
  readonly events: readonly PlanEvent[];
  /** The bytes that were written. */
  readonly length: number;
  /** The log as it is now. */
  readonly log: FileIdentity;
  /** Learns what became of them. */
  readonly watched: Verdicts;
}

/**
 * The state of a plan after what was just written, without reading it again; null where somebody else has written
 * meanwhile.
 */
export function withOwnEvents(
  options: LogReaderOptions,
  state: PlanState,
  { events, length, log, watched }: OwnEvents,
): PlanState | null {
  const { reading } = state;
  if (reading === null || !isSameFile(reading.file, log) || reading.position + length !== log.size)
    return null;
  if (!goesOn(options.paths.eventLog, reading, log)) return null;
  let { history, last, lag } = reading;
  for (const event of events) {
    const extended = extendHistory(history, event);
    if (extended.verdict.kind === 'late') return null;
    noteVerdict(watched, event.id, { from: history, ...extended });
    history = extended.history;
    last = { event: event.id, end: log.size };
    lag &&= lagBehind(lag, event, length / events.length);
  }
  const further = { ...reading, history, last, lag, file: log, position: log.size };
  return { ...state, reading: further, plan: planOf(options, further) };
}

/** What the log lacks of what was acknowledged here; null unless something put it in place of another file. */
async function lostFrom(options: LogReaderOptions, log: FileIdentity): Promise<Lost | null> {
  const { planId, paths, journal } = options;
  const { isReconciled, others } = journal.look(log);
  if (isReconciled || others.length === 0) return null;
  await refuseLogOfOther(paths.eventLog, planId);
  const lost = await findLost({ path: paths.eventLog, planId }, log, others);
  if (lost.again.length === 0) {
    const store = await options.replica();
    const found = await reconcileForReader({ path: paths.eventLog, planId, journal, store }, log);
    if (found !== null) warnOfLost(options, found);
  }
  return lost;
}

function stateOf(
  options: LogReaderOptions,
  reading: Reading,
  view: PlanState['view'],
  covered: string | null,
): PlanState {
  return { plan: planOf(options, reading), reading, loss: null, view, covered, alone: null };
}

function planOf({ planId, paths }: LogReaderOptions, { history, damage }: Reading): Plan {
  if (history.plan !== null) {
    if (history.plan.header.id !== planId) throw logOfOtherPlan(paths.eventLog, history.plan.header.id);
    return history.plan;
  }
  throw new PlanError('STORE_DAMAGED', `no plan can be made of the event log ${paths.eventLog}`, {
    hint: { commandLine: 'Bring back the log or the plan file from version control or a backup.' },
    details: { path: paths.eventLog, damage: damage.slice(0, 20) },
  });
}

/** A reading as it will be once events are appended again that something took out of the log. */
function withPending(reading: Reading, lines: readonly LostLine[]): Reading {
  let { history } = reading;
  const pending = stampAgain(eventsOfLostLines(lines), 'pending', history).map(({ event }) => event);
  for (const event of pending) history = extendHistory(history, event).history;
  return { ...reading, history, pending };
}
