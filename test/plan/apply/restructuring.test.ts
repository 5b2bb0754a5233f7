import { describe, expect, test } from 'vitest';

import type { EventPayload, PayloadOf } from '../../../src/plan/events.js';
import {
  accepted,
  after,
  child,
  children,
  claim,
  complete,
  depend,
  expanded,
  goalAt,
  id,
  ids,
  needs,
  planWith,
  refusal,
  statuses,
} from '../../support/applying.js';

const usage = { calls: 1, input_tokens: 10, output_tokens: 5, cost_usd: 0.5 };

function replan(
  suffix: string,
  remove: readonly string[],
  newGoals: readonly ReturnType<typeof child>[],
): PayloadOf<'goal_replanned'> {
  return {
    type: 'goal_replanned',
    goal: id(suffix),
    reasoning: 'another way',
    remove: ids(...remove),
    sub_goals: [...newGoals],
  };
}

describe('replanning', () => {
  const half = () => after(planWith('a', 'b', child('c', { dependencies: [id('b')] })), complete('a'));

  test('takes some children away and adds others, last; what stays is the very same goal', () => {
    const before = half();
    const plan = accepted(before, {
      ...replan('root', ['b'], [child('d', { dependencies: [id('a')] })]),
      usage,
    });
    expect(children(plan, 'root')).toEqual(['a', 'c', 'd']);
    expect(goalAt(plan, 'a')).toBe(goalAt(before, 'a'));
    expect(goalAt(plan, 'root')).toMatchObject({ reasoning: 'another way', tokens_used: 15 });
    expect(plan.header.usage).toEqual(usage);
  });

  test('keeps what was proposed again, with other dependencies; one that failed is open again', () => {
    const before = after(
      planWith('a', child('b', { dependencies: [id('a')] }), 'c', child('d', { dependencies: [id('c')] })),
      { type: 'goal_failed', goal: id('c'), phase: 'work', reason: 'x' },
    );
    const plan = accepted(before, {
      ...replan('root', ['a'], [child('e')]),
      keep: [
        { goal: id('b'), add: [id('e')], remove: [] },
        { goal: id('c'), add: [], remove: [] },
        { goal: id('d'), add: [], remove: [id('c'), id('zz')] },
      ],
    });
    expect(children(plan, 'root')).toEqual(['b', 'c', 'd', 'e']);
    expect(goalAt(plan, 'b').dependencies).toEqual([id('e')]);
    expect(goalAt(plan, 'c')).toMatchObject({ status: 'atomic' });
    expect(goalAt(plan, 'c')).not.toHaveProperty('failure');
    expect(goalAt(plan, 'd').dependencies).toEqual([]);
    const untouched = accepted(before, {
      ...replan('root', ['a'], []),
      keep: [{ goal: id('d'), add: [id('c')], remove: [] }],
    });
    expect(goalAt(untouched, 'd')).toBe(goalAt(before, 'd'));
  });

  test('is refused when it would keep what is none of its children, what goes, or what is finished or held', () => {
    const plan = accepted(half(), claim('b'));
    const keeping = (suffix: string, add: readonly string[] = []) => ({
      ...replan('root', suffix === 'c' && add.length === 0 ? ['c'] : [], [
        child('d', { dependencies: [id('c')] }),
      ]),
      keep: [{ goal: id(suffix), add: add.map(id), remove: [] }],
    });
    expect(refusal(plan, keeping('zz'))).toMatchObject({ code: 'not_a_child', goal: id('zz') });
    expect(refusal(plan, keeping('c'))).toMatchObject({ code: 'not_a_child', goal: id('c') });
    expect(refusal(plan, keeping('a'))).toMatchObject({ code: 'complete', goal: id('a') });
    expect(refusal(plan, keeping('b'))).toMatchObject({ code: 'claimed' });
    expect(refusal(plan, keeping('c', ['zz']))).toMatchObject({ code: 'no_goal', goal: id('zz') });
    expect(refusal(plan, keeping('c', ['d']))).toMatchObject({ code: 'cycle' });
    expect(refusal(plan, keeping('c', ['root']))).toMatchObject({ code: 'cycle' });
  });

  test('is refused when it would take finished or claimed work, a stranger, or a finished or claimed goal', () => {
    const plan = accepted(half(), claim('b'));
    expect(refusal(plan, replan('root', ['a'], []))).toMatchObject({ code: 'complete', goal: id('a') });
    expect(refusal(plan, replan('root', ['b'], []))).toMatchObject({
      code: 'claimed',
      holder: { by: 'ana' },
    });
    expect(refusal(plan, replan('root', ['zz'], []))).toMatchObject({ code: 'not_a_child' });
    expect(refusal(plan, replan('a', [], [child('d')]))).toMatchObject({ code: 'complete' });
    expect(refusal(plan, replan('b', [], [child('d')]))).toMatchObject({
      code: 'claimed',
      holder: { by: 'ana' },
    });
    expect(refusal(plan, replan('zz', [], []))).toMatchObject({ code: 'no_goal' });
    expect(refusal(plan, replan('root', ['c'], [child('d', { dependencies: [id('c')] })]))).toMatchObject({
      code: 'unknown_dependency',
      on: id('c'),
    });
  });

  test('is refused when finished work lies deeper below what would go', () => {
    let plan = expanded(planWith(child('b', { atomic: false })), 'b', [child('c'), child('d')]);
    plan = after(plan, complete('c'));
    expect(refusal(plan, replan('root', ['b'], []))).toMatchObject({ code: 'complete', goal: id('c') });
  });

  test('splits an atomic, a waiting or a failed goal, whose failure is answered by it', () => {
    let plan = planWith('a', child('b', { atomic: false }), 'c');
    plan = accepted(plan, { type: 'goal_failed', goal: id('c'), reason: 'x', phase: 'work' });
    for (const suffix of ['a', 'b', 'c']) {
      plan = accepted(plan, replan(suffix, [], [child(`${suffix}1`)]));
      expect(goalAt(plan, suffix)).toMatchObject({ status: 'decomposing', child_ids: [id(`${suffix}1`)] });
      expect(goalAt(plan, suffix)).not.toHaveProperty('failure');
    }
  });

  test('that leaves no child makes a goal to be done itself; that leaves only finished ones finishes it', () => {
    expect(statuses(accepted(planWith('a'), replan('root', ['a'], [])))).toEqual({ root: 'atomic' });
    expect(statuses(accepted(half(), replan('root', ['b', 'c'], [])))).toEqual({
      root: 'complete',
      a: 'complete',
    });
  });

  test('has the goal itself stand in for what is gone, for those who waited for that', () => {
    let plan = expanded(planWith(child('a', { atomic: false }), 'z'), 'a', [child('b'), child('c')]);
    plan = after(plan, depend('z', 'b'), replan('a', ['b'], []));
    expect(needs(plan, 'z')).toEqual(['a']);
  });

  test('where the goal cannot stand in, those wait for what the others waited for', () => {
    // c waits for z, so that z cannot wait for all of a.
    let plan = expanded(planWith(child('a', { atomic: false }), 'z', 'y'), 'a', [child('b'), child('c')]);
    plan = after(plan, depend('b', 'y'), depend('z', 'b'), depend('c', 'z'), replan('a', ['b'], []));
    expect(needs(plan, 'z')).toEqual(['y']);
  });

  test('closes no circle through two goals that lost what they waited for', () => {
    // k after y after c2 after z after x after c1: if x waited for all of g, and y for z, all would wait.
    let plan = planWith(child('g', { atomic: false }), 'x', 'y', 'z');
    plan = expanded(plan, 'g', [child('c1'), child('c2'), child('k')]);
    plan = after(plan, depend('x', 'c1'), depend('z', 'x'), depend('c2', 'z'), depend('y', 'c2'));
    plan = after(plan, depend('k', 'y'), replan('g', ['c1', 'c2'], []));
    expect([needs(plan, 'x'), needs(plan, 'y')]).toEqual([[], ['z']]);
  });

  test('is refused when new goals would wait in a circle', () => {
    const plan = planWith('a', child('b', { dependencies: [id('a')] }));
    const circle = refusal(plan, replan('a', [], [child('d', { dependencies: [id('b')] })]));
    expect(circle).toMatchObject({ code: 'cycle', goals: expect.arrayContaining([id('b')]) as string[] });
  });
});

