import { join } from 'node:path';

import { expect, test } from 'vitest';

import { changeTree } from '../../src/operations/editing/change-tree.js';
import { completeGoal } from '../../src/operations/work/complete-goal.js';
import { reopenGoal } from '../../src/operations/work/fail-goal.js';
import { parseInput } from '../../src/operations/parse-input.js';
import { FEATURES } from '../../src/features.js';
import { createContext } from '../../src/operations/shared/context.js';
import { defaultEnvironment } from '../../src/operations/shared/default-environment.js';
import type { PlanError } from '../../src/kernel/errors.js';
import type { EventPayload } from '../../src/plan/events.js';
import type { Plan } from '../../src/plan/plan.js';
import { createFileStore } from '../../src/storage/file/file-store.js';
import { claim, complete, expand, id, newWorkplace, PLAN } from '../support/worked-plan.js';

const ME = 'ana@laptop';

const reopened = (goal: string): EventPayload => ({ type: 'goal_reopened', goal: id(goal) });

/** A process of ana, and another of hers that changes the plan, each time as soon as the first has read what is awaited. */
async function twoProcesses(
  ...others: { readonly change: readonly EventPayload[]; readonly isTime: (plan: Plan) => boolean }[]
) {
  const place = await newWorkplace();
  await place.change(expand('root', ['a', 'b', 'c']));
  const environment = {
    ...defaultEnvironment(),
    workingFolder: place.folder,
    homeFolder: place.home,
    variables: { FRCTL_BY: ME },
  };
  const changeIfTime = async (plan: Plan) => {
    if (others[0]?.isTime(plan) !== true) return;
    await (await place.open()).append(others.shift()?.change ?? [], ME);
  };
  const context = createContext({
    features: FEATURES,
    environment,
    store: (stamp) => {
      const folder = join(place.folder, '.plans');
      const store = createFileStore({ folder, stamp, makeReplicaId: () => 'r1', now: Date.now });
      const open: typeof store.open = async (...named) => {
        const log = await store.open(...named);
        await changeIfTime(log.plan);
        return log;
      };
      return { ...store, open };
    },
  });
  const goals = async () => {
    const { plan } = await place.open();
    return [...plan.goals.values()].map(({ description, status }) => `${description}: ${status}`);
  };
  return { place, context: { ...context, emit: () => undefined }, goals };
}

test('several changes of which one is refused take back themselves, and not what their user did elsewhere meanwhile', async () => {
  // The changes are tried on what is read first, and written to what is opened then.
  let opened = 0;
  const { context, goals } = await twoProcesses({
    change: [complete('b')],
    isTime: () => (opened += 1) === 2,
  });
  const changes = [
    { op: 'add', operation: 'add', input: { description: 'New', under: id('root') } },
    { op: 'edit', operation: 'edit', input: { goal: id('b'), description: 'Other words' } },
  ] as const;
  await expect(changeTree(context, changes, { plan: PLAN })).rejects.toMatchObject({ name: 'PlanError' });
  expect(await goals()).toEqual([
    'Ship the product: decomposing',
    'Goal a: atomic',
    'Goal b: complete',
    'Goal c: atomic',
  ]);
});

test('several changes are written at once, so that whoever is killed has made all or none', async () => {
  const { place, context } = await twoProcesses();
  const written: number[] = [];
  const store = () => {
    const real = context.store();
    const open: typeof real.open = async (...named) => {
      const log = await real.open(...named);
      const append: typeof log.append = (payloads, ...rest) => {
        written.push(payloads.length);
        return log.append(payloads, ...rest);
      };
      return new Proxy(log, {
        get: (target, name) => (name === 'append' ? append : Reflect.get(target, name, target)),
      });
    };
    return { ...real, open };
  };
  const add = (description: string) =>
    ({ op: 'add', operation: 'add', input: { description, under: id('root') } }) as const;
  const watched = { ...context, store, storeToWrite: async () => store(), newChange: () => watched };
  const { ids } = await changeTree(watched, [add('New'), add('Newer'), add('Newest')], { plan: PLAN });
  expect(written).toEqual([3]);
  expect([...(await place.open()).plan.goals.keys()]).toEqual(expect.arrayContaining([...ids]));
  const many = Array.from({ length: 501 }, (_, index) => add(`New ${index}`));
  await expect(changeTree(watched, many, { plan: PLAN })).rejects.toMatchObject({ code: 'USAGE' });
});

test('of several goals that are completed, all or none, those that were not keep their claims', async () => {
  const { place, context } = await twoProcesses({
    change: [complete('b')],
    isTime: (plan) => plan.goals.get(id('a'))?.claim !== undefined,
  });
  const log = await place.open();
  await log.append([claim('a', 'token-a')], ME);
  const input = parseInput(completeGoal.input, { goal: id('a'), others: [id('b')], plan: PLAN });
  await expect(completeGoal.run(context, input)).rejects.toMatchObject({ code: 'WRONG_STATE' });
  const { plan } = await place.open();
  expect(plan.goals.get(id('a'))).toMatchObject({ status: 'atomic', claim: { by: ME, token: 'token-a' } });
  expect(plan.goals.get(id('b'))).toMatchObject({ status: 'complete' });
});

test.each([
  { meanwhile: [], a: 'complete', stands: undefined, message: /^(?!.*taken back)/ },
  {
    meanwhile: [complete('a'), reopened('a')],
    a: 'atomic',
    stands: expect.any(String),
    message: /taken back: ./,
  },
])(
  'of several goals that are reopened, all or none, it is said why some were not put back where another process was faster: $a',
  async ({ meanwhile, a, stands, message }) => {
    const { place, context } = await twoProcesses(
      { change: [reopened('b')], isTime: (plan) => plan.goals.get(id('b'))?.status === 'complete' },
      { change: meanwhile, isTime: (plan) => plan.goals.get(id('a'))?.status === 'atomic' },
    );
    await place.change(complete('a'), complete('b'));
    const input = parseInput(reopenGoal.input, { goal: id('a'), others: [id('b')], plan: PLAN });
    const refused: unknown = await reopenGoal.run(context, input).catch((thrown: unknown) => thrown);
    expect(refused).toMatchObject({ code: 'WRONG_STATE', message: expect.stringMatching(message) });
    expect((refused as PlanError).details.stands).toEqual(stands);
    const { plan } = await place.open();
    expect(plan.goals.get(id('a'))?.status).toBe(a);
  },
);
