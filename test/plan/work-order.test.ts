import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { criticalPath, findDependencyCycle, waves } from '../../src/plan/readiness/dependencies.js';
import { goalStates } from '../../src/plan/readiness/goal-state.js';
import { freedGoals } from '../../src/plan/readiness/freed-goals.js';
import { openWork } from '../../src/plan/readiness/open-work.js';
import { goalOf, putGoal } from '../../src/plan/plan.js';
import type { Plan } from '../../src/plan/plan.js';
import { rankGoals, readyGoalIndexes } from '../../src/plan/readiness/ready-goals.js';
import type { Goal } from '../../src/plan/schema.js';
import { ancestors, subtree } from '../../src/plan/tree.js';
import { workOrder } from '../../src/plan/readiness/work-order.js';
import { goal, PLAN_ID, planOf } from '../support/plans.js';
import { entangledPlans, isCircular, soundPlans } from '../support/random-plans.js';
import { scale } from '../faults/support/scale.js';

const AT = '2026-03-01T10:00:00Z';

const isToDo = ({ child_ids, status }: Goal) => child_ids.length === 0 && status !== 'complete';
const idsOf = (goals: readonly { readonly goal: Goal }[]) => goals.map((each) => each.goal.id);

/** The unfinished leaves that a leaf waits for at once, word by word as a dependency is defined. */
function waitsFor(plan: Plan, leaf: Goal): readonly Goal[] {
  return [leaf, ...ancestors(plan, leaf)]
    .flatMap(({ dependencies }) => dependencies)
    .flatMap((id) => plan.goals.get(id) ?? [])
    .filter(({ status }) => status !== 'complete')
    .flatMap((needed) => subtree(plan, needed).filter(isToDo));
}

/** For each unfinished leaf all that must be done before it, however far back. */
function allBefore(plan: Plan): ReadonlyMap<string, ReadonlySet<string>> {
  const found = new Map<string, ReadonlySet<string>>();
  const find = (leaf: Goal): ReadonlySet<string> => {
    const known = found.get(leaf.id);
    if (known !== undefined) return known;
    const near = waitsFor(plan, leaf);
    const all = new Set(near.flatMap((before) => [before.id, ...find(before)]));
    found.set(leaf.id, all);
    return all;
  };
  for (const leaf of plan.goals.values()) if (isToDo(leaf)) find(leaf);
  return found;
}

/** The most leaves of a chain that ends, or begins, with a leaf. */
function longest(leaf: string, near: (leaf: string) => readonly string[]): number {
  return 1 + Math.max(0, ...near(leaf).map((next) => longest(next, near)));
}