describe('rolling back an expansion', () => {
  const rollBack = (suffix: string): EventPayload => ({ type: 'expansion_rolled_back', goal: id(suffix) });
  const planned = () => expanded(planWith(child('a', { atomic: false }), 'z'), 'a', [child('b'), child('c')]);

  test('takes all below away, and the goal waits to be planned', () => {
    const plan = after(planned(), depend('z', 'c'), rollBack('a'));
    expect(statuses(plan)).toEqual({ root: 'decomposing', a: 'pending', z: 'atomic' });
    expect(needs(plan, 'z')).toEqual(['a']);
    expect(plan.header.status).toBe('in_progress');
  });

  test('of an undivided goal is that it waits to be planned; not of one that is held, finished or divided', () => {
    const again = (suffix: string): EventPayload => ({ ...rollBack(suffix), undivided: true });
    const plan = after(planned(), again('z'));
    expect(statuses(plan)).toMatchObject({ root: 'decomposing', z: 'pending' });
    expect(plan.header.status).toBe('in_progress');
    expect(refusal(after(planned(), claim('z')), again('z'))).toMatchObject({ code: 'claimed' });
    expect(refusal(after(planned(), complete('z')), again('z'))).toMatchObject({ code: 'wrong_status' });
    expect(refusal(planned(), again('a'))).toMatchObject({ code: 'wrong_status', status: 'decomposing' });
  });

  test('is refused with finished or claimed work below, and for what has no sub-goals', () => {
    expect(refusal(after(planned(), complete('b')), rollBack('a'))).toMatchObject({
      code: 'complete',
      goal: id('b'),
    });
    expect(refusal(after(planned(), claim('c')), rollBack('root'))).toMatchObject({
      code: 'claimed',
      holder: { by: 'ana' },
    });
    expect(refusal(planned(), rollBack('z'))).toMatchObject({ code: 'no_sub_goals' });
    expect(refusal(planned(), rollBack('zz'))).toMatchObject({ code: 'no_goal' });
  });
});

