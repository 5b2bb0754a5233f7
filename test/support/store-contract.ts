import { describe, expect, test } from 'vitest';

import type { PlanError } from '../../src/kernel/errors.js';
import type { EventPayload, PayloadOf } from '../../src/plan/events.js';
import { summarize } from '../../src/plan/plan.js';
import type { Plan } from '../../src/plan/plan.js';
import { toPlanFile } from '../../src/plan/snapshot/plan-file.js';
import type { PlanStore } from '../../src/storage/plan-store.js';

export function creationOf(planId: string, description = 'Build it'): PayloadOf<'plan_created'> {
  return { type: 'plan_created', plan: { id: planId, description }, root: { description } };
}

export function expansionOf(goalId: string, ids: readonly string[]): EventPayload {
  return {
    type: 'goal_expanded',
    goal: goalId,
    atomic: ids.length === 0,
    reasoning: null,
    sub_goals: ids.map((id) => ({
      id,
      description: `Do ${id}`,
      atomic: true,
      reasoning: null,
      dependencies: [],
    })),
  };
}

async function archive(store: PlanStore, planId: string): Promise<void> {
  await (await store.open(planId)).append([{ type: 'plan_archived' }]);
}

/** What every store promises; each runs this suite. */
export function describeStoreContract(name: string, newStore: () => Promise<PlanStore>): void {
  describe(`the contract of a store, kept by ${name}`, () => {
    test('a plan is there from the moment it is made', async () => {
      const store = await newStore();
      const log = await store.create(creationOf('0398a958'));
      expect(summarize(log.plan)).toMatchObject({ id: '0398a958', status: 'in_progress' });
      expect((await store.open('0398a958')).plan.header).toEqual(log.plan.header);
      expect(await store.ids()).toEqual(['0398a958']);
    });

    test('a plan is made with all that follows it, or not at all', async () => {
      const store = await newStore();
      const log = await store.create(creationOf('0398a958'), [expansionOf('0398a958-root', ['0398a958-a'])]);
      expect(log.plan.counts.total).toBe(2);
      await expect(
        store.create(creationOf('ffffffff'), [expansionOf('ffffffff-nobody', [])]),
      ).rejects.toMatchObject({ code: 'INVALID_PLAN' });
      expect(await store.ids()).toEqual(['0398a958']);
    });

    test('the last events are found, and those before them', async () => {
      const store = await newStore();
      const log = await store.create(creationOf('0398a958'), [expansionOf('0398a958-root', ['0398a958-a'])]);
      for (let number = 1; number <= 7; number += 1)
        await log.append([
          { type: 'goal_edited', goal: '0398a958-a', fields: { description: `Do it ${number}` } },
        ]);
      const last = await store.recentEvents('0398a958', { count: 3 });
      expect(last.events.map(({ id }) => id)).toEqual((await log.events()).slice(-3).map(({ id }) => id));
      const all: string[] = [];
      let before: number | null = last.before;
      while (before !== null) {
        const page = await store.recentEvents('0398a958', { count: 2, before });
        all.unshift(...page.events.map(({ id }) => id));
        ({ before } = page);
      }
      // What makes a plan may be written twice.
      expect([...new Set(all)]).toEqual((await log.events()).slice(0, -3).map(({ id }) => id));
      await expect(store.recentEvents('ffffffff', { count: 1 })).rejects.toMatchObject({
        code: 'PLAN_NOT_FOUND',
      });
    });

    test('whoever subscribes is told of changes, until he no longer wants to know', async () => {
      const store = await newStore();
      const log = await store.create(creationOf('0398a958'));
      let told = 0;
      let wake = () => {};
      const stop = store.subscribe(() => {
        told += 1;
        wake();
      });
      const next = () => new Promise<void>((resolve) => (wake = resolve));
      for (let number = 0; number < 3; number += 1) {
        const heard = next();
        await log.append([expansionOf('0398a958-root', [])]);
        await heard;
      }
      stop();
      const before = told;
      await log.append([{ type: 'plan_archived' }]);
      expect(told).toBe(before);
    });

    test('what is looked at is what would be opened', async () => {
      const store = await newStore();
      expect(await store.view('0398a958')).toBeNull();
      const log = await store.create(creationOf('0398a958'), [
        expansionOf('0398a958-root', ['0398a958-a', '0398a958-b']),
      ]);
      for (const goal of ['0398a958-a', '0398a958-b']) {
        await log.append([{ type: 'goal_completed', goal }]);
        await log.publish('now');
        const seen = await store.view('0398a958');
        const { plan } = await store.open('0398a958');
        expect(seen === null ? null : toPlanFile(seen)).toEqual(toPlanFile(plan));
        expect(seen?.counts).toEqual(plan.counts);
      }
    });

    test('the events that name a goal are found by their type, refused ones too', async () => {
      const store = await newStore();
      const [a, b] = ['0398a958-a', '0398a958-b'];
      const log = await store.create(creationOf('0398a958'), [expansionOf('0398a958-root', [a, b])]);
      const summary = `not goal_completed, whatever ${b} says`;
      const [first, , third] = await log.append([
        { type: 'goal_completed', goal: a, result: { summary } },
        { type: 'goal_edited', goal: b, fields: { description: 'goal_completed' } },
        { type: 'goal_completed', goal: a },
        { type: 'goal_completed', goal: b },
      ]);
      expect(third?.refused).not.toBeNull();
      expect(await store.eventsOf('0398a958', 'goal_completed', a)).toEqual([first?.event, third?.event]);
      expect(await store.eventsOf('0398a958', 'goal_claimed', a)).toEqual([]);
      await expect(store.eventsOf('ffffffff', 'goal_claimed', a)).rejects.toMatchObject({
        code: 'PLAN_NOT_FOUND',
      });
    });

    test('an id is used once', async () => {
      const store = await newStore();
      await store.create(creationOf('0398a958'));
      await expect(store.create(creationOf('0398a958'))).rejects.toMatchObject({ code: 'PLAN_EXISTS' });
      await archive(store, '0398a958');
      await expect(store.create(creationOf('0398a958'))).rejects.toMatchObject({ code: 'PLAN_EXISTS' });
    });

    test('a plan that is not there is not found', async () => {
      const store = await newStore();
      await expect(store.open('0398a958')).rejects.toMatchObject({
        code: 'PLAN_NOT_FOUND',
      } satisfies Partial<PlanError>);
      await expect(store.purge('0398a958')).rejects.toMatchObject({ code: 'PLAN_NOT_FOUND' });
    });

    test('every event of an append gets its verdict, in order', async () => {
      const store = await newStore();
      const log = await store.create(creationOf('0398a958'));
      const outcomes = await log.append([
        expansionOf('0398a958-root', ['0398a958-a', '0398a958-b']),
        { type: 'goal_completed', goal: '0398a958-a' },
        { type: 'goal_completed', goal: '0398a958-a' },
        { type: 'goal_completed', goal: '0398a958-b' },
      ]);
      expect(outcomes.map(({ refused }) => refused === null)).toEqual([true, true, false, true]);
      expect(log.plan.counts.complete).toBe(2);
      expect((await log.events()).map(({ type }) => type)).toEqual([
        'plan_created',
        'goal_expanded',
        'goal_completed',
        'goal_completed',
        'goal_completed',
      ]);
    });

    test('what no reader would take is refused before it is written, and holds up nothing else', async () => {
      const store = await newStore();
      const log = await store.create(creationOf('0398a958'), [expansionOf('0398a958-root', ['0398a958-a'])]);
      const before = await log.events();
      const [bad, good] = await Promise.allSettled([
        log.append([
          { type: 'plan_paused', because: 'user' },
          {
            type: 'goal_claimed',
            goal: '0398a958-a',
            token: 't',
            expires_at: '+010000-01-01T00:00:00.000Z',
          },
        ]),
        log.append([{ type: 'goal_completed', goal: '0398a958-a' }]),
      ]);
      expect(bad).toMatchObject({
        status: 'rejected',
        reason: { code: 'INVALID_INPUT', message: expect.stringContaining('expires_at') as string },
      });
      expect(good).toMatchObject({ status: 'fulfilled', value: [{ refused: null }] });
      const after = await (await store.open('0398a958')).events();
      expect(after.map(({ type }) => type)).toEqual([...before.map(({ type }) => type), 'goal_completed']);
    });

    test.each([499, 497])('a goal that is nested on %i levels is refused as well', async (levels) => {
      const store = await newStore();
      const log = await store.create(creationOf('0398a958'));
      const deep: unknown = JSON.parse(`${'['.repeat(levels)}${']'.repeat(levels)}`);
      const added = { ...expansionOf('0398a958-root', ['0398a958-a']), deep };
      await expect(log.append([added])).rejects.toMatchObject({ code: 'INVALID_INPUT' });
      expect(await log.events()).toHaveLength(1);
    });

    test('appends that are made at once are all kept', async () => {
      const store = await newStore();
      const ids = Array.from({ length: 50 }, (_, index) => `0398a958-g${index}`);
      const log = await store.create(creationOf('0398a958'), [expansionOf('0398a958-root', ids)]);
      const outcomes = await Promise.all(ids.map((goal) => log.append([{ type: 'goal_completed', goal }])));
      expect(outcomes.flat().every(({ refused }) => refused === null)).toBe(true);
      expect((await store.open('0398a958')).plan.counts.complete).toBe(50);
    });

    test('two that have a plan open see each other’s changes, and one of two contenders wins', async () => {
      const store = await newStore();
      await store.create(creationOf('0398a958'), [expansionOf('0398a958-root', ['0398a958-a'])]);
      const [left, right] = [await store.open('0398a958'), await store.open('0398a958')];
      const verdicts = (
        await Promise.all(
          [left, right].map((log) => log.append([{ type: 'goal_completed', goal: '0398a958-a' }])),
        )
      ).flat();
      expect(verdicts.filter(({ refused }) => refused === null)).toHaveLength(1);
      expect((await left.refresh()).header).toEqual((await right.refresh()).header);
    });

    test('an append answers with the state just before and just after each event', async () => {
      const store = await newStore();
      await store.create(creationOf('0398a958'), [expansionOf('0398a958-root', ['0398a958-a'])]);
      const [left, right] = [await store.open('0398a958'), await store.open('0398a958')];
      const statusIn = (plan: Plan) => plan.goals.get('0398a958-a')?.status ?? null;
      const [failed, removed] = await Promise.all([
        left.append([{ type: 'goal_failed', goal: '0398a958-a', phase: 'work', reason: 'no' }]),
        right.append([
          { type: 'goal_removed', goal: '0398a958-a' },
          { type: 'goal_completed', goal: '0398a958-a' },
        ]),
      ]);
      const states = [...failed, ...removed].map(({ event, refused, before, after }) => [
        event.type,
        refused === null,
        statusIn(before),
        statusIn(after),
      ]);
      // Either may be first.
      const failedFirst = failed[0]?.refused === null;
      expect(states).toEqual([
        failedFirst ? ['goal_failed', true, 'atomic', 'failed'] : ['goal_failed', false, null, null],
        ['goal_removed', true, failedFirst ? 'failed' : 'atomic', null],
        ['goal_completed', false, null, null],
      ]);
      expect(statusIn(await left.refresh())).toBeNull();
    });

    test('an archived plan is listed apart, can be read and changed, and comes back', async () => {
      const store = await newStore();
      await store.create(creationOf('0398a958'), [expansionOf('0398a958-root', ['0398a958-a'])]);
      await store.create(creationOf('11111111'));
      const [archived, again] = await (
        await store.open('0398a958')
      ).append([{ type: 'plan_archived' }, { type: 'plan_archived' }]);
      expect([archived?.refused, again?.refused]).toEqual([null, { code: 'archived' }]);
      expect((await store.list()).plans.map(({ id }) => id)).toEqual(['11111111']);
      expect((await store.list('archived')).plans.map(({ id }) => id)).toEqual(['0398a958']);
      expect([...(await store.ids())].toSorted()).toEqual(['0398a958', '11111111']);
      const log = await store.open('0398a958');
      expect(log.archived).toBe(true);
      const outcomes = await log.append([
        { type: 'goal_completed', goal: '0398a958-a' },
        { type: 'plan_unarchived' },
        { type: 'plan_unarchived' },
      ]);
      expect(outcomes.map(({ refused }) => refused)).toEqual([null, null, { code: 'not_archived' }]);
      expect((await store.open('0398a958')).archived).toBe(false);
      expect((await store.list()).plans).toHaveLength(2);
    });

    test('a purged plan is gone', async () => {
      const store = await newStore();
      await store.create(creationOf('0398a958'));
      const log = await store.open('0398a958');
      await store.purge('0398a958');
      await expect(store.open('0398a958')).rejects.toMatchObject({ code: 'PLAN_NOT_FOUND' });
      expect((await store.list()).plans).toEqual([]);
      await expect(log.append([{ type: 'plan_archived' }])).rejects.toMatchObject({ code: 'PLAN_NOT_FOUND' });
      await expect(log.refresh()).rejects.toMatchObject({ code: 'PLAN_NOT_FOUND' });
      await log.publish('now');
      expect(await store.ids()).toEqual([]);
      await store.create(creationOf('0398a958', 'Another'));
      expect((await store.open('0398a958')).plan.header.description).toBe('Another');
    });
  });
}
