import { PlanError } from '../errors.js';
import { changesBy } from '../plan/changes.js';
import type { GoalChange } from '../plan/changes.js';
import type { EventPayload } from '../plan/events.js';
import { summarize } from '../plan/plan.js';
import type { Plan } from '../plan/plan.js';
import { oneLine } from '../plan/safe-text.js';
import type { Goal, Summary } from '../plan/schema.js';
import { numberOf } from '../plan/tree.js';
import type { PlanLog } from '../store/plan-store.js';
import type { Context } from './context.js';
import { foreseeRefusal, timeNow, workerName, writeEvent } from './work-event.js';
import type { WorkerOptions } from './work-event.js';

/** A goal that a change touched, as it was and as it became, with its number in the tree (that it had, if it is gone). */
export type NumberedChange = GoalChange & { readonly number: string };

/** What a change came to: the plan after it, and every goal that is another now. */
export interface ChangeReport {
  readonly plan: Summary;
  readonly changes: readonly NumberedChange[];
}

/** What every change by hand takes. */
export interface ChangeOptions extends WorkerOptions {
  /** Why; it is kept in the log. */
  readonly because?: string | undefined;
}

/** As much of a goal's description as an error has room for. */
const SHOWN = 80;

/**
 * Makes one change of goals. What can be seen to be refused is not written at all; where another process was
 * faster, its change stands and this one is refused.
 * @throws PlanError REFUSED with the reason, in which goals are called by number and description
 */
export async function changeGoals(
  context: Context,
  log: PlanLog,
  payload: EventPayload,
  options: WorkerOptions,
): Promise<ChangeReport> {
  const by = workerName(context, options);
  const foreseen = foreseeRefusal(log.plan, payload, { by, at: timeNow(context) });
  if (foreseen !== null) throw refusedChange(log.plan, payload, foreseen);
  const { event, refused, before, after } = await writeEvent(log, payload, by);
  if (refused !== null) throw refusedChange(before, payload, refused);
  const changes = numberedChanges(changesBy(event, before, after), before, after);
  return { plan: summarize(log.plan), changes };
}

/** The goals that differ between two states, in the order of their numbers. */
export function numberedChanges(
  changes: readonly GoalChange[],
  before: Plan,
  after: Plan,
): readonly NumberedChange[] {
  return changes
    .map((change) => ({
      ...change,
      number: change.after === null ? numberIn(before, change.before) : numberIn(after, change.after),
    }))
    .toSorted((a, b) => a.number.localeCompare(b.number, 'en', { numeric: true }));
}

/** The error for a change that is refused. */
export function refusedChange(plan: Plan, payload: EventPayload, reason: string): PlanError {
  const ids = [...new Set(reason.match(idsOf(plan)) ?? [])];
  const cycle = reason.includes(' → ') ? { cycle: reason.match(idsOf(plan)) ?? [] } : {};
  return new PlanError('REFUSED', inWords(plan, payload, reason), {
    ...hintFor(reason),
    details: { plan: plan.header.id, goals: ids, ...cycle },
  });
}

/** A goal in a message: number, description and the end of its id. */
export function goalInWords(plan: Plan, goal: Goal): string {
  const number = numberOf(plan, goal);
  return `${number === '' ? 'root' : number} “${shortened(goal.description)}”`;
}

function numberIn(plan: Plan, goal: Goal | null): string {
  return goal === null ? '' : numberOf(plan, goal);
}

function inWords(plan: Plan, payload: EventPayload, reason: string): string {
  const born = 'sub_goals' in payload && Array.isArray(payload.sub_goals) ? payload.sub_goals : [];
  return reason.replaceAll(idsOf(plan), (id) => {
    const goal = plan.goals.get(id);
    if (goal !== undefined) return goalInWords(plan, goal);
    const made: unknown = born.find((one: unknown) => isCalled(one, id));
    return isCalled(made, id) ? `the new “${shortened(made.description)}”` : id;
  });
}

function isCalled(
  value: unknown,
  id: string,
): value is { readonly id: string; readonly description: string } {
  return (
    typeof value === 'object' &&
    value !== null &&
    'id' in value &&
    value.id === id &&
    'description' in value &&
    typeof value.description === 'string'
  );
}

function idsOf(plan: Plan): RegExp {
  return new RegExp(`${plan.header.id}-[0-9A-Za-z_-]{1,64}`, 'g');
}

function hintFor(reason: string): { readonly hint?: string } {
  if (reason.includes(' → '))
    return { hint: '`plan depend <goal> --not-on <goal>` takes one of these dependencies away.' };
  if (reason.includes('is claimed'))
    return { hint: '`plan release --force` takes a claim from its holder; --by says who you are.' };
  if (reason.includes('is complete'))
    return { hint: '`plan reopen` makes finished work open again; `plan remove --force` takes it away.' };
  if (reason.includes('there is no goal')) return { hint: '`plan log` shows who took it away.' };
  return {};
}

function shortened(description: string): string {
  const line = oneLine(description);
  return line.length > SHOWN ? `${line.slice(0, SHOWN - 1).replace(/[\uD800-\uDBFF]$/, '')}…` : line;
}
