import { changesBy } from '../../plan/changes.js';
import type { GoalChange } from '../../plan/changes.js';
import { definitionOf } from '../../plan/events.js';
import type { PlanEvent } from '../../plan/events.js';
import { beginHistory, extendHistory } from '../../plan/history.js';
import type { Plan } from '../../plan/plan.js';
import { isSameJson } from '../../kernel/json/same-json.js';
import type { PlanLog } from '../../storage/plan-store.js';
import { messageFor } from '../../plan/event-message.js';

/** A goal as it was before a command and as that left it; null where there is none. */
export type ChangeOfGoal = Pick<GoalChange, 'goal' | 'before' | 'after'>;

/** What a command did to goals. */
export interface WholeChange {
  /** The first of its events that changed goals. */
  readonly event: PlanEvent;
  /** What that did, in words. */
  readonly message: string;
  /** How many of its events changed goals. */
  readonly events: number;
  readonly goals: readonly ChangeOfGoal[];
  /** What it did to what comparing the leaves came to, if anything. */
  readonly linked?: ChangeOfLinks | undefined;
}

/** What comparing the leaves came to, as it was before a command and as that left it; null where they were not compared. */
type ChangeOfLinks = NonNullable<Undoing['event']['linked']>;

/** A command that changed goals, as far as it was looked at. */
interface Change {
  readonly id: string;
  readonly by: string;
  readonly undone: boolean;
}

/** An event that took a command back, or brought one back. */
export interface Undoing {
  readonly event: Extract<PlanEvent, { readonly type: 'change_undone' }>;
  /** The command that it took back. */
  readonly change: string;
  readonly redone: boolean;
}

/** The commands of a history that changed goals, in the order in which they began, and what was taken back. */
export interface HistoryOfChanges {
  readonly changes: ReadonlyMap<string, Change>;
  readonly undoings: readonly Undoing[];
  /** What the last events did, which is all that is kept of a history of any length. */
  readonly last: readonly Applied[];
}

/** An accepted event that changed goals, or what comparing the leaves came to. */
export interface Applied {
  readonly event: PlanEvent;
  readonly before: Plan;
  readonly after: Plan;
}

/** As many are kept as commands usually have events. */
const MOST_KEPT = 64;

/** What a log says of the commands that wrote it. */
export async function historyOfChanges(log: PlanLog): Promise<HistoryOfChanges> {
  const changes = new Map<string, Change>();
  const changeOf = new Map<string, string>();
  const undoings = new Map<string, Undoing>();
  const last: Applied[] = [];
  for await (const applied of appliedEvents(log)) {
    const { event } = applied;
    if (event.type === 'change_undone') {
      noteUndoing(event, { changes, changeOf, undoings });
      continue;
    }
    last.push(applied);
    if (last.length > MOST_KEPT) last.shift();
    if (!definitionOf(event).undoable) continue;
    const id = changeIdOf(event);
    changeOf.set(event.id, id);
    // What was done last counts as last, also where another command began meanwhile.
    const { by, undone } = changes.get(id) ?? { by: event.by, undone: false };
    changes.delete(id);
    changes.set(id, { id, by, undone });
  }
  return { changes, undoings: [...undoings.values()], last };
}

interface Notes {
  readonly changes: Map<string, Change>;
  /** The command of each event. */
  readonly changeOf: ReadonlyMap<string, string>;
  readonly undoings: Map<string, Undoing>;
}

/** An undoing of an undoing brings a command back. */
function noteUndoing(event: Undoing['event'], { changes, changeOf, undoings }: Notes): void {
  const undoing = undoings.get(event.undoes);
  if (undoing !== undefined) undoings.set(event.undoes, { ...undoing, redone: true });
  const id = undoing?.change ?? changeOf.get(event.undoes);
  const change = id === undefined ? undefined : changes.get(id);
  if (id === undefined || change === undefined) return;
  changes.set(id, { ...change, undone: undoing === undefined });
  if (undoing === undefined) undoings.set(event.id, { event, change: id, redone: false });
}

