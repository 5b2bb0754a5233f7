import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import type { SubGoal } from '../../src/plan/expansion.js';
import { goalOf } from '../../src/plan/plan.js';
import { sanitizeExpansion } from '../../src/planning/sanitize/sanitize-expansion.js';
import { normalizedWords } from '../../src/planning/sanitize/same-words.js';
import { goal, planOf } from '../support/plans.js';
import { UNSEEN, unseenText } from '../support/unseen-text.js';

const root = goal('root', {
  description: 'Build the shop',
  child_ids: ['a1b2c3d4-a'],
  status: 'decomposing',
});
const parent = goal('a', { description: 'Add a checkout', parent_id: root.id, depth: 1 });
const plan = planOf([root, parent]);

function sub(description: string, depends_on: number[] = []): SubGoal {
  return { description, atomic: true, reasoning: 'r', depends_on };
}

function guard(subGoals: readonly SubGoal[], maxChildren = 7) {
  return sanitizeExpansion(
    { atomic: false, reasoning: 'r', sub_goals: [...subGoals] },
    plan,
    goalOf(plan, parent.id),
    maxChildren,
  );
}

describe('which sub-goals enter the plan', () => {
  test('good ones do, unchanged and in order', () => {
    const guarded = guard([sub('Design it'), sub('Code it', [1]), sub('Test it', [1, 2])]);
    expect(guarded.warnings).toEqual([]);
    expect(guarded.subGoals.map(({ description, dependencies }) => [description, dependencies])).toEqual([
      ['Design it', []],
      ['Code it', [0]],
      ['Test it', [0, 1]],
    ]);
  });

  test.each([
    'Add a checkout',
    ' ADD a Checkout! ',
    'ADD A CHECKOUT!!',
    'Build The shop',
    'Please add the checkout',
    'build   the\nshop',
  ])('%j restates a goal above and is dropped', (text) => {
    const guarded = guard([sub('One'), sub(text), sub('Two', [1])]);
    expect(guarded.subGoals.map(({ description }) => description)).toEqual(['One', 'Two']);
    expect(guarded.subGoals[1]?.dependencies).toEqual([0]);
    expect(guarded.warnings.map(({ code }) => code)).toContain('restated');
  });

  test('a dependency on a repeated sibling is one on the sibling it repeats', () => {
    const guarded = guard([sub('One'), sub('two'), sub('ONE.'), sub('Three', [3])]);
    expect(guarded.subGoals[2]?.dependencies).toEqual([0]);
  });

  test.each(['', '  ', '.', '—', '…?!', ...UNSEEN.map(([, text]) => text)])(
    'one without a letter or digit that can be seen is dropped: %j',
    (text) => {
      const guarded = guard([sub(text), sub('One'), sub('2', [2])]);
      expect(guarded.subGoals.map(({ description }) => description)).toEqual(['One', '2']);
      expect(guarded.warnings).toEqual([
        { code: 'empty', message: 'sub-goal 1 had no description and was dropped' },
      ]);
    },
  );

  test.each(['設計', 'дом', '๓', 'é'])('one in any writing is kept: %s', (text) => {
    expect(guard([sub(text), sub('One')]).subGoals).toHaveLength(2);
  });

  test('a goal whose only sub-goal is itself in other words is atomic', () => {
    for (const text of [
      'Add a checkout',
      'Checkout: add',
      'Please add checkout',
      'Implement: add a checkout',
    ]) {
      expect(guard([sub(text)])).toMatchObject({ atomic: true, subGoals: [] });
    }
    for (const text of ['Add a checkout for guests with cards', 'Add a checkout 2', 'Add a checkout.1']) {
      expect(guard([sub(text)]).atomic).toBe(false);
    }
  });

  test.each([
    ['Task A A A A A', 'Task A A A A A A'],
    ['alpha/beta/gamma/delta', 'alpha/beta/gamma/delta/epsilon'],
    ['Sub-goal of the great big plan', 'Sub-sub-goal of the great big plan'],
    [
      'Carry out stage one of moving the shop to the new host',
      'Carry out stage two of moving the shop to the new host',
    ],
    ['Carry out phase I of the rebuild of the archive', 'Carry out phase II of the rebuild of the archive'],
  ])('the only sub-goal of %j may be %j', (above, below) => {
    const only = goal('root', { description: above });
    const expansion = { atomic: false, reasoning: 'r', sub_goals: [sub(below)] };
    const guarded = sanitizeExpansion(expansion, planOf([only]), only, 7);
    expect(guarded.subGoals.map(({ description }) => description)).toEqual([below]);
    expect(guarded.warnings).toEqual([]);
  });

  test('siblings that differ in a sign alone are all kept', () => {
    const signs = ['<', '>', '<=', '==', '!=', '*', '/', '%', '€', '🚀', '🎉'];
    const descriptions = [
      ...signs.map((sign) => `Implement ${sign}`),
      'Return 1',
      'Return -1',
      'Implement →',
      'Implement ***',
    ];
    const guarded = guard(
      descriptions.map((text) => sub(text)),
      descriptions.length,
    );
    expect(guarded.subGoals.map(({ description }) => description)).toEqual(descriptions);
  });

  test('no more than the limit are kept', () => {
    const guarded = guard(
      Array.from({ length: 500 }, (_, index) => sub(`Part ${index}`, [index])),
      7,
    );
    expect(guarded.subGoals).toHaveLength(7);
    expect(guarded.warnings.map(({ code }) => code)).toContain('too_many_children');
  });

  test('a description is one line, whatever breaks it', () => {
    const guarded = guard([
      sub('Show the basket:\n- its items\r\n\t- its total\u2028\u0085now '),
      sub('Two'),
    ]);
    expect(guarded.subGoals[0]?.description).toBe('Show the basket: - its items - its total now');
    expect(guarded.warnings).toEqual([]);
  });

  test('criteria come along, a line each, three at most, and the size', () => {
    const acceptance = [' A\ntest ', '', 'B', 'B', 'C', 'x'.repeat(5000)];
    const [first, second] = guard([{ ...sub('One'), acceptance, size: 'S' }, sub('Two')]).subGoals;
    expect(first).toMatchObject({ acceptance: ['A test', 'B', 'C'], size: 'S' });
    expect(second).toMatchObject({ acceptance: [], size: null });
    const { subGoals, warnings } = guard([{ ...sub('One'), acceptance }, sub('Two')]);
    expect(warnings.map(({ code }) => code)).toEqual(['long_criterion', 'too_many_criteria']);
    expect(subGoals[0]?.acceptance.every(({ length }) => length <= 500)).toBe(true);
  });

  test('a description of a megabyte is cut', () => {
    const guarded = guard([sub('x'.repeat(1_000_000)), sub('One')]);
    expect(guarded.subGoals[0]?.description.length).toBeLessThanOrEqual(2000);
    expect(guarded.warnings.map(({ code }) => code)).toContain('long_description');
  });

  test('a description is cut between what a reader sees as characters, wide ones by their width', () => {
    const family = '👩‍👩‍👧‍👦';
    const guarded = guard([sub(`Draw ${family.repeat(1200)}`), sub('Stop')]);
    expect(guarded.subGoals[0]?.description.replaceAll(family, '')).toBe('Draw …');
    expect(guarded.warnings.map(({ code }) => code)).toEqual(['long_description']);
  });
});