describe('adding goals', () => {
  const add = (parent: string, newGoal: ReturnType<typeof child>, at_index?: number): EventPayload => ({
    type: 'goals_added',
    parent: id(parent),
    sub_goals: [newGoal],
    ...(at_index === undefined ? {} : { at_index }),
  });

  test('puts them last, or at a place', () => {
    let plan = planWith('a', 'b');
    for (const [suffix, place] of [['c'], ['d', 0], ['e', 1], ['f', 99]] as const)
      plan = accepted(plan, add('root', child(suffix), place));
    expect(children(plan, 'root')).toEqual(['d', 'e', 'a', 'b', 'c', 'f']);
  });

  test('divides a leaf that is atomic, waiting or failed, and opens finished goals above again', () => {
    let plan = planWith('a', child('b', { atomic: false }), 'c');
    plan = after(plan, { type: 'goal_failed', goal: id('b'), reason: 'x', phase: 'planning' });
    for (const suffix of ['a', 'b', 'c']) plan = accepted(plan, add(suffix, child(`${suffix}1`)));
    expect(plan.header.max_depth).toBe(2);
    plan = after(plan, complete('a1'), complete('b1'), complete('c1'));
    expect(statuses(plan).root).toBe('complete');
    plan = accepted(plan, add('a', child('a2')));
    expect(statuses(plan)).toMatchObject({ root: 'decomposing', a: 'decomposing', b: 'complete' });
  });

  test('that are done already leaves a finished parent finished', () => {
    const plan = after(planWith('a'), complete('a'), add('root', child('b', { complete: true })));
    expect(statuses(plan).root).toBe('complete');
  });

  test('brings along what it may, and neither place nor past', () => {
    const newGoal = child('b', {
      detail: 'More',
      acceptance: ['It works'],
      mood: 'bright',
      status: 'complete',
      parent_id: null,
      child_ids: ids('a'),
      depth: 9,
      claim: 'x',
      usage: 'y',
      digest: 'z',
    });
    const plan = accepted(planWith('a'), add('root', newGoal));
    expect(goalAt(plan, 'b')).toMatchObject({
      detail: 'More',
      acceptance: ['It works'],
      mood: 'bright',
      status: 'atomic',
      parent_id: id('root'),
      child_ids: [],
      depth: 1,
      digest: null,
    });
    expect(Object.keys(goalAt(plan, 'b'))).not.toEqual(expect.arrayContaining(['claim']));
    expect(goalAt(plan, 'b')).not.toHaveProperty('usage');
  });

  test('is refused below finished or claimed leaves, with ids that are taken or foreign, with unknown needs', () => {
    const plan = after(planWith('a', 'b'), complete('a'), claim('b'));
    expect(refusal(plan, add('a', child('c')))).toMatchObject({ code: 'complete' });
    expect(refusal(plan, add('b', child('c')))).toMatchObject({ code: 'claimed', holder: { by: 'ana' } });
    expect(refusal(plan, add('zz', child('c')))).toMatchObject({ code: 'no_goal' });
    expect(refusal(plan, add('root', child('a')))).toMatchObject({ code: 'goal_exists' });
    expect(refusal(plan, add('root', { ...child('c'), id: 'ffffffff-c' }))).toMatchObject({
      code: 'foreign_goal',
    });
    expect(refusal(plan, add('root', child('c', { dependencies: ids('zz') })))).toMatchObject({
      code: 'unknown_dependency',
      on: id('zz'),
    });
    expect(refusal(plan, add('root', child('c', { dependencies: ids('c') })))).toMatchObject({
      code: 'cycle',
    });
    expect(refusal(plan, add('root', child('c', { dependencies: ids('root') })))).toMatchObject({
      code: 'cycle',
    });
  });

  test('is refused below a goal that what they need waits for', () => {
    const plan = planWith('a', child('b', { dependencies: [id('a')] }));
    expect(refusal(plan, add('a', child('c', { dependencies: ids('b') })))).toMatchObject({ code: 'cycle' });
  });
});

