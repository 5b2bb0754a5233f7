import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import {
  criticalPath,
  findCycle,
  findDependencyCycle,
  waves,
} from '../../src/plan/readiness/dependencies.js';
import { openWork } from '../../src/plan/readiness/open-work.js';
import { goal, PLAN_ID, planOf } from '../support/plans.js';

const id = (suffix: string) => `${PLAN_ID}-${suffix}`;
const leaf = (
  suffix: string,
  parent: string,
  after: readonly string[] = [],
  status: 'atomic' | 'complete' = 'atomic',
) => goal(suffix, { parent_id: id(parent), depth: 2, status, dependencies: after.map(id) });
const composite = (
  suffix: string,
  parent: string | null,
  children: readonly string[],
  after: readonly string[] = [],
) =>
  goal(suffix, {
    parent_id: parent === null ? null : id(parent),
    depth: parent === null ? 0 : 1,
    status: 'decomposing',
    child_ids: children.map(id),
    dependencies: after.map(id),
  });

/** Design (d1, d2) comes before building (b1, b2 after b1); publishing waits for nothing. */
const plan = planOf([
  composite('root', null, ['design', 'build', 'publish']),
  composite('design', 'root', ['d1', 'd2']),
  leaf('d1', 'design', [], 'complete'),
  leaf('d2', 'design'),
  composite('build', 'root', ['b1', 'b2'], ['design']),
  leaf('b1', 'build'),
  leaf('b2', 'build', ['b1']),
  composite('publish', 'root', ['p1']),
  leaf('p1', 'publish'),
]);

describe('what can start', () => {
  test('a goal waits for its own dependencies and its ancestors’, and a composite for all its leaves', () => {
    const { ready, blocked } = openWork(plan, '2026-03-01T10:00:00Z');
    expect(ready.map((goal) => goal.id)).toEqual([id('d2'), id('p1')]);
    expect(blocked.map(({ goal, waitingFor }) => [goal.id, waitingFor])).toEqual([
      [id('b1'), [id('design')]],
      [id('b2'), [id('b1'), id('design')]],
    ]);
  });

  test('waves are what can be done in parallel, one after the other', () => {
    expect(waves(plan).map((wave) => wave.map(({ goal }) => goal.id))).toEqual([
      [id('d2'), id('p1')],
      [id('b1')],
      [id('b2')],
    ]);
  });

  test('the critical path is the longest chain that is left', () => {
    expect(criticalPath(plan)).toEqual([id('d2'), id('b1'), id('b2')]);
  });
});

describe('cycles', () => {
  test('a cycle through a composite and an inherited dependency is found with its path', () => {
    const circular = planOf([
      composite('root', null, ['a', 'b']),
      composite('a', 'root', ['a1'], ['b']),
      leaf('a1', 'a'),
      composite('b', 'root', ['b1']),
      leaf('b1', 'b', ['a1']),
    ]);
    const cycle = findDependencyCycle(circular);
    expect(cycle?.at(0)).toBe(cycle?.at(-1));
    expect(new Set(cycle)).toEqual(new Set([id('a'), id('a1'), id('b'), id('b1')]));
  });

  test('a plan without one has none', () => {
    expect(findDependencyCycle(plan)).toBeNull();
  });

  test('a found path is a cycle of the graph, and a graph whose edges all go one way has none', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(12), fc.nat(12)), { maxLength: 30 }), (edges) => {
        const nodes = Array.from({ length: 13 }, (_, index) => String(index));
        const next = (list: readonly (readonly [number, number])[]) => (node: string) =>
          list.filter(([from]) => String(from) === node).map(([, to]) => String(to));
        const cycle = findCycle(nodes, next(edges));
        for (const [index, node] of (cycle ?? []).slice(1).entries()) {
          expect(next(edges)(cycle?.[index] ?? '')).toContain(node);
        }
        expect(findCycle(nodes, next(edges.filter(([from, to]) => from < to)))).toBeNull();
      }),
    );
  });

  test('a chain of a hundred thousand is walked', () => {
    const nodes = Array.from({ length: 100_000 }, (_, index) => String(index));
    expect(findCycle(nodes, (node) => (Number(node) < 99_999 ? [String(Number(node) + 1)] : []))).toBeNull();
  });
});