describe('which dependencies enter the plan', () => {
  test.each([[0], [-1], [4], [99], [1]])(
    '%i, out of range or its own, is dropped with a warning',
    (number) => {
      const guarded = guard([sub('One', [number]), sub('Two'), sub('Three')]);
      expect(guarded.subGoals[0]?.dependencies).toEqual([]);
      expect(guarded.warnings.map(({ code }) => code)).toEqual(['bad_dependency']);
    },
  );

  test('of a cycle the dependency on the earlier one is kept', () => {
    const guarded = guard([sub('One', [3]), sub('Two', [1]), sub('Three', [2])]);
    expect(guarded.subGoals.map(({ dependencies }) => dependencies)).toEqual([[], [0], [1]]);
    expect(guarded.warnings.map(({ code }) => code)).toEqual(['cyclic_dependency']);
  });

  test('a dependency on a later one is kept when it closes no cycle', () => {
    expect(guard([sub('One', [2]), sub('Two')]).subGoals[0]?.dependencies).toEqual([1]);
  });
});

describe('when two descriptions are the same', () => {
  test.each([
    ['Build the API', 'build an api'],
    ['Ｂuild', 'build'],
    ['Write docs.', 'write docs'],
  ])('%j and %j are', (a, b) => expect(normalizedWords(a)).toEqual(normalizedWords(b)));

  test.each([
    ['Goal 1.2', 'Goal 12'],
    ['Goal 1.2', 'Goal 2.1'],
    ['Learn C', 'Learn C++'],
    ['Learn C', 'Learn C#'],
    ['Part A', 'Part'],
    ['Node A', 'Node A A'],
    ['Node a b', 'Node b'],
    ['Part B', 'Part A B'],
    ['A', 'The'],
    ['登录', '注册'],
    ['a', 'b'],
  ])('%j and %j are not', (a, b) => expect(normalizedWords(a)).not.toEqual(normalizedWords(b)));
});

