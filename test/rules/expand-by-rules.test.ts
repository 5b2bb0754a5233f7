import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';

import { expansionSchema } from '../../src/plan/expansion.js';
import { expandByRules } from '../../src/features/rules/expand-by-rules.js';
import { methodSchema } from '../../src/features/rules/method-schema.js';
import { browserMethods, builtInMethods, parseMethod } from '../../src/features/rules/methods.js';
import { scale } from '../faults/support/scale.js';

const methods = builtInMethods();

/** The depth of the whole tree below a goal; checks every verdict on the way. */
function depthOf(goal: string): number {
  const expansion = expansionSchema.parse(expandByRules(goal, methods));
  expect(expansion.atomic).toBe(expansion.sub_goals.length === 0);
  let depth = 0;
  for (const { description, atomic } of expansion.sub_goals) {
    expect(description).not.toBe(goal);
    if (atomic) continue;
    const below = depthOf(description);
    expect(below).toBeGreaterThan(0);
    depth = Math.max(depth, below);
  }
  return expansion.atomic ? 0 : depth + 1;
}

describe('expandByRules', () => {
  test('divides a REST API with authentication, which is divided in turn', () => {
    const { sub_goals: subGoals, reasoning } = expandByRules('Build a REST API with authentication', methods);
    expect(reasoning).toMatch(/^Method rest-api: /);
    expect(subGoals.map(({ description, atomic, depends_on: on }) => [description, atomic, on])).toEqual([
      ['List the resources, operations and error cases of the API', true, []],
      ['Write the OpenAPI description with request, response and error schemas', true, [1]],
      ['Create the data model and its persistence', true, [1]],
      ['Implement the endpoints with input validation and uniform error responses', true, [2, 3]],
      ['Add authentication to the API', false, [4]],
      ['Write contract and integration tests for every endpoint', true, [5]],
      ['Publish the API reference with an example request for each endpoint', true, [6]],
    ]);
    expect(expandByRules('Add authentication to the API', methods).reasoning).toMatch(
      /^Method authentication: /,
    );
  });

  test('splits several goals first, so that a method can fit each', () => {
    const { sub_goals: subGoals } = expandByRules(
      'Build a REST API for a shop, then deploy the app',
      methods,
    );
    expect(subGoals.map(({ atomic, depends_on: on }) => [atomic, on])).toEqual([
      [false, []],
      [false, [1]],
    ]);
  });

  test('leaves out what an unfilled slot asks for and keeps the order across it', () => {
    const { sub_goals: subGoals } = expandByRules('Build a REST API', methods);
    expect(subGoals).toHaveLength(6);
    expect(subGoals[4]?.depends_on).toEqual([4]);
  });

  test('gives one sub-goal for a long list of features, which is a list itself', () => {
    const { sub_goals: subGoals } = expandByRules(
      'Build a REST API with authentication, search and logging',
      methods,
    );
    expect(subGoals).toHaveLength(7);
    expect(subGoals[4]).toMatchObject({
      description: 'Add authentication, search and logging to the API',
      atomic: false,
    });
  });

  test('says so when nothing fits', () => {
    expect(expandByRules('Paint the kitchen', methods)).toMatchObject({
      atomic: true,
      reasoning: expect.stringMatching(/^No method fits this goal/),
      sub_goals: [],
    });
  });

  test('a method that would come up again below itself does not fit', () => {
    const endless = parseMethod(
      `name: endless
title: Endless
reasoning: Never ends.
fits: [{ verbs: [grow], object: [[tree]] }]
slots: { place: { after: [in], default: the garden } }
sub_goals:
  - { id: more, do: 'Grow a bigger tree in {place} there', expand: true }
  - { id: most, do: 'Grow the biggest tree in {place} there', expand: true }
`,
      'endless.yaml',
    );
    expect(expandByRules('Grow a tree in the yard', [endless]).atomic).toBe(true);
  });

  test('is total, deterministic and ends within six levels', () => {
    const words = fc.constantFrom(
      ...'build add a the REST API app with for and , then ; : authentication search logging deploy it tests write to fix bug web mobile dashboard payments after before running'.split(
        ' ',
      ),
    );
    const goals = fc.oneof(
      fc.string(),
      fc.string({ unit: 'grapheme' }),
      fc.array(words, { maxLength: 30 }).map((list) => list.join(' ')),
    );
    fc.assert(
      fc.property(goals, (goal) => {
        expect(expandByRules(goal, methods)).toEqual(expandByRules(goal, methods));
        expect(depthOf(goal)).toBeLessThanOrEqual(6);
      }),
      { numRuns: scale(500, 80) },
    );
  });

  test.each([
    'a',
    '(',
    '((a',
    'and ',
    ', and add ',
    '"',
    "'",
    '1) ',
    'a: ',
    'e.g. ',
    'http://',
    ' ',
    '\n',
    'then ',
    '{subject}',
    'a.b ',
  ])('100,000 characters of %j are a goal like any other', (piece) => {
    const long = expandByRules(`Build a REST API with ${piece.repeat(100_000 / piece.length)}`, methods);
    const short = expandByRules(piece.repeat(3990 / piece.length), methods);
    for (const { atomic, sub_goals } of [long, short]) expect(sub_goals.length > 0).toBe(!atomic);
  });
});

