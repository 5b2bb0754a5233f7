import { describe, expect, test } from 'vitest';

import * as fc from 'fast-check';

import { checkDependencies } from '../../src/plan/dependencies/check-dependencies.js';
import { goalOf } from '../../src/plan/plan.js';
import type { Plan } from '../../src/plan/plan.js';
import {
  accepted,
  after,
  child,
  complete,
  depend,
  expanded,
  id,
  ids,
  planWith,
} from '../support/applying.js';
import { begin, deeds, write } from '../support/random-deeds.js';
import { scale } from '../faults/support/scale.js';

/** What is found, by the ends of ids. */
function found(plan: Plan): readonly string[] {
  return checkDependencies(plan).map(({ code, goal, depends_on, path }) =>
    [code, goal, depends_on ?? '-', ...path].map((one) => one.replace('0398a958-', '')).join(' '),
  );
}

describe('a dependency is redundant', () => {
  test('that others imply, with the way that implies it', () => {
    const plan = planWith(
      'a',
      child('b', { dependencies: ids('a') }),
      child('c', { dependencies: ids('a', 'b') }),
    );
    expect(found(plan)).toEqual(['REDUNDANT c a c b a']);
  });

  test('on a part of what is needed as a whole, and when a goal above needs the same', () => {
    let plan = planWith(child('a', { atomic: false }), child('b', { atomic: false, dependencies: ids('a') }));
    plan = expanded(expanded(plan, 'a', [child('c')]), 'b', [child('d')]);
    plan = after(plan, depend('d', 'a'), depend('b', 'c'));
    expect(found(plan)).toEqual(['REDUNDANT b c b a c', 'REDUNDANT d a d b a']);
  });

  test('not when only a part of what it is on comes first anyway', () => {
    let plan = planWith(child('a', { atomic: false }), 'b', 'e');
    plan = expanded(plan, 'a', [child('c'), child('d')]);
    expect(found(after(plan, depend('b', 'c'), depend('e', 'b', 'a')))).toEqual([]);
  });

  test('in every random plan exactly when the order stays without it, and all of them at once may go', () => {
    fc.assert(
      fc.property(deeds(14), (todo) => {
        const { plan } = write(begin(), todo, 'one').history;
        if (plan === null) return;
        const redundant = checkDependencies(plan).filter(({ code }) => code === 'REDUNDANT');
        for (const goal of plan.goals.values()) {
          for (const dependency of goal.dependencies) {
            const told = redundant.some((one) => one.goal === goal.id && one.depends_on === dependency);
            expect(told).toBe(comesFirst(withoutEach(plan, [[goal.id, dependency]]), goal.id, dependency));
          }
        }
        const less = withoutEach(
          plan,
          redundant.map(({ goal, depends_on }) => [goal, depends_on ?? '']),
        );
        for (const { goal, depends_on } of redundant)
          expect(comesFirst(less, goal, depends_on ?? '')).toBe(true);
      }),
      { numRuns: scale(300, 60) },
    );
  });
});

describe('a dependency is suspicious', () => {
  test('on a goal that failed, as long as the other is not done', () => {
    let plan = planWith('a', child('b', { dependencies: ids('a') }));
    plan = accepted(plan, { type: 'goal_failed', goal: id('a'), reason: 'x', phase: 'work' });
    expect(found(plan)).toEqual(['ON_FAILED b a']);
    expect(found(after(plan, complete('b')))).toEqual([]);
  });

  test('on most parts of a goal one by one', () => {
    let plan = planWith(child('a', { atomic: false }), 'z');
    plan = expanded(plan, 'a', [child('b'), child('c'), child('d'), child('e')]);
    expect(found(after(plan, depend('z', 'b', 'c')))).toEqual([]);
    expect(found(after(plan, depend('z', 'b', 'c', 'd')))).toEqual(['ONE_BY_ONE z a b c d']);
  });

  test('on a goal that stands later', () => {
    expect(found(after(planWith('a', 'b'), depend('a', 'b')))).toEqual(['ON_LATER a b']);
  });

  test('when five or more parts can be done in one order only', () => {
    const chain = (...suffixes: readonly string[]) =>
      planWith(
        ...suffixes.map((suffix, index) =>
          child(suffix, { dependencies: index === 0 ? [] : ids(suffixes[index - 1] ?? '') }),
        ),
      );
    expect(found(chain('a', 'b', 'c', 'd'))).toEqual([]);
    expect(found(chain('a', 'b', 'c', 'd', 'e'))).toEqual(['SEQUENTIAL root - a b c d e']);
  });
});

function withoutEach(plan: Plan, pairs: readonly (readonly [string, string])[]): Plan {
  let goals = plan.goals;
  for (const [goal, dependency] of pairs) {
    const was = goals.get(goal);
    if (was === undefined) continue;
    const dependencies = was.dependencies.filter((one) => one !== dependency);
    goals = goals.set(goal, { ...was, dependencies });
  }
  return { ...plan, goals };
}

/** Whether a goal cannot begin before all of another, whatever parts it gets, is done. */
function comesFirst(plan: Plan, goal: string, other: string): boolean {
  const seen = new Set<string>();
  const stack = [`begin ${goal}`];
  for (let moment = stack.pop(); moment !== undefined; moment = stack.pop()) {
    if (moment === `end ${other}`) return true;
    if (seen.has(moment)) continue;
    seen.add(moment);
    const [which, id = ''] = moment.split(' ');
    const { parent_id, child_ids, dependencies } = goalOf(plan, id);
    const ends = which === 'end' ? child_ids : dependencies;
    stack.push(...ends.map((one) => `end ${one}`));
    if (which === 'end' && child_ids.length === 0) stack.push(`begin ${id}`);
    if (which === 'begin' && parent_id !== null) stack.push(`begin ${parent_id}`);
  }
  return false;
}
