import { describe, expect, test } from 'vitest';

import type { PlanEvent } from '../../../src/plan/events.js';
import type { Plan } from '../../../src/plan/plan.js';
import type { Goal } from '../../../src/plan/schema.js';
import { judgePlan } from '../../../src/planning/check/check-plan.js';
import { goal, planOf, PLAN_ID } from '../../support/plans.js';

/** A goal in words, with members of its own, and what is below it. */
type Node = readonly [words: string, members?: Partial<Goal>, below?: readonly Node[]];

const id = (number: string) => `${PLAN_ID}-${number === '' ? 'root' : `n${number.replaceAll('.', 'x')}`}`;

/** A plan that is planned to its end. Of leaves that say nothing of a check one is given, so that each test has one fault. */
function planFrom(below: readonly Node[], members: Partial<Goal> = {}): Plan {
  const goals: Goal[] = [];
  const add = ([description, own = {}, children = []]: Node, number: string, parent: string | null) => {
    const isLeaf = children.length === 0;
    const numberOfChild = (index: number) => `${number === '' ? '' : `${number}.`}${index + 1}`;
    goals.push({
      ...goal('x', {
        id: id(number),
        description,
        status: isLeaf ? 'atomic' : 'decomposing',
        parent_id: parent,
        depth: number === '' ? 0 : number.split('.').length,
        child_ids: children.map((_child, index) => id(numberOfChild(index))),
        ...(isLeaf ? { acceptance: [`Ana has seen ${number} at noon`] } : {}),
      }),
      ...own,
    });
    for (const [index, child] of children.entries()) add(child, numberOfChild(index), id(number));
  };
  add(['Bring the shop to the new town for the spring', members, below], '', null);
  return planOf(goals, { status: 'complete' });
}

/** The findings as `CODE number`, with the numbers of the others that are meant. */
function findings(plan: Plan, events: readonly PlanEvent[] = []): readonly string[] {
  const numberOf = (of: string) =>
    of === id('') ? 'root' : of.slice(PLAN_ID.length + 2).replaceAll('x', '.');
  return judgePlan(plan, events).map(({ code, goal: about, goals }) =>
    [code, ...[about, ...goals].map(numberOf)].join(' '),
  );
}

const leafIn = (words: string, members: Partial<Goal> = {}) =>
  planFrom([[words, members], ['Show the shop to the first guest']]);

describe('a leaf that names nothing that will be there', () => {
  test.each([
    'Handle edge cases',
    'Polish the UI',
    'Clean up',
    'Fix bugs and other issues.',
    'Final touches',
    'Improve performance',
    'Misc',
    'Review everything',
  ])('%s', (words) => {
    expect(findings(leafIn(words, { acceptance: ['It works'] }))).toContain('VAGUE_LEAF 1');
  });

  test.each([
    'Handle a card that was refused by the bank',
    'Polish the brass of the counter',
    'Improve the search so that a typing error still finds the book',
    'Clean the windows',
    'Fix the leaking roof',
    'Address the letters to the members',
    'Optimize the images on the front page',
  ])('not so: %s', (words) => {
    expect(findings(leafIn(words))).toEqual([]);
  });

  test('not so where a check says what is to be there', () => {
    expect(
      findings(leafIn('Improve performance', { acceptance: ['A page is there in 200 ms at 50 users'] })),
    ).toEqual([]);
  });
});

