import { describe, expect, test } from 'vitest';

import { apply } from '../../../src/plan/apply.js';
import type { EventPayload, PayloadOf } from '../../../src/plan/events.js';
import {
  accepted,
  after,
  child,
  claim,
  complete,
  created,
  depend,
  expanded,
  goalAt,
  id,
  ids,
  needs,
  planWith,
  refusal,
} from '../../support/applying.js';

function edit(suffix: string, fields: PayloadOf<'goal_edited'>['fields']): EventPayload {
  return { type: 'goal_edited', goal: id(suffix), fields };
}

describe('editing', () => {
  test('sets the fields that are given, takes away what is null, and leaves the others', () => {
    const fields = { description: 'New', detail: 'More', acceptance: ['1'], tags: ['t'], reasoning: 'why' };
    let plan = accepted(planWith('a'), edit('a', fields));
    expect(goalAt(plan, 'a')).toMatchObject(fields);
    plan = accepted(plan, edit('a', { detail: null, tags: null }));
    expect(goalAt(plan, 'a')).toMatchObject({ description: 'New', acceptance: ['1'] });
    expect(Object.keys(goalAt(plan, 'a'))).not.toEqual(expect.arrayContaining(['detail']));
    plan = accepted(plan, edit('a', { acceptance: null, reasoning: null }));
    expect(goalAt(plan, 'a').reasoning).toBeNull();
    expect(goalAt(plan, 'a')).not.toHaveProperty('acceptance');
  });

  test('takes no other field', () => {
    const plan = accepted(planWith('a'), edit('a', { status: 'complete', child_ids: ids('a') }));
    expect(goalAt(plan, 'a')).toMatchObject({ status: 'atomic', child_ids: [] });
  });

  test('the root’s description is the plan’s, as long as they were one', () => {
    const plan = accepted(created(), edit('root', { description: 'Build more' }));
    expect(plan.header.description).toBe('Build more');
    const named = { ...plan, header: { ...plan.header, description: 'Project X' } };
    expect(accepted(named, edit('root', { description: 'Even more' })).header.description).toBe('Project X');
  });

  test('is refused for finished goals and for what somebody else holds', () => {
    const plan = after(planWith('a', 'b'), complete('a'), claim('b'));
    expect(refusal(plan, edit('a', { detail: 'x' }))).toMatchObject({ code: 'complete' });
    expect(refusal(plan, edit('b', { detail: 'x' }), { by: 'ben' })).toMatchObject({
      code: 'claimed',
      holder: { by: 'ana' },
    });
    expect(goalAt(accepted(plan, edit('b', { detail: 'x' })), 'b').detail).toBe('x');
    expect(refusal(plan, edit('zz', {}))).toMatchObject({ code: 'no_goal' });
  });
});

describe('changing dependencies', () => {
  const change = (suffix: string, add: readonly string[], remove: readonly string[]): EventPayload => ({
    type: 'dependencies_changed',
    changes: [{ goal: id(suffix), add: ids(...add), remove: ids(...remove) }],
  });

  test('adds at the end what is new and takes away what was there', () => {
    const plan = after(planWith('a', 'b', 'c'), depend('c', 'a'), change('c', ['a', 'b', 'b'], []));
    expect(needs(plan, 'c')).toEqual(['a', 'b']);
    expect(needs(accepted(plan, change('c', [], ['a'])), 'c')).toEqual(['b']);
  });

  test('is all or nothing', () => {
    const plan = planWith('a', 'b', 'c');
    const changes = [
      { goal: id('b'), add: ids('a'), remove: [] },
      { goal: id('a'), add: ids('b'), remove: [] },
    ];
    expect(refusal(plan, { type: 'dependencies_changed', changes })).toMatchObject({ code: 'cycle' });
  });

  test('in one change can turn a dependency round', () => {
    const plan = after(planWith('a', 'b'), depend('b', 'a'));
    const changes = [
      { goal: id('a'), add: ids('b'), remove: [] },
      { goal: id('b'), add: [], remove: ids('a') },
    ];
    const turned = accepted(plan, { type: 'dependencies_changed', changes });
    expect([needs(turned, 'a'), needs(turned, 'b')]).toEqual([['b'], []]);
  });

  test('is refused with goals that are not there, what is not needed, and new needs of finished goals', () => {
    const plan = after(planWith('a', 'b', child('c', { dependencies: ids('a') })), complete('b'));
    expect(refusal(plan, change('zz', [], []))).toMatchObject({ code: 'no_goal' });
    expect(refusal(plan, change('a', ['zz'], []))).toMatchObject({ code: 'no_goal' });
    expect(refusal(plan, change('a', [], ['c']))).toMatchObject({ code: 'not_dependent' });
    expect(refusal(plan, change('b', ['a'], []))).toMatchObject({ code: 'complete' });
    expect(needs(after(plan, complete('a'), complete('c'), change('c', ['a'], [])), 'c')).toEqual(['a']);
    expect(needs(after(plan, complete('a'), complete('c'), change('c', [], ['a'])), 'c')).toEqual([]);
  });

  test.each([
    ['on itself', 'a', 'a'],
    ['on what is above it', 'd', 'a'],
    ['on what is below it', 'a', 'd'],
    ['on what waits for it', 'c', 'b'],
    ['on what is above something that waits for it', 'c', 'a'],
    ['through what is above it', 'e', 'd'],
  ])('a dependency %s closes a circle and is refused', (_name, from, to) => {
    let plan = planWith(child('a', { atomic: false }), 'b', 'c');
    plan = expanded(plan, 'a', [child('d'), child('e')]);
    plan = after(plan, depend('d', 'b'), depend('b', 'c'));
    if (from === 'e') plan = after(plan, depend('d', 'e'));
    expect(refusal(plan, depend(from, to))).toMatchObject({ code: 'cycle' });
  });
});

describe('undoing', () => {
  test('is refused when it would take the root away, or give a goal another’s id', () => {
    const plan = created();
    const root = goalAt(plan, 'root');
    const undo = (before: typeof root | null): EventPayload => ({
      type: 'change_undone',
      undoes: 'x',
      changes: [{ goal: root.id, before, after: root }],
    });
    expect(refusal(plan, undo(null))).toMatchObject({ code: 'invalid_plan', source: 'undo' });
    expect(refusal(plan, undo({ ...root, id: id('other') }))).toMatchObject({ code: 'other_goal' });
  });

  test('of a change of the root’s description takes back the plan’s as well', () => {
    const plan = created();
    const edited = accepted(plan, edit('root', { description: 'Build more' }));
    const changes = [{ goal: id('root'), before: goalAt(plan, 'root'), after: goalAt(edited, 'root') }];
    const stamp = { id: 'x', at: '2026-01-02T00:00:00Z', by: 'ana', replica: 'r', clock: 99 };
    const undone = apply(edited, { ...stamp, type: 'change_undone', undoes: 'y', changes });
    expect(undone.plan?.header.description).toBe('Build it');
  });
});
