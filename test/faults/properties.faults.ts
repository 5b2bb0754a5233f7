import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import fc from 'fast-check';
import { expect, test } from 'vitest';

import { apply } from '../../src/plan/apply.js';
import { changesBetween } from '../../src/plan/changes.js';
import type { EventPayload, PlanEvent } from '../../src/plan/events.js';
import { beginHistory, extendHistory, inCanonicalOrder, nextClock } from '../../src/plan/history.js';
import type { History } from '../../src/plan/history.js';
import { validatePlanFile } from '../../src/plan/invariants.js';
import type { Plan } from '../../src/plan/plan.js';
import { stringifyPlanFile, toPlanFile } from '../../src/plan/plan-file.js';
import { decodeEvent, encodeEvent } from '../../src/store/file/event-line.js';
import { hostileText } from '../support/hostile-text.js';
import { temporaryFolder } from '../support/folders.js';
import { newFileStore } from '../support/stores.js';
import { filesOf, PLAN } from './support/plans.js';
import { scale } from './support/scale.js';

const goals = ['root', 'a', 'b', 'c', 'd', 'e'].map((suffix) => `${PLAN}-${suffix}`);
const someGoal = fc.constantFrom(...goals);
const some = fc.nat({ max: 99 });

/** What a writer does next, given what it has read and written: some things can only be said of a history. */
type Deed = (state: Written) => EventPayload;

interface Written {
  readonly history: History;
  readonly events: readonly PlanEvent[];
  /** The states before and after each event that was written, and all read before. */
  readonly states: readonly (readonly [Plan | null, Plan | null])[];
}

const expansion = (goal: string, ids: readonly string[], atomic: boolean): EventPayload => ({
  type: 'goal_expanded',
  goal,
  atomic,
  reasoning: null,
  sub_goals: ids.map((id, index) => ({
    id,
    description: id,
    atomic: index % 2 === 0,
    reasoning: null,
    dependencies: index === 0 ? [] : [ids[index - 1] ?? id],
  })),
});
const creation: EventPayload = { type: 'plan_created', plan: { id: PLAN }, root: { description: 'Root' } };

const deed: fc.Arbitrary<Deed> = fc.oneof(
  fc.tuple(someGoal, fc.uniqueArray(someGoal, { maxLength: 3 }), fc.boolean()).map(
    ([goal, ids, atomic]): Deed =>
      () =>
        expansion(goal, ids, atomic),
  ),
  fc
    .constantFrom('goal_completed' as const, 'goal_reopened' as const)
    .chain((type) => someGoal.map((goal): Deed => () => ({ type, goal }))),
  fc
    .tuple(someGoal, fc.constantFrom('planning' as const, 'work' as const))
    .map(([goal, phase]): Deed => () => ({ type: 'goal_failed', goal, reason: 'x', phase })),
  fc
    .constantFrom<EventPayload>(
      creation,
      { type: 'plan_paused', because: 'user' },
      { type: 'planning_ended', run: 'run' },
      {
        type: 'planning_started',
        replaces: null,
        run: { id: 'run', host: 'h', pid: 1, started_at: '2026-01-01T00:00:00Z' },
      },
    )
    .map(
      (payload): Deed =>
        () =>
          payload,
    ),
  some.map(
    (which): Deed =>
      ({ events, states }) =>
        undoing(events, states, which),
  ),
  some.map(
    (which): Deed =>
      ({ states }) =>
        restoring(states, which),
  ),
);

/** Takes back what one of the events so far did. */
function undoing(events: Written['events'], states: Written['states'], which: number): EventPayload {
  const index = which % events.length;
  const [before, after] = states[index] ?? [null, null];
  return {
    type: 'change_undone',
    undoes: events[index]?.id ?? 'none',
    changes: before === null || after === null ? [] : [...changesBetween(before, after)],
  };
}

/** Goes back to one of the states so far. */
function restoring(states: Written['states'], which: number): EventPayload {
  const plan = states[which % states.length]?.[1] ?? null;
  if (plan === null) return { type: 'plan_paused', because: 'user' };
  return { type: 'plan_restored', plan: toPlanFile(plan), reason: 'test' };
}

function write(start: Written, deeds: readonly Deed[], replica: string): Written {
  return deeds.reduce<Written>((written, make) => {
    const event: PlanEvent = {
      id: `${replica}${written.events.length}`,
      at: '2026-01-01T00:00:00Z',
      by: replica,
      replica,
      clock: nextClock(written.history),
      ...make(written),
    };
    const { history } = extendHistory(written.history, event);
    return {
      history,
      events: [...written.events, event],
      states: [...written.states, [written.history.plan, history.plan]],
    };
  }, start);
}

const begin = () => write({ history: beginHistory(), events: [], states: [] }, [() => creation], 'one');

function read(events: readonly PlanEvent[]): Plan | null {
  return inCanonicalOrder(events).reduce(
    (history, event) => extendHistory(history, event).history,
    beginHistory(),
  ).plan;
}

function textOf(plan: Plan | null): string {
  return plan === null ? 'none' : stringifyPlanFile(toPlanFile(plan));
}