describe('moving', () => {
  const move = (suffix: string, parent: string, at_index?: number): EventPayload => ({
    type: 'goal_moved',
    goal: id(suffix),
    parent: id(parent),
    ...(at_index === undefined ? {} : { at_index }),
  });
  const tree = () =>
    expanded(planWith(child('a', { atomic: false }), 'b', 'c'), 'a', [child('d'), child('e')]);

  test('within a parent changes the order', () => {
    expect(children(accepted(tree(), move('c', 'root', 0)), 'root')).toEqual(['c', 'a', 'b']);
    expect(children(accepted(tree(), move('a', 'root')), 'root')).toEqual(['b', 'c', 'a']);
    expect(children(accepted(tree(), move('b', 'root', 1)), 'root')).toEqual(['a', 'b', 'c']);
  });

  test('within a finished parent leaves it finished, digest and all', () => {
    const digest = { summary: 'x', key_decisions: [], artifacts: [] };
    let plan = after(planWith('a'), complete('a'));
    plan = after(plan, { type: 'goal_digested', goal: id('root'), digest, made_by: 'model' });
    expect(goalAt(accepted(plan, move('a', 'root', 0)), 'root')).toMatchObject({
      status: 'complete',
      digest,
    });
  });

  test('takes all below along, deeper or higher', () => {
    const plan = accepted(tree(), move('a', 'b'));
    expect(children(plan, 'b')).toEqual(['a']);
    expect([goalAt(plan, 'a').depth, goalAt(plan, 'd').depth, plan.header.max_depth]).toEqual([2, 3, 3]);
    expect(statuses(plan).b).toBe('decomposing');
    const up = accepted(plan, move('d', 'root'));
    expect([goalAt(up, 'd').depth, up.header.max_depth]).toEqual([1, 3]);
  });

  test('the last child away leaves a goal to be done itself; the last open one a finished goal', () => {
    const plan = after(tree(), move('d', 'root'), move('e', 'root'));
    expect(statuses(plan).a).toBe('atomic');
    const half = after(tree(), complete('d'), move('e', 'root'));
    expect(statuses(half).a).toBe('complete');
  });

  test('an open goal below a finished one opens it and what is above; a finished one closes what it completes', () => {
    const done = after(tree(), complete('d'), complete('e'), move('b', 'a'));
    expect(statuses(done)).toMatchObject({ a: 'decomposing', root: 'decomposing' });
    const whole = after(tree(), complete('d'), complete('e'), complete('b'), move('b', 'c'));
    expect(statuses(whole)).toMatchObject({ c: 'complete', root: 'complete' });
  });

  test('is refused for the root, below itself, below finished or claimed leaves, and to nowhere', () => {
    const plan = after(tree(), complete('b'), claim('c'));
    expect(refusal(plan, move('root', 'a'))).toMatchObject({ code: 'root' });
    expect(refusal(plan, move('a', 'd'))).toMatchObject({ code: 'below_itself' });
    expect(refusal(plan, move('a', 'a'))).toMatchObject({ code: 'below_itself' });
    expect(refusal(plan, move('d', 'b'))).toMatchObject({ code: 'complete' });
    expect(refusal(plan, move('d', 'c'))).toMatchObject({ code: 'claimed', holder: { by: 'ana' } });
    expect(refusal(plan, move('zz', 'a'))).toMatchObject({ code: 'no_goal' });
    expect(refusal(plan, move('a', 'zz'))).toMatchObject({ code: 'no_goal' });
  });

  test('is refused when goals would wait for each other, as by the needs of the new parent', () => {
    const plan = after(tree(), depend('a', 'b'));
    expect(refusal(plan, move('b', 'a'))).toMatchObject({ code: 'cycle' });
    const crossed = after(tree(), depend('d', 'b'), depend('c', 'e'));
    expect(children(accepted(crossed, move('b', 'c')), 'c')).toEqual(['b']);
    expect(refusal(after(crossed, depend('e', 'd')), move('b', 'c'))).toMatchObject({ code: 'cycle' });
  });
});

