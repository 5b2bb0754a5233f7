import { PlanError } from '../../../kernel/errors.js';
import type { PlanEvent } from '../../../plan/events.js';
import { EVENT_TYPES } from '../../../plan/events.js';
import { clocksOf } from '../../../plan/events/clocks.js';
import { beginHistory, extendHistory, inCanonicalOrder, skipUnknownEvent } from '../../../plan/history.js';
import type { History } from '../../../plan/history.js';
import { planOfGoals } from '../../../plan/make-plan.js';
import type { Plan } from '../../../plan/plan.js';
import type { LogPosition } from '../../../plan/schema.js';
import type { PublishedPlan } from '../../../plan/snapshot/published-plan.js';
import { lagBehind, noLag } from '../../log/lag.js';
import type { Lag } from '../../log/lag.js';
import type { Damage } from '../../plan-store.js';
import type { UnknownEvent } from '../../log/line-codec.js';
import type { EventVerdict } from '../../log/event-verdict.js';
import { damageOf } from '../../log/line-damage.js';
import type { LocatedDamage } from '../../log/line-damage.js';
import { numberDamage } from './log-damage.js';
import { readLines } from './read-lines.js';
import { eventIdEndingAt } from './event-position.js';
import { isSameFile } from '../../../host/files/file-identity.js';
import type { FileIdentity } from '../../../host/files/file-identity.js';

const KNOWN: ReadonlySet<string> = new Set(EVENT_TYPES);

/** How far the log has been read, and what that came to. */
export interface Reading {
  readonly history: History;
  readonly file: FileIdentity;
  /** Offset after the last complete line read. */
  readonly position: number;
  /** The last event read and the offset after its line. */
  readonly last: { readonly event: string; readonly end: number } | null;
  readonly damage: readonly Damage[];
  /** Types of events that were passed over, for this version cannot read them. */
  readonly unknown: ReadonlySet<string>;
  /** Whether it was made of the whole log, in canonical order. */
  readonly whole: boolean;
  /** What was read beyond the plan file; null unless that shows a state of this log. */
  readonly lag: Lag | null;
  /** Events that the log lacks and that are to be appended again; they are in the history already. */
  readonly pending: readonly PlanEvent[];
}

/** What became of the events of one append, by event id; null while that is not known. */
export type Verdicts = Map<string, EventVerdict | null>;

/** The state of a published view, when the log still holds at that position what the view says. */
export function readingFromView(
  logPath: string,
  view: { readonly plan: Plan; readonly log: LogPosition | undefined },
  log: FileIdentity,
): Reading | null {
  const position = view.log;
  if (position?.clocks === undefined || position.bytes > log.size) return null;
  // Whoever published it passed over events that this version may know.
  if (position.unknown?.some((type) => KNOWN.has(type)) === true) return null;
  if (eventIdEndingAt(logPath, position.bytes) !== position.event) return null;
  return {
    history: beginHistory(view.plan, clocksOf(position.clocks)),
    file: log,
    position: position.bytes,
    last: { event: position.event, end: position.bytes },
    damage: [],
    unknown: new Set(position.unknown),
    whole: false,
    lag: noLag(view.plan),
    pending: [],
  };
}

/** The file that was read, but without its end. A new file can have the inode of the old, but not its birth. */
export function isCutOff(reading: Reading, log: FileIdentity): boolean {
  return (
    isSameFile(reading.file, log) && reading.file.birthTime === log.birthTime && log.size < reading.position
  );
}

/**
 * Whether the file still holds what was read of it; where births are told, another birth is the first sign.
 * @throws PlanError STORAGE_FAILED, but not for a file that is gone by now
 */
export function goesOn(path: string, reading: Reading, log: FileIdentity): boolean {
  if (log.size < reading.position) return false;
  if (reading.file.birthTime === log.birthTime || reading.last === null) return true;
  try {
    return eventIdEndingAt(path, reading.last.end) === reading.last.event;
  } catch (cause) {
    if (cause instanceof PlanError && cause.details.reason === 'ENOENT') return false;
    throw cause;
  }
}

/**
 * The state that a published plan file and what the log has since come to.
 * @returns null when the whole log must be read, or not all of the rest can be
 * @throws PlanError STORAGE_FAILED
 */