function expectValid(plan: Plan | null): void {
  if (plan === null) return;
  const file: unknown = JSON.parse(textOf(plan));
  expect(validatePlanFile(file).problems).toEqual([]);
  expect(plan.goals.size).toBe(Object.keys(toPlanFile(plan).goals).length);
}

function interleave<T>(left: readonly T[], right: readonly T[], coins: readonly boolean[]): T[] {
  const [l, r] = [[...left], [...right]];
  const whole: T[] = [];
  for (let index = 0; l.length + r.length > 0; index += 1) {
    const next =
      (coins[index % coins.length] === true && l.length > 0) || r.length === 0 ? l.shift() : r.shift();
    if (next !== undefined) whole.push(next);
  }
  return whole;
}

const deeds = (maxLength: number) => fc.array(deed, { maxLength });
const coins = fc.array(fc.boolean(), { minLength: 1, maxLength: 20 });

test('apply is total and keeps every invariant, in any interleaving of two writers and with any prefix lost', () => {
  fc.assert(
    fc.property(deeds(10), deeds(10), deeds(10), coins, some, (base, ours, theirs, toss, lost) => {
      const common = write(begin(), base, 'one');
      const length = common.events.length;
      const [left, right] = [write(common, ours, 'one'), write(common, theirs, 'two')];
      const events = [
        ...common.events,
        ...interleave(left.events.slice(length), right.events.slice(length), toss),
      ];
      expectValid(left.history.plan);
      expectValid(read(events));
      const rest = events.slice(lost % (events.length + 1));
      expectValid(read(rest));
      // What is left may also meet a plan that it was not written for.
      let plan = read(common.events);
      for (const event of rest.toReversed()) {
        plan = apply(plan, event).plan;
        expectValid(plan);
      }
    }),
    { numRuns: scale(3000, 150) },
  );
});

test('an event that is read is the event that was written, unknown members included', () => {
  const unknown = fc.dictionary(
    hostileText.filter((key) => key !== '__proto__'),
    fc.jsonValue(),
    { maxKeys: 4 },
  );
  fc.assert(
    fc.property(unknown, hostileText, fc.jsonValue(), (members, text, value) => {
      const event: PlanEvent = {
        ...members,
        id: 'e',
        at: '2026-01-01T00:00:00Z',
        by: text,
        replica: 'r',
        clock: 1,
        type: 'goal_completed',
        goal: `${PLAN}-a`,
        note: value,
        digest: { summary: text, key_decisions: [], artifacts: [], odd: value },
      };
      const line = encodeEvent(event);
      const written: unknown = JSON.parse(JSON.stringify(event));
      expect(decodeEvent(Buffer.from(line.slice(1, -1)))).toEqual({ event: written });
    }),
    { numRuns: scale(5000, 200) },
  );
});

test('git merges the logs of two copies in either direction to one plan', async () => {
  await fc.assert(
    fc.asyncProperty(deeds(6), deeds(6), deeds(6), async (base, ours, theirs) => {
      const common = write(begin(), base, 'one');
      const folder = temporaryFolder();
      const store = join(folder, '.plans');
      await newFileStore(store);
      const { eventLog } = filesOf(store);
      const git = (...args: readonly string[]) => {
        const identity = ['-c', 'user.name=x', '-c', 'user.email=x@example.com'];
        const { status, stderr } = spawnSync('git', [...identity, ...args], {
          cwd: folder,
          encoding: 'utf8',
        });
        if (status !== 0) throw new Error(`git ${args.join(' ')}: ${stderr}`);
      };
      const commit = (events: readonly PlanEvent[], message: string) => {
        writeFileSync(eventLog, events.map(encodeEvent).join(''));
        git('add', '-A');
        git('commit', '-q', '--allow-empty', '-m', message);
      };
      git('init', '-q', '-b', 'base');
      commit(common.events, 'base');
      git('checkout', '-q', '-b', 'ours');
      const left = write(common, ours, 'one');
      commit(left.events, 'ours');
      git('checkout', '-q', '-b', 'theirs', 'base');
      const right = write(common, theirs, 'two');
      commit(right.events, 'theirs');

      const merged: string[] = [];
      const ids = new Set([...left.events, ...right.events].map(({ id }) => id));
      for (const [into, from] of [
        ['ours', 'theirs'],
        ['theirs', 'ours'],
      ] as const) {
        git('checkout', '-q', '-B', 'merged', into);
        git('merge', '-q', '--no-edit', from);
        const log = await (await newFileStore(store)).open(PLAN);
        expect(log.damage).toEqual([]);
        expect(new Set((await log.events()).map(({ id }) => id))).toEqual(ids);
        expectValid(log.plan);
        merged.push(textOf(log.plan));
        expect(readFileSync(eventLog, 'utf8')).not.toContain('<<<<<<<');
      }
      expect(merged[0]).toBe(merged[1]);
      expect(merged[0]).toBe(textOf(read([...left.events, ...right.events.slice(common.events.length)])));
    }),
    { numRuns: scale(200, 5) },
  );
});
