import { describe, expect, test } from 'vitest';

import { rankPairs } from '../../src/planning/dependency-pairs.js';
import { goal, PLAN_ID, planOf } from '../support/plans.js';
import type { Goal } from '../../src/plan/schema.js';

const id = (suffix: string) => `${PLAN_ID}-${suffix}`;

function parent(suffix: string, children: readonly string[], fields: Partial<Goal> = {}): Goal {
  return goal(suffix, {
    status: 'decomposing',
    child_ids: children.map(id),
    depth: 1,
    parent_id: id('root'),
    ...fields,
  });
}

function leaf(suffix: string, above: string, fields: Partial<Goal> = {}): Goal {
  return goal(suffix, { status: 'atomic', parent_id: id(above), depth: 2, ...fields });
}

const root = parent('root', ['x', 'y'], { parent_id: null, depth: 0 });

function names(plan: Parameters<typeof rankPairs>[0]): readonly string[] {
  return rankPairs(plan).pairs.map(({ first, second }) =>
    [first, second].map((one) => one.id.slice(PLAN_ID.length + 1)).join(' '),
  );
}

describe('pairs', () => {
  test('are of different branches, leaves with leaves and composites of one level, likeliest first', () => {
    const plan = planOf([
      root,
      parent('x', ['a', 'b']),
      parent('y', ['c', 'd']),
      leaf('a', 'x', { description: 'Define the schema of the ledger' }),
      leaf('b', 'x', { description: 'Set up the pipeline' }),
      leaf('c', 'y', { description: 'Import rows into the ledger by its schema' }),
      leaf('d', 'y', { description: 'Draw a logo' }),
    ]);
    expect(names(plan)[0]).toBe('a c');
    expect(names(plan).toSorted()).toEqual(['a c', 'a d', 'b c', 'b d']);
    expect(rankPairs(plan).comparable).toBe(4);
  });

  test('whose order is settled, or of which one is finished, are left out', () => {
    const plan = planOf([
      root,
      parent('x', ['a', 'b']),
      parent('y', ['c', 'd'], { dependencies: [id('a')] }),
      leaf('a', 'x'),
      leaf('b', 'x'),
      leaf('c', 'y'),
      leaf('d', 'y', { status: 'complete' }),
    ]);
    expect(names(plan).toSorted()).toEqual(['b c']);
  });

  test('of many goals are only those that share a word that is not in all of them', () => {
    const suffixes = Array.from({ length: 100 }, (_, index) => `l${index}`);
    const plan = planOf([
      root,
      parent('x', suffixes.slice(0, 50)),
      parent('y', suffixes.slice(50)),
      ...suffixes.map((suffix, index) =>
        leaf(suffix, index < 50 ? 'x' : 'y', { description: `Build service ${index % 50} of kind${index}` }),
      ),
    ]);
    expect(
      rankPairs(plan)
        .pairs.slice(0, 50)
        .every(({ first, second }) => first.description.split(' ')[2] === second.description.split(' ')[2]),
    ).toBe(true);
    expect(rankPairs(plan).pairs).toHaveLength(50);
    expect(rankPairs(plan).comparable).toBe(2500);
  });
});