describe('of any sound plan', () => {
  test('what some goals freed are the goals that depend on one of them, or hang below one that does, and wait for nothing', () => {
    let freed = 0;
    fc.assert(
      fc.property(soundPlans, fc.array(fc.nat(), { maxLength: 3 }), (drawn, chosen) => {
        const drawnGoals = [...drawn.goals.values()];
        const needed = drawnGoals.filter(({ id }) =>
          drawnGoals.some(({ dependencies }) => dependencies.includes(id)),
        );
        const done = new Set(chosen.flatMap((index) => needed[index % needed.length]?.id ?? []));
        const plan = [...done].reduce(
          (before, id) => putGoal(before, { ...goalOf(before, id), status: 'complete' }),
          drawn,
        );
        const expected = openWork(plan, AT).ready.filter((each) =>
          [each, ...ancestors(plan, each)].some(({ dependencies }) =>
            dependencies.some((id) => done.has(id)),
          ),
        );
        freed += expected.length;
        expect(freedGoals(plan, done, AT).map(({ id }) => id)).toEqual(expected.map(({ id }) => id));
      }),
      { numRuns: scale(500, 80) },
    );
    expect(freed).toBeGreaterThan(10);
  });

  test('a wave holds the leaves whose longest chain of leaves before them is that long', () => {
    fc.assert(
      fc.property(soundPlans, (plan) => {
        const before = allBefore(plan);
        const expected: string[][] = [];
        for (const { goal: leaf } of workOrder(plan).goals) {
          if (!isToDo(leaf)) continue;
          const length = longest(leaf.id, (id) => [...(before.get(id) ?? [])]);
          (expected[length - 1] ??= []).push(leaf.id);
        }
        expect(waves(plan).map(idsOf)).toEqual(expected);
      }),
    );
  });

  test('each atomic goal is ready or waiting as the list of what can start says, in whatever order they are asked about', () => {
    fc.assert(
      fc.property(soundPlans, fc.infiniteStream(fc.nat()), (plan, order) => {
        const stateOf = goalStates(plan, AT);
        const leaves = [...plan.goals.values()].filter(({ status }) => status === 'atomic');
        const shuffled = leaves
          .map((each) => [order.next().value ?? 0, each] as const)
          .toSorted(([a], [b]) => a - b)
          .map(([, each]) => each);
        const ready = shuffled.filter((each) => stateOf(each) === 'ready');
        expect(new Set(ready)).toEqual(new Set(openWork(plan, AT).ready));
        expect(shuffled.filter((each) => stateOf(each) === 'waiting')).toHaveLength(
          leaves.length - ready.length,
        );
      }),
    );
  });

  test('the atomic goals of the first wave are those that can start', () => {
    fc.assert(
      fc.property(soundPlans, (plan) => {
        const first = (waves(plan)[0] ?? []).filter((each) => each.goal.status === 'atomic');
        expect(openWork(plan, AT).ready.map(({ id }) => id)).toEqual(idsOf(first));
        const work = workOrder(plan);
        expect(readyGoalIndexes(plan, work, AT).map((goalIndex) => work.goals[goalIndex]?.goal.id)).toEqual(
          idsOf(first),
        );
      }),
    );
  });

  test('the critical path is as long as there are waves, and each of its goals waits for the one before', () => {
    fc.assert(
      fc.property(soundPlans, (plan) => {
        const before = allBefore(plan);
        const path = criticalPath(plan);
        expect(path).toHaveLength(waves(plan).length);
        for (const [index, id] of path.slice(1).entries())
          expect(before.get(id)?.has(path[index] ?? '')).toBe(true);
      }),
    );
  });

  test('goals are ranked by the chain that starts with them, then by how many wait for them', () => {
    fc.assert(
      fc.property(soundPlans, fc.integer({ min: 1, max: 6 }), (plan, limit) => {
        const before = allBefore(plan);
        const behind = (id: string) => [...before].filter(([, all]) => all.has(id)).map(([leaf]) => leaf);
        const ready = openWork(plan, AT).ready.map(({ id }) => id);
        const expected = ready
          .map((id) => ({ id, chain: longest(id, behind), unblocks: behind(id).length }))
          .toSorted((a, b) => b.chain - a.chain || b.unblocks - a.unblocks);
        const work = workOrder(plan);
        const ranked = rankGoals(work, readyGoalIndexes(plan, work, AT), limit);
        expect(ranked.map(({ goal, chain, unblocks }) => ({ id: goal.id, chain, unblocks }))).toEqual(
          expected.slice(0, limit),
        );
      }),
    );
  });
});

test('a circle is found exactly where there is one, also among goals that are complete', () => {
  fc.assert(
    fc.property(entangledPlans, (plan) => {
      const cycle = findDependencyCycle(plan);
      expect(cycle !== null).toBe(isCircular([...plan.goals.values()]));
      expect(cycle?.at(0)).toBe(cycle?.at(-1));
    }),
  );
});

test('more goals than are looked at together are counted right', () => {
  const ids = Array.from({ length: 70 }, (_, index) => `${PLAN_ID}-a${index}`);
  const plan = planOf([
    goal('root', { status: 'decomposing', child_ids: [...ids, `${PLAN_ID}-z`] }),
    ...ids.map((id, index) =>
      goal(`a${index}`, { id, parent_id: `${PLAN_ID}-root`, depth: 1, status: 'atomic' }),
    ),
    goal('z', {
      parent_id: `${PLAN_ID}-root`,
      depth: 1,
      status: 'atomic',
      dependencies: ids.filter((_, index) => index % 3 === 0),
    }),
  ]);
  const work = workOrder(plan);
  const ranked = rankGoals(work, readyGoalIndexes(plan, work, AT), 1000);
  expect(ranked.map(({ goal, unblocks }) => [goal.id, unblocks])).toEqual([
    ...ids.filter((_, index) => index % 3 === 0).map((id) => [id, 1]),
    ...ids.filter((_, index) => index % 3 !== 0).map((id) => [id, 0]),
  ]);
});

test('a chain of a hundred thousand goals, one below the other, is walked', () => {
  const depth = 100_000;
  const plan = planOf(
    Array.from({ length: depth }, (_, index) =>
      goal(index === 0 ? 'root' : `d${index}`, {
        parent_id: index === 0 ? null : `${PLAN_ID}-${index === 1 ? 'root' : `d${index - 1}`}`,
        child_ids: index === depth - 1 ? [] : [`${PLAN_ID}-d${index + 1}`],
        depth: index,
        status: index === depth - 1 ? 'atomic' : 'decomposing',
      }),
    ),
  );
  expect(criticalPath(plan)).toEqual([`${PLAN_ID}-d${depth - 1}`]);
});