describe('which sub-goals enter a goal that keeps some', () => {
  const cart = goal('c', {
    description: 'Write the cart',
    parent_id: parent.id,
    depth: 2,
    status: 'complete',
  });
  const again = (subGoals: readonly SubGoal[]) =>
    sanitizeExpansion({ atomic: false, reasoning: 'r', sub_goals: [...subGoals] }, plan, parent, 7, {
      staying: [cart],
      replaced: [],
      finished: [],
      moved: [],
    });

  test('only those that are not there yet; what depends on one that is there depends on that', () => {
    const { subGoals, warnings } = again([
      sub('Write the Cart!'),
      sub('Test it', [1]),
      sub('Ship it', [1, 2]),
    ]);
    expect(
      subGoals.map(({ description, dependencies, staying }) => [description, dependencies, staying]),
    ).toEqual([
      ['Test it', [], [cart.id]],
      ['Ship it', [0], [cart.id]],
    ]);
    expect(warnings).toEqual([]);
  });

  test('none when nothing new is proposed; the goal is not atomic for that', () => {
    expect(again([sub('Write the cart')])).toMatchObject({ atomic: false, subGoals: [] });
    expect(again([sub('Add a checkout')])).toMatchObject({ atomic: false, subGoals: [] });
  });
});

describe('which sub-goals enter a goal whose open parts are replaced', () => {
  const part = (name: string, description: string) =>
    goal(name, { description, parent_id: parent.id, depth: 2, status: 'atomic' });
  const [cart, pay, twin] = [
    part('c', 'Write the cart'),
    part('p', 'Take payments'),
    part('t', 'Take payments'),
  ];
  const schema = goal('s', { description: 'Design the schema', status: 'complete' });
  const again = (subGoals: readonly SubGoal[], most = 7) => {
    const found = sanitizeExpansion(
      { atomic: false, reasoning: 'r', sub_goals: [...subGoals] },
      plan,
      parent,
      most,
      {
        staying: [],
        replaced: [cart, pay, twin],
        finished: [schema],
        moved: [],
      },
    );
    return {
      ...found,
      fresh: found.subGoals.map(({ description, dependencies, staying }) => [
        description,
        dependencies,
        staying,
      ]),
      kept: found.repeated.map((each) => [each.goal.id, each.dependencies, each.staying]),
    };
  };

  test('what is proposed again is kept, with what it is to depend on', () => {
    const { fresh, kept, warnings } = again([
      sub('Choose a provider'),
      sub('TAKE payments.', [1]),
      sub('Write a cart', [4]),
      sub('Refund', [2, 1]),
    ]);
    expect(fresh).toEqual([
      ['Choose a provider', [], []],
      ['Refund', [0], [pay.id]],
    ]);
    expect(kept).toEqual([
      [pay.id, [0], []],
      [cart.id, [1], []],
    ]);
    expect(warnings).toEqual([]);
  });

  test('two that say the same are kept as often as they are proposed, and no more', () => {
    const { kept, fresh, warnings } = again([
      sub('Take payments'),
      sub('Take payments'),
      sub('Take payments'),
    ]);
    expect(kept.map(([id]) => id)).toEqual([pay.id, twin.id]);
    expect([fresh, warnings.map(({ code }) => code)]).toEqual([[], ['repeated']]);
    expect(again([sub('Take payments')]).kept.map(([id]) => id)).toEqual([pay.id]);
  });

  test('a copy of finished work is dropped; what depended on it depends on what is finished', () => {
    const { fresh, warnings } = again([sub('Design a schema'), sub('Import the stock', [1])]);
    expect(fresh).toEqual([['Import the stock', [], [schema.id]]]);
    expect(warnings.map(({ code }) => code)).toEqual(['finished']);
  });

  test('what is kept counts among the children that there may be', () => {
    const { kept, fresh } = again([sub('One'), sub('Write the cart'), sub('Two'), sub('Three')], 2);
    expect([kept.length, fresh.map(([description]) => description)]).toEqual([1, ['One']]);
    expect(again([sub('Write the cart'), sub('Take payments')], 1)).toMatchObject({
      atomic: false,
      fresh: [],
    });
  });
});

