import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import fc from 'fast-check';
import { expect, test } from 'vitest';

import { apply } from '../../src/plan/apply.js';
import { changesBetween, changesBy } from '../../src/plan/changes.js';
import type { GoalChange } from '../../src/plan/changes.js';
import type { PlanEvent } from '../../src/plan/events.js';
import { beginHistory, extendHistory, inCanonicalOrder } from '../../src/plan/history.js';
import { validatePlanFile } from '../../src/plan/invariants.js';
import { makePlan } from '../../src/plan/make-plan.js';
import type { Plan } from '../../src/plan/plan.js';
import { stringifyPlanFile, toPlanFile } from '../../src/plan/snapshot/plan-file.js';
import { decodeEvent, encodeEvent } from '../../src/storage/log/event-line.js';
import { temporaryFolder } from '../support/folders.js';
import * as page from '../support/format-reader.js';
import { hostileText } from '../support/hostile-text.js';
import { begin, deeds, PLAN, write } from '../support/random-deeds.js';
import { newFileStore } from '../support/stores.js';
import { filesOf } from './support/plans.js';
import { scale } from './support/scale.js';

const some = fc.nat({ max: 99 });

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
  expect(plan.counts).toEqual(makePlan(plan.header, plan.goals.values()).counts);
}

function byGoal(changes: readonly GoalChange[]): Record<string, GoalChange> {
  return Object.fromEntries(changes.map((change) => [change.goal, change]));
}

function stampOf({ at, by, replica, clock }: PlanEvent) {
  return { id: 'undoing', at, by, replica, clock: clock + 1 };
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
    { numRuns: scale(3000, 100) },
  );
});

test('what each event changed is told exactly, and taking it back at once restores every goal', () => {
  fc.assert(
    fc.property(deeds(14), (todo) => {
      const { events, states } = write(begin(), todo, 'one');
      for (const [index, event] of events.entries()) {
        const [before = null, after = null] = states[index] ?? [];
        if (before === null || after === null || before === after) continue;
        const changes = changesBetween(before, after);
        expect(byGoal(changesBy(event, before, after))).toEqual(byGoal(changes));
        const undoing = { type: 'change_undone' as const, undoes: event.id, changes: [...changes] };
        const undone = apply(after, { ...stampOf(event), ...undoing });
        expect(undone.refused).toBeNull();
        expect(Object.fromEntries(undone.plan?.goals ?? [])).toEqual(Object.fromEntries(before.goals));
        expect(undone.plan?.counts).toEqual(before.counts);
        // What was restored is taken back by no command, and its header is not among the changes of goals.
        if (event.type !== 'plan_restored')
          expect(undone.plan?.header.description).toBe(before.header.description);
        expectValid(undone.plan);
      }
    }),
    { numRuns: scale(3000, 100) },
  );
});

test('a reader written from the page alone comes to the same state and the same verdict after every event', () => {
  fc.assert(
    fc.property(deeds(10), deeds(6), deeds(6), coins, (base, ours, theirs, toss) => {
      const common = write(begin(), base, 'one');
      const length = common.events.length;
      const [left, right] = [write(common, ours, 'one'), write(common, theirs, 'two')];
      const merged = [
        ...common.events,
        ...interleave(left.events.slice(length), right.events.slice(length), toss),
      ];
      let plan: Plan | null = null;
      let told: unknown = null;
      for (const event of inCanonicalOrder(merged)) {
        const copy: PlanEvent = structuredClone(event);
        const { plan: next, refused } = apply(plan, event);
        const said: unknown = told === null ? page.begin(copy) : page.applied(structuredClone(told), copy);
        expect([event.type, refused, said === null]).toEqual([event.type, refused, refused !== null]);
        plan = next;
        told = said ?? told;
        expect(told).toEqual(plan === null ? null : JSON.parse(JSON.stringify(toPlanFile(plan))));
      }
    }),
    { numRuns: scale(2000, 80) },
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
    { numRuns: scale(5000, 130) },
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
    { numRuns: scale(200, 3) },
  );
});
