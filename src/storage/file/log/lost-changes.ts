import { apply } from '../../../plan/apply.js';
import { EVENT_TYPES } from '../../../plan/events.js';
import type { PlanEvent } from '../../../plan/events.js';
import { beginHistory, extendHistory, inCanonicalOrder } from '../../../plan/history.js';
import type { Plan } from '../../../plan/plan.js';
import type { LogPosition, PlanFile } from '../../../plan/schema.js';
import { toPlanFile } from '../../../plan/snapshot/plan-file.js';
import { isSameJson } from '../../../kernel/json/same-json.js';
import { fileIdentity, isSameFile } from '../../../host/files/file-identity.js';
import type { FileIdentity } from '../../../host/files/file-identity.js';
import { eventIdEndingAt } from './event-position.js';
import { eventIdOfLine } from './lost-lines.js';
import { readLines } from './read-lines.js';

const KNOWN: ReadonlySet<string> = new Set(EVENT_TYPES);

/** A state of a log that a plan file shows, or that this process has read. */
export interface ShownState {
  readonly plan: Plan;
  /** The last event of it and where that ends, the clocks up to which it has events, and what whoever made it passed over. */
  readonly position: LogPosition;
}

/** What a log has, apart by whether a state that was shown of it has it too. */
interface LogBeside {
  readonly shown: readonly PlanEvent[];
  readonly others: readonly PlanEvent[];
  /** Whether the last event of that state is there. */
  readonly isNamed: boolean;
  /** What plan files the log was made of: one that came without its log is the beginning of a new one. */
  readonly imported: readonly PlanFile[];
  /** Whether this version can tell what state the events that both have come to. */
  readonly isComparable: boolean;
  /** Those of `shown` whose clocks do not say whether that state has them: processes of one store wrote them at once. */
  readonly doubtful: ReadonlySet<string>;
  readonly hasDamage: boolean;
}

/**
 * Holds a state that was shown of a log against what can be read of the log now. It has lost a change when the last event
 * of that state is not in it, or when the events that the state is made of come to another one: a line between is damaged
 * or gone.
 * @returns the plan as it is with what was lost: that state, and the events of the log that it does not have; null when
 *   nothing is lost, or another file is the log by now
 * @throws PlanError STORAGE_FAILED
 */
export async function planWithLostChanges(
  path: string,
  log: FileIdentity,
  state: ShownState,
): Promise<Plan | null> {
  const beside = await logBeside(path, log, state.position);
  const { shown, others, isNamed, imported, isComparable } = beside;
  if (isNamed && (!isComparable || hasAll(beside, state.plan))) return null;
  if (!isNamed && imported.some((file) => isSameJson(file, toPlanFile(state.plan)))) return null;
  // Git may have put another file in its place while it was read.
  const now = await fileIdentity(path);
  if (now === null || !isSameFile(now, log)) return null;
  const seen = new Set(shown.map(({ id }) => id));
  let { plan } = state;
  for (const event of inCanonicalOrder(others)) {
    if (seen.has(event.id)) continue;
    seen.add(event.id);
    plan = apply(plan, event).plan ?? plan;
  }
  return plan;
}

/** Whether the events that both have come to a state, as far as that can be told. */
function hasAll({ shown, doubtful, hasDamage }: LogBeside, plan: Plan): boolean {
  if (comesTo(shown, plan)) return true;
  if (doubtful.size === 0) return false;
  return (
    !hasDamage ||
    comesTo(
      shown.filter(({ id }) => !doubtful.has(id)),
      plan,
    )
  );
}

async function logBeside(
  path: string,
  log: FileIdentity,
  { event: named, bytes, clocks: until = {}, unknown: passedOver = [] }: LogPosition,
): Promise<LogBeside> {
  // Where its last event stands where it stood, what is before it is what that state was made of.
  const isInPlace = bytes <= log.size && eventIdEndingAt(path, bytes) === named;
  const shown: PlanEvent[] = [];
  const others: PlanEvent[] = [];
  const imported: PlanFile[] = [];
  const clocks = new Map<string, number>();
  const doubtful = new Set<string>();
  // The line that makes a plan stands twice, and git may double others: that says nothing of their clocks.
  const seen = new Set<string>();
  let isNamed = false;
  let hasDamage = false;
  let isComparable = !passedOver.some((type) => KNOWN.has(type));
  for await (const line of readLines(path, 0, log.size)) {
    const placed = 'event' in line ? line.event : line.unknown;
    if (placed === undefined) {
      hasDamage = true;
      continue;
    }
    const before = clocks.get(placed.replica) ?? 0;
    const clock = Math.max(placed.clock, before);
    clocks.set(placed.replica, clock);
    const isBelow = Object.hasOwn(until, placed.replica) && clock <= (until[placed.replica] ?? 0);
    const isShown = isInPlace ? line.raw.end <= bytes : isBelow;
    if ('event' in line) {
      isNamed ||= line.event.id === named;
      (isShown ? shown : others).push(line.event);
      const isNew = !seen.has(line.event.id);
      if (isNew && isShown && !isInPlace && placed.clock <= before) doubtful.add(line.event.id);
      seen.add(line.event.id);
      if (line.event.type === 'plan_imported') imported.push(line.event.plan);
    } else {
      isNamed ||= eventIdOfLine(line.raw.bytes) === named;
      isComparable &&= !isShown || passedOver.includes(placed.type);
    }
  }
  return { shown, others, isNamed, imported, isComparable, doubtful, hasDamage };
}

function comesTo(events: readonly PlanEvent[], plan: Plan): boolean {
  let history = beginHistory();
  for (const event of inCanonicalOrder(events)) ({ history } = extendHistory(history, event));
  return history.plan !== null && isSameJson(toPlanFile(history.plan), toPlanFile(plan));
}