describe('what must not be planned', () => {
  const scoped = { ...root, out_of_scope: ['Paying with points at partner shops', 'PDF'] };

  test.each<[string, readonly string[]]>([
    ['Let customers pay with points at partner shops', ['out_of_scope']],
    ['Accept points of partner shops for paying', ['out_of_scope']],
    ['Show the points of a customer', []],
    ['Export the list as PDF', []],
  ])('%s: warnings %j, and it stays', (text, codes) => {
    const guarded = sanitizeExpansion(
      { atomic: false, reasoning: 'r', sub_goals: [sub('One'), sub(text)] },
      planOf([scoped, parent]),
      parent,
      7,
    );
    expect(guarded.warnings.map(({ code }) => code)).toEqual(codes);
    expect(guarded.subGoals).toHaveLength(2);
  });
});

describe('texts of characters that take no column', () => {
  test('enter a plan within bounds', () => {
    fc.assert(
      fc.property(unseenText, fc.constantFrom(...UNSEEN), (text, [, mark]) => {
        const long = `Do ${text}${mark.repeat(40_000)}`;
        const { subGoals, reasoning } = sanitizeExpansion(
          {
            atomic: false,
            reasoning: long,
            sub_goals: [{ ...sub(long), reasoning: long, acceptance: [long] }, sub('Else')],
          },
          plan,
          goalOf(plan, parent.id),
          7,
        );
        expect(reasoning.length).toBeLessThanOrEqual(16 * 2000 + 1);
        const [first] = subGoals;
        expect(first?.description.length).toBeLessThanOrEqual(16 * 2000 + 1);
        expect(first?.reasoning.length).toBeLessThanOrEqual(16 * 2000 + 1);
        expect(first?.acceptance[0]?.length).toBeLessThanOrEqual(16 * 500 + 1);
      }),
      { numRuns: 5 },
    );
  });

  test('are quoted within bounds where they repeat a non-goal', () => {
    const planned = planOf([{ ...root, out_of_scope: ['Refunds of gift cards'] }, parent]);
    const { warnings } = sanitizeExpansion(
      {
        atomic: false,
        reasoning: 'r',
        sub_goals: [sub(`Refunds of gift cards by post x${'\u0301'.repeat(1_000_000)}`), sub('Else')],
      },
      planned,
      goalOf(planned, parent.id),
      7,
    );
    expect(warnings.map(({ code }) => code)).toContain('out_of_scope');
    for (const { message } of warnings) expect(message.length).toBeLessThan(10_000);
  });
});