describe('checks', () => {
  test('a leaf without any is found; one that is a check itself, or whose text says how it is told, is not', () => {
    const none = { acceptance: [] };
    const plan = planFrom([
      ['Paint the door', none],
      ['Compare the bills with the orders', none],
      ['Order the shelves', { ...none, detail: 'Six of oak. They must carry 50 kg each.' }],
      ['Show the shop to the first guest'],
    ]);
    expect(findings(plan)).toEqual(['NO_CHECK 1']);
  });

  test('that a tool makes are checks, also without words', () => {
    const checks = [{ tool: 'npm.test', args: {} }];
    expect(findings(leafIn('Add a till to the shop', { acceptance: [], checks }))).toEqual([]);
  });

  test('where most of many leaves have none, that is said once', () => {
    const plan = planFrom(
      Array.from({ length: 12 }, (_each, index): Node => [`Paint door ${index}`, { acceptance: [] }]),
    );
    expect(judgePlan(plan, []).map(({ code, goals }) => [code, goals.length])).toEqual([['NO_CHECK', 12]]);
  });

  test.each([
    'The tests pass',
    'It works as expected.',
    'Done',
    'All unit tests are green',
    'Everything works',
  ])('that say no more than that it is done: %s', (check) => {
    expect(findings(leafIn('Add a till to the shop', { acceptance: [check] }))).toEqual(['CIRCULAR_CHECK 1']);
  });

  test.each([
    ['Add a till to the shop', 'A receipt comes out within two seconds'],
    ['Refactor the price module', 'All tests pass'],
    ['Upgrade to Node 22', 'The test suite passes'],
    ['Fix the failing build', 'The tests pass'],
    ['Add a till to the shop', 'It works without network for an hour'],
  ])('that say more: %s: %s', (words, check) => {
    expect(findings(leafIn(words, { acceptance: [check] }))).toEqual([]);
  });

  test('a check of a divided goal that none below repeats is found, and one in other words is not', () => {
    const kept = 'A guest pays with a card and gets a receipt';
    const plan = planFrom([
      [
        'Let guests pay',
        { acceptance: [kept, 'The drawer balances against the ledger every evening'] },
        [
          ['Connect the card reader', { acceptance: ['A card is paid and the receipt printed'] }],
          ['Buy a drawer'],
        ],
      ],
      ['Show the shop to the first guest'],
    ]);
    expect(findings(plan)).toEqual(['LOST_CHECK 1']);
  });
});

describe('results', () => {
  const small = { size: 'S' };
  test.each([
    ['Write the menu, configure the till and publish the opening hours', ['JOINED_RESULTS 1']],
    ['Cancel the lease, pay the last invoice and inform the neighbours', ['JOINED_RESULTS 1']],
    ['List every cup, plate, glass and spoon', []],
    ['Review, test and merge the price list', []],
    ['Write design tokens, test data and release notes', []],
    ['Write the menu and publish it', []],
  ])('that a small goal joins: %s', (words, found) => {
    expect(findings(leafIn(words, small))).toEqual(found);
  });

  test('leaves of different parts with the same result are found, whatever verb makes it', () => {
    const plan = planFrom([
      ['Open the account pages', {}, [['Create the login form'], ['Mail a new password']]],
      ['Open the diary', {}, [['Build a login form'], ['Show the days of a month']]],
      ['Show the shop to the first guest'],
    ]);
    expect(findings(plan)).toEqual(['DUPLICATE_LEAF 1.1 2.1']);
  });

  test.each<readonly [string, readonly Node[]]>([
    [
      'parts made to one pattern',
      [
        ['Produce the film on springs', {}, [['Write the rain script'], ['Record the rain voice']]],
        ['Produce the film on floods', {}, [['Write the rain script'], ['Record the rain voice']]],
      ],
    ],
    [
      'what many parts have one of',
      [
        ['Open the account pages', {}, [['Write unit tests'], ['Mail a new password']]],
        ['Open the diary', {}, [['Write unit tests'], ['Show the days of a month']]],
      ],
    ],
    [
      'what is done again on purpose',
      [
        ['Load the lorry', {}, [['Weigh the lorry'], ['Lash the boxes']]],
        ['Unload it', {}, [['Weigh the lorry again'], ['Carry the boxes in']]],
      ],
    ],
    [
      'other numbers',
      [
        ['Open the account pages', {}, [['Import member list 2023'], ['Mail a new password']]],
        ['Open the diary', {}, [['Import member list 2024'], ['Show the days of a month']]],
      ],
    ],
  ])('not so: %s', (_case, parts) => {
    expect(findings(planFrom([...parts, ['Show the shop to the first guest']]))).toEqual([]);
  });
});