export async function planWithTail(
  logPath: string,
  { header, goals, log: position }: PublishedPlan,
  log: FileIdentity,
): Promise<Plan | null> {
  const from = readingFromView(logPath, { plan: planOfGoals(header, goals), log: position }, log);
  const reading = from === null ? null : await readTail(logPath, from, log);
  const isAll = reading?.position === log.size && reading.damage.length === 0;
  return isAll ? reading.history.plan : null;
}

/** Reads on from where a reading ended; from the beginning when an event belongs before one already applied. */
export async function readFurther(
  path: string,
  from: Reading,
  log: FileIdentity,
  watched: Verdicts,
): Promise<Reading> {
  return (await readTail(path, from, log, watched)) ?? rebuild(path, log, watched);
}

/**
 * Reads on from where a reading ended, such as the plan file's part of a log.
 * @returns null when an event belongs before one already applied: then the whole log is to be read
 */
export async function readTail(
  path: string,
  from: Reading,
  log: FileIdentity,
  watched: Verdicts = new Map(),
): Promise<Reading | null> {
  let { history, position, last, lag } = from;
  const found: LocatedDamage[] = [];
  const unknown = new Set(from.unknown);
  for await (const line of readLines(path, from.position, log.size)) {
    position = line.raw.end;
    if ('damage' in line) {
      found.push(damageOf(line.raw, line));
      if (line.unknown === undefined) continue;
      history = skipUnknownEvent(history, line.unknown);
      unknown.add(line.unknown.type);
      continue;
    }
    const extended = extendHistory(history, line.event);
    if (extended.verdict.kind === 'late') return null;
    noteVerdict(watched, line.event.id, { from: history, ...extended });
    history = extended.history;
    last = { event: line.event.id, end: line.raw.end };
    lag &&= lagBehind(lag, line.event, line.raw.end - line.raw.offset);
  }
  const damage = [...from.damage, ...(await numberDamage(path, found))];
  return { history, file: log, position, last, damage, unknown, whole: from.whole, lag, pending: [] };
}

/** Reads the whole log, in canonical order. */
export async function rebuild(
  path: string,
  log: FileIdentity,
  watched: Verdicts = new Map(),
): Promise<Reading> {
  const { lines, damage, position, last } = await readAll(path, log);
  let history = beginHistory();
  const unknown = new Set<string>();
  for (const event of inCanonicalOrder(lines)) {
    if (!('id' in event)) {
      history = skipUnknownEvent(history, event);
      unknown.add(event.type);
      continue;
    }
    const extended = extendHistory(history, event);
    noteVerdict(watched, event.id, { from: history, ...extended });
    history = extended.history;
  }
  return { history, file: log, position, last, damage, unknown, whole: true, lag: null, pending: [] };
}

/** Every event of a log, in the order of the file, also with those that this version does not know, and what could not be read. */
export async function readAll(path: string, log: FileIdentity) {
  const events: PlanEvent[] = [];
  const lines: (PlanEvent | UnknownEvent)[] = [];
  const found: LocatedDamage[] = [];
  let position = 0;
  let last: Reading['last'] = null;
  for await (const line of readLines(path, 0, log.size)) {
    position = line.raw.end;
    if ('event' in line) {
      events.push(line.event);
      lines.push(line.event);
      last = { event: line.event.id, end: line.raw.end };
      continue;
    }
    found.push(damageOf(line.raw, line));
    if (line.unknown !== undefined) lines.push(line.unknown);
  }
  return { events, lines, damage: await numberDamage(path, found), position, last };
}

/** How many lines of what was read are lost, or may be. */
export function lostLines({ damage }: Pick<Reading, 'damage'>): number {
  return damage.filter(({ kind }) => kind === 'damaged' || kind === 'torn').length;
}

/** Notes while a log is read what became of an event that somebody waits for. */
export function noteVerdict(
  watched: Verdicts,
  id: string,
  { from, history, verdict }: ReturnType<typeof extendHistory> & { readonly from: History },
): void {
  if (!watched.has(id)) return;
  if (verdict.kind !== 'accepted' && verdict.kind !== 'refused') return;
  const refused = verdict.kind === 'refused' ? verdict.refusal : null;
  watched.set(id, { refused, before: from.plan, after: history.plan });
}
