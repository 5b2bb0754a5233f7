import { expect } from 'vitest';

import { apply } from '../../src/plan/apply.js';
import { changesBetween, changesBy } from '../../src/plan/changes.js';
import type { EventPayload, PlanEvent } from '../../src/plan/events.js';
import type { NewGoal } from '../../src/plan/events/new-goal.js';
import { checkInvariants } from '../../src/plan/invariants.js';
import { makePlan } from '../../src/plan/make-plan.js';
import { goalOf } from '../../src/plan/plan.js';
import type { Plan } from '../../src/plan/plan.js';
import { toPlanFile } from '../../src/plan/snapshot/plan-file.js';
import type { Goal } from '../../src/plan/schema.js';
import type { Refusal } from '../../src/plan/refusals.js';

const PLAN = '0398a958';
/** A goal's full id. */
export const id = (suffix: string) => `${PLAN}-${suffix}`;
export const ids = (...suffixes: readonly string[]) => suffixes.map(id);
/** A moment so many minutes into the day on which everything happens. */
export const at = (minute: number) => new Date(Date.UTC(2026, 0, 2) + minute * 60_000).toISOString();

/** Who says something when. */
interface Saying {
  readonly by?: string;
  readonly minute?: number;
}

let count = 0;

function event(payload: EventPayload, { by = 'ana', minute = 0 }: Saying): PlanEvent {
  count += 1;
  return { id: `e${count}`, at: at(minute), by, replica: 'r', clock: count, ...payload };
}

/**
 * The plan after an event that must be accepted. Whatever the event, the plan is valid, its counts are right,
 * what it changed is told exactly, and taking it back restores every goal.
 */
export function accepted(plan: Plan, payload: EventPayload, saying: Saying = {}): Plan {
  const stamped = event(payload, saying);
  const applied = apply(plan, stamped);
  expect(applied.refused).toBeNull();
  const after = applied.plan;
  if (after === null) throw new TypeError('no plan');
  expect(checkInvariants(toPlanFile(after))).toEqual([]);
  expect(after.counts).toEqual(makePlan(after.header, after.goals.values()).counts);
  const changes = changesBetween(plan, after);
  expect(new Map(changesBy(stamped, plan, after).map((change) => [change.goal, change]))).toEqual(
    new Map(changes.map((change) => [change.goal, change])),
  );
  const undoing: EventPayload = { type: 'change_undone', undoes: stamped.id, changes: [...changes] };
  const undone = apply(after, event(undoing, saying));
  expect(undone.refused).toBeNull();
  expect(Object.fromEntries(undone.plan?.goals ?? [])).toEqual(Object.fromEntries(plan.goals));
  expect(undone.plan?.header.description).toBe(plan.header.description);
  return after;
}

/** Why an event is refused, which then changes nothing at all. */
export function refusal(plan: Plan, payload: EventPayload, saying: Saying = {}): Refusal | null {
  const applied = apply(plan, event(payload, saying));
  expect(applied.plan).toBe(plan);
  return applied.refused;
}

/** A goal to be made: atomic, unless it is said otherwise. */
export function child(suffix: string, fields: Partial<NewGoal> = {}): NewGoal {
  return {
    id: id(suffix),
    description: `Do ${suffix}`,
    atomic: true,
    reasoning: null,
    dependencies: [],
    ...fields,
  };
}

/** A plan of a pending root. */
export function created(): Plan {
  const { plan } = apply(
    null,
    event({ type: 'plan_created', plan: { id: PLAN }, root: { description: 'Build it' } }, {}),
  );
  if (plan === null) throw new TypeError('no plan');
  return plan;
}

export function expanded(plan: Plan, suffix: string, subGoals: readonly NewGoal[]): Plan {
  return accepted(plan, {
    type: 'goal_expanded',
    goal: id(suffix),
    atomic: subGoals.length === 0,
    reasoning: 'because',
    sub_goals: [...subGoals],
  });
}

/** A plan whose root has these goals. */
export function planWith(...subGoals: readonly (NewGoal | string)[]): Plan {
  return expanded(
    created(),
    'root',
    subGoals.map((one) => (typeof one === 'string' ? child(one) : one)),
  );
}

/** Applies several events that must be accepted. */
export function after(plan: Plan, ...payloads: readonly EventPayload[]): Plan {
  return payloads.reduce((next, payload) => accepted(next, payload), plan);
}

export const complete = (suffix: string): EventPayload => ({ type: 'goal_completed', goal: id(suffix) });
export const claim = (suffix: string, token = 'ta', until = 30): EventPayload => ({
  type: 'goal_claimed',
  goal: id(suffix),
  token,
  expires_at: at(until),
});
export const depend = (suffix: string, ...on: readonly string[]): EventPayload => ({
  type: 'dependencies_changed',
  changes: [{ goal: id(suffix), add: ids(...on), remove: [] }],
});

export function goalAt(plan: Plan, suffix: string): Goal {
  return goalOf(plan, id(suffix));
}

/** The statuses of goals by the ends of their ids. */
export function statuses(plan: Plan): Record<string, string> {
  return Object.fromEntries([...plan.goals.values()].map((goal) => [goal.id.slice(9), goal.status]));
}

/** What a goal depends on, by the ends of ids. */
export function needs(plan: Plan, suffix: string): readonly string[] {
  return goalAt(plan, suffix).dependencies.map((one) => one.slice(9));
}

/** The children of a goal, by the ends of ids. */
export function children(plan: Plan, suffix: string): readonly string[] {
  return goalAt(plan, suffix).child_ids.map((one) => one.slice(9));
}
