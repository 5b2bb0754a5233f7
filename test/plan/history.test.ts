import fc from 'fast-check';
import { expect, test } from 'vitest';

import { eventSchema } from '../../src/plan/events.js';
import type { EventPayload, PlanEvent } from '../../src/plan/events.js';
import { beginHistory, extendHistory, inCanonicalOrder, nextClock } from '../../src/plan/history.js';
import type { History } from '../../src/plan/history.js';
import { checkInvariants } from '../../src/plan/invariants.js';
import { stringifyPlanFile, toPlanFile } from '../../src/plan/snapshot/plan-file.js';

const ID = '0398a958';
const goals = ['root', 'a', 'b', 'c', 'd', 'e'].map((suffix) => `${ID}-${suffix}`);
const someGoal = fc.constantFrom(...goals);

const payload: fc.Arbitrary<EventPayload> = fc.oneof(
  fc.record({
    type: fc.constant('goal_expanded' as const),
    goal: someGoal,
    atomic: fc.boolean(),
    reasoning: fc.constant(null),
    sub_goals: fc.uniqueArray(someGoal, { maxLength: 3 }).map((ids) =>
      ids.map((id, index) => ({
        id,
        description: id,
        atomic: index % 2 === 0,
        reasoning: null,
        dependencies: index === 0 ? [] : [ids[index - 1] ?? id],
      })),
    ),
  }),
  fc.record({ type: fc.constant('goal_completed' as const), goal: someGoal }),
  fc.record({ type: fc.constant('goal_reopened' as const), goal: someGoal }),
  fc.record({
    type: fc.constant('goal_failed' as const),
    goal: someGoal,
    reason: fc.constant('x'),
    phase: fc.constantFrom('planning' as const, 'work' as const),
  }),
  fc.record({ type: fc.constant('plan_paused' as const), because: fc.constant('user' as const) }),
);

const creation: EventPayload = { type: 'plan_created', plan: { id: ID }, root: { description: 'Root' } };

/** Writes payloads one after the other as a process of a replica does, each after reading all before it. */
function write(
  history: History,
  events: readonly PlanEvent[],
  payloads: readonly EventPayload[],
  replica: string,
) {
  let current = history;
  const written = [...events];
  for (const one of payloads) {
    const event: PlanEvent = {
      id: `${replica}${written.length}`,
      at: '2026-01-01T00:00:00Z',
      by: replica,
      replica,
      clock: nextClock(current),
      ...one,
    };
    current = extendHistory(current, event).history;
    written.push(event);
  }
  return { history: current, events: written };
}

function read(events: readonly PlanEvent[]): History {
  return inCanonicalOrder(events).reduce(
    (history, event) => extendHistory(history, event).history,
    beginHistory(),
  );
}

function textOf(history: History): string {
  return history.plan === null ? 'none' : stringifyPlanFile(toPlanFile(history.plan));
}

test('whatever the events, apply keeps every invariant and reading them again gives the same plan', () => {
  fc.assert(
    fc.property(fc.array(payload, { maxLength: 30 }), (payloads) => {
      const { history, events } = write(beginHistory(), [], [creation, ...payloads], 'one');
      expect(history.plan === null ? null : checkInvariants(toPlanFile(history.plan))).toEqual([]);
      expect(textOf(read(events))).toBe(textOf(history));
    }),
  );
});

test('two copies that went on separately come to the same plan, whichever way their logs are merged', () => {
  fc.assert(
    fc.property(
      fc.array(payload, { maxLength: 8 }),
      fc.array(payload, { maxLength: 8 }),
      fc.array(payload, { maxLength: 8 }),
      fc.infiniteStream(fc.boolean()),
      (base, ours, theirs, coins) => {
        const common = write(beginHistory(), [], [creation, ...base], 'one');
        const left = write(common.history, common.events, ours, 'one').events.slice(common.events.length);
        const right = write(common.history, common.events, theirs, 'two').events.slice(common.events.length);
        const interleaved: PlanEvent[] = [];
        const [l, r] = [[...left], [...right]];
        while (l.length + r.length > 0) {
          const next = (coins.next().value && l.length > 0) || r.length === 0 ? l.shift() : r.shift();
          if (next !== undefined) interleaved.push(next);
        }
        const expected = textOf(read([...common.events, ...left, ...right]));
        expect(textOf(read([...common.events, ...right, ...left]))).toBe(expected);
        expect(textOf(read([...common.events, ...interleaved]))).toBe(expected);
      },
    ),
  );
});