test('the schema of method files can be published', () => {
  const schema = z.toJSONSchema(methodSchema, { io: 'input' });
  expect(schema).toMatchObject({
    title: 'Method',
    required: ['name', 'title', 'reasoning', 'fits'],
    oneOf: [{ required: ['sub_goals'] }, { required: ['steps'] }, { required: ['amends'] }],
  });
});

test('a slot ends at a comma behind which no list goes on', () => {
  const [first] = expandByRules(
    'Write a literature review on fish, 6000 words, due May 2',
    methods,
  ).sub_goals;
  expect(first?.description).toBe('Settle question on fish, limits and form with who judges it');
});

test('what is wanted is no complaint, though "the cost" stands in it', () => {
  const goal = 'I want full text search on our site because of the cost';
  expect(JSON.stringify(expandByRules(goal, methods))).toMatch(/^(?!.*No longer so).*To bear in mind: /);
});

describe('methods with steps', () => {
  const all = [...methods, ...browserMethods()];

  test('take a browser request as one goal, for its clauses are steps', () => {
    const request = 'open https://example.com, then type "rust" into search and press enter; click "Docs"';
    expect(expandByRules(request, all)).toEqual({
      atomic: true,
      reasoning: 'A browser request, each clause of which is a step or a part of one.',
      sub_goals: [],
    });
  });

  test('leave a goal alone that only names an address', () => {
    const goal = 'Open https://example.com/issues/3, then fix the bug';
    expect(expandByRules(goal, all).sub_goals.map(({ description }) => description)).toEqual([
      'Open https://example.com/issues/3',
      'Fix the bug',
    ]);
    expect(expandByRules('Select a database', all).reasoning).toMatch(/^No method/);
  });

  test('make the goals they fit atomic and say so', () => {
    const restart = parseMethod(RESTART, 'restart.yaml');
    const { atomic, reasoning } = expandByRules('Restart the billing service on web-1', [restart, ...all]);
    expect([atomic, reasoning]).toEqual([true, 'Method restart has its steps: The service manager does it.']);
    const { sub_goals: subGoals } = expandByRules('Fix the parser, then restart the service', [
      restart,
      ...all,
    ]);
    expect(subGoals[1]?.reasoning).toBe('Method restart has its steps: The service manager does it.');
  });
});

const RESTART = `name: restart
title: Restart a service
reasoning: The service manager does it.
fits: [{ verbs: [restart], object: [[service]] }]
slots: { host: { after: [on], default: localhost } }
steps:
  - { id: restart, tool: service.restart, args: { host: '{host}' } }
`;

test.each([
  ['Run a concert in the park and thank everybody for the help', 'the help'],
  ['Convert the parser of our compiler to Rust with the same output as today', 'the same output'],
])('a slot takes nothing of a second thing to do, or of how it is done: %s', (goal, never) => {
  const { sub_goals } = expandByRules(goal, methods);
  expect(sub_goals.length).toBeGreaterThan(3);
  expect(sub_goals.map(({ description }) => description).join('\n')).not.toContain(never);
});