describe('removing', () => {
  const remove = (suffix: string, with_complete?: boolean): EventPayload => ({
    type: 'goal_removed',
    goal: id(suffix),
    ...(with_complete === undefined ? {} : { with_complete }),
  });

  test('takes all below along, and what waited for it waits for what it waited for', () => {
    let plan = planWith(child('a', { atomic: false }), 'y', child('z', { dependencies: [id('a')] }));
    plan = expanded(plan, 'a', [child('b'), child('c')]);
    plan = after(plan, depend('a', 'y'), remove('a'));
    expect(statuses(plan)).toEqual({ root: 'decomposing', y: 'atomic', z: 'atomic' });
    expect(needs(plan, 'z')).toEqual(['y']);
  });

  test('what waited for a part of it waits for what all of it waited for', () => {
    let plan = planWith(child('a', { atomic: false }), 'y', 'z');
    plan = expanded(plan, 'a', [child('b')]);
    plan = after(plan, depend('a', 'y'), depend('z', 'b'), remove('a'));
    expect(needs(plan, 'z')).toEqual(['y']);
  });

  test('the last open goal finishes what is above, the last goal of all leaves its parent to be done itself', () => {
    expect(statuses(after(planWith('a', 'b'), complete('a'), remove('b'))).root).toBe('complete');
    expect(statuses(accepted(planWith('a'), remove('a')))).toEqual({ root: 'atomic' });
  });

  test('of finished work is refused, unless it is said so; of claimed work always', () => {
    const plan = after(planWith('a', 'b'), complete('a'), claim('b'));
    expect(refusal(plan, remove('a'))).toMatchObject({ code: 'complete' });
    expect(children(accepted(plan, remove('a', true)), 'root')).toEqual(['b']);
    expect(refusal(plan, remove('b', true))).toMatchObject({ code: 'claimed', holder: { by: 'ana' } });
    expect(refusal(plan, remove('root'))).toMatchObject({ code: 'root' });
    expect(refusal(plan, remove('zz'))).toMatchObject({ code: 'no_goal' });
  });
});