test('on one machine the place in the file decides, even for a writer that was slow to read', () => {
  const base = write(
    beginHistory(),
    [],
    [creation, { type: 'goal_expanded', goal: `${ID}-root`, atomic: true, reasoning: null, sub_goals: [] }],
    'one',
  );
  const clock = nextClock(base.history);
  const stamp = { at: '2026-01-01T00:00:00Z', by: 'x', replica: 'one' };
  const fast: PlanEvent = {
    ...stamp,
    id: 'fast',
    clock: clock + 5,
    type: 'goal_completed',
    goal: `${ID}-root`,
  };
  const slow: PlanEvent = { ...stamp, id: 'slow', clock, type: 'goal_completed', goal: `${ID}-root` };
  const verdicts = [...base.events, fast, slow].reduce<{ history: History; kinds: string[] }>(
    ({ history, kinds }, event) => {
      const extended = extendHistory(history, event);
      return { history: extended.history, kinds: [...kinds, extended.verdict.kind] };
    },
    { history: beginHistory(), kinds: [] },
  ).kinds;
  expect(verdicts.slice(-2)).toEqual(['accepted', 'refused']);
  expect(
    inCanonicalOrder([...base.events, fast, slow])
      .map(({ id }) => id)
      .slice(-2),
  ).toEqual(['fast', 'slow']);
});

test('a line that a merge repeated counts once', () => {
  const { events } = write(beginHistory(), [], [creation], 'one');
  const first = events[0];
  if (first === undefined) throw new TypeError('no event');
  const { history } = extendHistory(beginHistory(), first);
  expect(extendHistory(history, first).verdict.kind).toBe('repeated');
});

test.each(['constructor', '__proto__', 'toString'])('a replica may be called %s', (replica) => {
  const { history, events } = write(
    beginHistory(),
    [],
    [creation, { type: 'plan_paused', because: 'user' }],
    replica,
  );
  expect(nextClock(history)).toBe(3);
  expect(textOf(read(events))).toBe(textOf(history));
});

test('a clock that can go no further leaves a plan that can still be changed', () => {
  const common = write(beginHistory(), [], [creation], 'one');
  const last: PlanEvent = {
    id: 'last',
    at: '2026-01-01T00:00:00Z',
    by: 'x',
    replica: 'one',
    clock: Number.MAX_SAFE_INTEGER,
    type: 'plan_paused',
    because: 'user',
  };
  const { history } = extendHistory(common.history, last);
  const expansion: EventPayload = {
    type: 'goal_expanded',
    goal: `${ID}-root`,
    atomic: true,
    reasoning: null,
    sub_goals: [],
  };
  const after = write(history, [...common.events, last], [expansion], 'one');
  expect(eventSchema.safeParse(after.events.at(-1)).success).toBe(true);
  expect(after.history.plan?.counts.atomic).toBe(1);
  expect(textOf(read(after.events))).toBe(textOf(after.history));
});

test('a line that was read into a plan file and is repeated after it counts once', () => {
  const steps: readonly EventPayload[] = [
    creation,
    { type: 'goal_expanded', goal: `${ID}-root`, atomic: true, reasoning: null, sub_goals: [] },
    { type: 'goal_completed', goal: `${ID}-root` },
    { type: 'goal_reopened', goal: `${ID}-root` },
  ];
  const { history, events } = write(beginHistory(), [], steps, 'r');
  const [, , completion] = events;
  if (completion === undefined) throw new TypeError('four events');
  const onward = extendHistory(beginHistory(history.plan, history.clocks), completion);
  expect(onward.verdict).toEqual({ kind: 'late' });
  expect(textOf(read([...events, completion]))).toBe(textOf(history));
});