test('a project for a fair is no fair, and jobs of a machine are no library', () => {
  for (const goal of [
    'school fair project with my son',
    'Move the nightly jobs from the old server to airflow',
  ])
    expect(JSON.stringify(expandByRules(goal, methods))).not.toMatch(/guests|list every use/i);
});

test('“finally” and “it” of three clauses are understood, and nobody waits for what comes long after the work', () => {
  const { sub_goals: rooms } = expandByRules(
    'First clear out the garage, then insulate it, and finally turn it into a home office',
    methods,
  );
  expect(rooms.map(({ description, depends_on: on }) => [description, on])).toEqual([
    ['Clear out the garage', []],
    ['Insulate the garage', [1]],
    ['Turn the garage into a home office', [2]],
  ]);
  // Its method ends with a look a month later.
  expect(rooms.map(({ atomic }) => atomic)).toEqual([true, true, false]);
  expect(expandByRules('Clear out the garage', methods).atomic).toBe(false);
});

test('a book of what was sorted waits for the sorting', () => {
  const waits = (goal: string) => expandByRules(goal, methods).sub_goals.map(({ depends_on: on }) => on);
  expect(waits('Sort 20 years of family photos and make a book for grandma')).toEqual([[], [1]]);
  expect(waits('Paint the fence and make a cake for the neighbours')).toEqual([[], []]);
});

test('parts of a goal that one method knows as one work are not divided twice', () => {
  const { sub_goals: parts } = expandByRules('Record three songs and release them as an EP', methods);
  expect(parts.map(({ atomic }) => atomic)).toEqual([true, true]);
});

test.each([
  ['Buy a smaller flat near the grandkids', 'near the grandkids'],
  ['Buy a smaller flat in Leipzig', 'in Leipzig'],
])('a place is named with its own preposition: %s', (goal, place) => {
  const titles = expandByRules(goal, methods).sub_goals.map(({ description }) => description);
  expect(titles.join('\n')).toContain(`areas ${place}`);
});

test('steps for what only some goals ask are left out, by the words of the goal', () => {
  const titles = (goal: string) =>
    expandByRules(goal, methods)
      .sub_goals.map(({ description }) => description)
      .join('\n');
  const checks = 'Set up CI for our Python monorepo so that pull requests get tested in 10 minutes';
  expect(titles(checks)).not.toMatch(/deploy|artefact|production/i);
  expect(titles(checks)).toContain('Split the slowest checks');
  expect(titles('Set up CI/CD for our monorepo')).toMatch(/Deploy the artefact/);
  expect(titles('Implement single sign-on with Okta for our internal admin tool')).not.toMatch(
    /organisation/,
  );
  expect(titles('Add single sign-on for our enterprise customers')).toMatch(/for each organisation/);
});

describe('no work is there twice', () => {
  test.each([
    'Write characterization tests for the billing code, then refactor it into modules',
    'Sell soap online: set up an Etsy shop, take good photos, work out pricing and shipping',
  ])('a part that would name another part again is left whole: %s', (goal) => {
    const { sub_goals } = expandByRules(goal, methods);
    expect(sub_goals.length).toBeGreaterThan(1);
    expect(
      sub_goals.filter(({ description }) => /refactor|shop/i.test(description)).map(({ atomic }) => atomic),
    ).toEqual([true]);
  });

  test('what a method has among its steps is not added once more', () => {
    const { sub_goals } = expandByRules('Add subscriptions with plans, a trial and invoices', methods);
    expect(sub_goals.filter(({ description }) => /^add /i.test(description))).toEqual([]);
    const database = expandByRules('Set up a database with backups and replication', methods);
    expect(database.sub_goals.filter(({ description }) => /^add /i.test(description))).toEqual([
      expect.objectContaining({ description: 'Add replication to the database' }),
    ]);
  });

  test('a method that ends with publishing does so in the words of the goal', () => {
    const { sub_goals } = expandByRules('Build a Python library for dates and publish it to PyPI', methods);
    expect(sub_goals.filter(({ description }) => /publish/i.test(description))).toEqual([
      expect.objectContaining({ description: 'Publish the Python library to PyPI', depends_on: [4, 5] }),
    ]);
  });
});