/** The commands that are not undone, of somebody or of anybody, with what each did; the last first. */
export async function* changesToUndo(
  log: PlanLog,
  history: HistoryOfChanges,
  by: string | null,
): AsyncGenerator<WholeChange> {
  const open = [...history.changes.values()].filter((one) => !one.undone && (by === null || one.by === by));
  for (const { id } of open.toReversed()) {
    const change = await readChange(log, history, id);
    if (change !== null) yield change;
  }
}

/**
 * The undoings of whole changes that still stand, by somebody or by anybody, and the command that each took back;
 * the last first.
 */
export function undoingsToRedo({ undoings }: HistoryOfChanges, by: string | null): readonly Undoing[] {
  return undoings.filter(({ event, redone }) => !redone && (by === null || event.by === by)).toReversed();
}

/** The last event that changed a goal, and what it did in words; null when none did. */
export async function lastChangeOf(
  log: PlanLog,
  goal: string,
): Promise<{ readonly event: PlanEvent; readonly message: string } | null> {
  let found: Applied | null = null;
  for await (const applied of appliedEvents(log))
    if (applied.before.goals.get(goal) !== applied.after.goals.get(goal)) found = applied;
  return found === null ? null : { event: found.event, message: messageFor(found.event, found.before) };
}

/** What a command did; null when all goals, and what comparing the leaves came to, are as they were. */
export async function readChange(
  log: PlanLog,
  { changes, last }: HistoryOfChanges,
  id: string,
): Promise<WholeChange | null> {
  const isKept = isWholeIn(last, id, changes);
  const goals = new Map<string, ChangeOfGoal>();
  let first: Applied | null = null;
  let events = 0;
  let linked: ChangeOfLinks | undefined;
  for await (const applied of isKept ? last : appliedEvents(log)) {
    const { event, before, after } = applied;
    if (event.type === 'change_undone' || changeIdOf(event) !== id) continue;
    const changed = changesBy(event, before, after);
    const [was, is] = [before.header.linked ?? null, after.header.linked ?? null];
    const isRelinked = !isSameJson(was, is);
    if (changed.length === 0 && !isRelinked) continue;
    if (isRelinked) linked = { before: linked === undefined ? was : linked.before, after: is };
    first ??= applied;
    events += 1;
    for (const change of changed) goals.set(change.goal, compose(goals.get(change.goal), change));
  }
  const differing = [...goals.values()].filter(({ before, after }) => !isSameJson(before, after));
  if (first === null || (differing.length === 0 && linked === undefined)) return null;
  const message = messageFor(first.event, first.before);
  return { event: first.event, message, events, goals: differing, linked };
}

/** Whether all events of a command are certainly among those that are kept. */
function isWholeIn(last: readonly Applied[], id: string, changes: HistoryOfChanges['changes']): boolean {
  const isFull = last.length === MOST_KEPT;
  // The event that a command is called after is its first.
  return changes.has(id) && (!isFull || last.some(({ event }) => event.id === id));
}

/**
 * Two changes of a goal as one. Where somebody else changed it in between, it stays what the first left: as it is not so
 * any more, undoing is refused.
 */
function compose(first: ChangeOfGoal | undefined, { goal, before, after }: ChangeOfGoal): ChangeOfGoal {
  if (first === undefined) return { goal, before, after };
  return isSameJson(first.after, before) ? { goal, before: first.before, after } : first;
}

/** The command that an event belongs to: it is called after the first of its events. */
function changeIdOf({ id, change }: PlanEvent): string {
  return change ?? id;
}

/** The accepted events of a log that changed goals, or what comparing the leaves came to. */
export async function* appliedEvents(log: PlanLog): AsyncGenerator<Applied> {
  let history = beginHistory();
  for await (const event of log.eachEvent()) {
    const before = history.plan;
    const extended = extendHistory(history, event);
    history = extended.history;
    const after = history.plan;
    if (extended.verdict.kind !== 'accepted' || before === null || after === null) continue;
    const isRelinked = before.header.linked !== after.header.linked;
    if (before.goals !== after.goals || isRelinked) yield { event, before, after };
  }
}