describe('merging', () => {
  const merge = (suffix: string, ...merged: readonly string[]): EventPayload => ({
    type: 'goals_merged',
    goal: id(suffix),
    merged: ids(...merged),
    description: 'Both',
  });

  test('makes one goal of siblings, with all that they said and needed', () => {
    let plan = planWith(
      'x',
      child('a', { detail: 'A', acceptance: ['1', '2'], tags: ['t'], dependencies: [id('x')] }),
      child('b', { detail: 'B', acceptance: ['2', '3'], dependencies: ids('x', 'a') }),
      child('z', { dependencies: ids('b') }),
    );
    plan = accepted(plan, merge('a', 'b'));
    expect(goalAt(plan, 'a')).toMatchObject({
      description: 'Both',
      status: 'atomic',
      detail: 'A\n\nB',
      acceptance: ['1', '2', '3'],
      tags: ['t'],
      dependencies: [id('x')],
    });
    expect([children(plan, 'root'), needs(plan, 'z')]).toEqual([['x', 'a', 'z'], ['a']]);
  });

  test('keeps the action plans of all', () => {
    const link = (suffix: string, action_plan: string): EventPayload => ({
      type: 'action_plan_linked',
      goal: id(suffix),
      action_plan,
    });
    const plan = after(
      planWith('a', 'b'),
      link('a', 'ap-aaaaaaaaaa'),
      link('b', 'ap-bbbbbbbbbb'),
      merge('a', 'b'),
    );
    expect(goalAt(plan, 'a').action_plans).toEqual(['ap-aaaaaaaaaa', 'ap-bbbbbbbbbb']);
  });

  test('waits to be planned when one of them did, and forgets failures', () => {
    let plan = planWith('a', child('b', { atomic: false }));
    plan = after(plan, { type: 'goal_failed', goal: id('a'), reason: 'x', phase: 'work' }, merge('a', 'b'));
    expect(goalAt(plan, 'a').status).toBe('pending');
    expect(goalAt(plan, 'a')).not.toHaveProperty('failure');
  });

  test('is refused for goals that are not siblings, not leaves, finished, claimed, repeated or not there', () => {
    let plan = planWith(child('a', { atomic: false }), 'b', 'c', 'd');
    plan = after(expanded(plan, 'a', [child('e')]), complete('b'), claim('c'));
    expect(refusal(plan, merge('d', 'e'))).toMatchObject({ code: 'not_siblings' });
    expect(refusal(plan, merge('root', 'e'))).toMatchObject({ code: 'not_siblings' });
    expect(refusal(plan, merge('d', 'a'))).toMatchObject({ code: 'has_sub_goals', need: 'merge' });
    expect(refusal(plan, merge('d', 'b'))).toMatchObject({ code: 'complete' });
    expect(refusal(plan, merge('d', 'c'))).toMatchObject({ code: 'claimed', holder: { by: 'ana' } });
    expect(refusal(plan, merge('d', 'd'))).toMatchObject({ code: 'named_twice' });
    expect(refusal(plan, merge('d', 'zz'))).toMatchObject({ code: 'no_goal' });
  });

  test('is refused when another goal stands between them, whichever way', () => {
    const between = planWith(
      'a',
      child('x', { dependencies: ids('a') }),
      child('b', { dependencies: ids('x') }),
    );
    expect(refusal(between, merge('a', 'b'))).toMatchObject({ code: 'cycle' });
    expect(refusal(between, merge('b', 'a'))).toMatchObject({ code: 'cycle' });
  });
});