describe('the whole', () => {
  const part = (words: string, members: Partial<Goal> = {}): Node => [
    words,
    members,
    [[`Choose wood for ${words}`], [`Saw wood for ${words}`]],
  ];

  test('that no goal at the end shows at work is found', () => {
    const parts = [part('shelves'), part('counters'), part('doors')];
    expect(findings(planFrom(parts))).toEqual(['NO_CLOSING_CHECK root']);
    expect(findings(planFrom([...parts, ['Serve ten invited guests as a trial']]))).toEqual([]);
    expect(findings(planFrom([part('shelves'), ['Buy a lamp'], ['Buy a bell']]))).toEqual([]);
  });

  test('of parts that follow each other, and of a last goal that joins them, no closing check is missed', () => {
    const after = (...numbers: readonly string[]) => ({ dependencies: numbers.map(id) });
    const row = [part('shelves'), part('counters', after('1')), part('doors', after('2'))];
    expect(findings(planFrom(row))).not.toContain('NO_CLOSING_CHECK root');
    const bake = (...numbers: readonly string[]): Node => ['Bake rye in the shop', after(...numbers)];
    const apart = [part('shelves'), part('counters')];
    expect(findings(planFrom([...apart, bake('1.1', '2.1')]))).toEqual([]);
    expect(findings(planFrom([...apart, bake('1.1')]))).toEqual(['NO_CLOSING_CHECK root']);
    // One that comes behind all of them by a chain, with what clears up behind it.
    const open = (...numbers: readonly string[]): Node => ['Open the doors', after(...numbers)];
    const sweep: Node = ['Sweep the yard', after('5'), [['Order a skip'], ['Sweep it']]];
    const chained = (...numbers: readonly string[]) =>
      findings(planFrom([...apart, part('signs', after(...numbers)), open('3.1'), bake('4'), sweep]));
    expect(chained('1', '2')).not.toContain('NO_CLOSING_CHECK root');
    expect(chained('1')).toContain('NO_CLOSING_CHECK root');
  });

  test('a part that waits for another as a whole, though its goals have nothing to do with it, is found', () => {
    const rooms: Node = ['Paint the rooms', {}, [['Choose colours'], ['Cover the floor'], ['Paint walls']]];
    const stock = (members: Partial<Goal> = {}): Node => [
      'Fill the stock',
      members,
      [['Order flour'], ['Order sugar'], ['Hire a lorry']],
    ];
    const last: Node = ['Show the shop to the first guest'];
    expect(findings(planFrom([rooms, stock({ dependencies: [id('1')] }), last]))).toEqual(['WIDE_WAIT 2 1']);
    expect(findings(planFrom([rooms, stock(), last]))).toEqual([]);
    // What comes last comes after the others for good reasons.
    expect(findings(planFrom([rooms, last, stock({ dependencies: [id('1')] })]))).not.toContain(
      'WIDE_WAIT 3 1',
    );
  });
});

describe('a decision that was changed', () => {
  const decided = (choice: string | null) => ({
    decisions: [{ what: 'Web framework', choice, confirmed: true }],
  });
  const event = (choice: string) =>
    ({ type: 'decision_made', goal: id(''), what: 'web framework', choice }) as unknown as PlanEvent;
  const parts: readonly Node[] = [
    ['Write the Django models for orders'],
    ['Send the weekly letter', { acceptance: ['HTMX shows it'] }],
    ['Move what was tried with Django to FastAPI'],
    ['Show the shop to the first guest'],
  ];

  test('is named in the goals that still say the former choice', () => {
    const events = [event('Django with HTMX'), event('FastAPI')];
    expect(findings(planFrom(parts, decided('FastAPI')), events)).toEqual([
      'STALE_DECISION 1 root',
      'STALE_DECISION 2 root',
    ]);
  });

  test('is nothing where the choice is what it was', () => {
    expect(findings(planFrom(parts, decided('FastAPI')), [event('FastAPI')])).toEqual([]);
    expect(findings(planFrom(parts, decided('Weekly')), [event('Every day'), event('Weekly')])).toEqual([]);
  });
});

test('a plan of ten thousand goals, all alike, hostile or long, is judged and nothing is said without end', () => {
  const words = (at: number) =>
    [
      'Build the login form',
      `${'a, '.repeat(5000)}b`,
      '\u202Eand '.repeat(900),
      'Review everything',
      '((((*',
    ][at % 5];
  const plan = planFrom(
    Array.from({ length: 100 }, (_part, at): Node => [
      `Part ${at}`,
      {
        acceptance: [`Every one of ${at} hats is sold to a duke`],
        dependencies: at === 0 ? [] : [id(String(at))],
      },
      Array.from({ length: 100 }, (_leaf, index): Node => [
        words(index) ?? '',
        { size: 'S', acceptance: ['Done'] },
      ]),
    ]),
  );
  const found = judgePlan(plan, []);
  expect(found.length).toBeGreaterThan(100);
  for (const { message } of found) {
    expect(message.length).toBeLessThanOrEqual(400);
    expect(message).not.toMatch(/[\u202E\n]/u);
  }
});
