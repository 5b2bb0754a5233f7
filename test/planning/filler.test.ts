import { describe, expect, onTestFinished, test } from 'vitest';

import type { SubGoal } from '../../src/plan/expansion.js';
import { isFiller, withoutFillerGoals } from '../../src/planning/sanitize/filler.js';
import { sanitizeExpansion } from '../../src/planning/sanitize/sanitize-expansion.js';
import { newUser, summaryOf } from '../support/command.js';
import { startModelServer } from '../support/model-server.js';
import { goal, planOf } from '../support/plans.js';

const ABOVE = ['Open a bakery', 'Equip the kitchen'];

test('warnings name sub-goals by their numbers in the reply, though filler before them was dropped', () => {
  const sub = (description: string, depends_on: number[] = []): SubGoal => ({
    description,
    atomic: true,
    reasoning: 'r',
    depends_on,
  });
  const sub_goals = [
    sub('Plan the work'),
    sub('Draw it'),
    sub('Print it', [9, 2, 1, 3]),
    sub('Review everything'),
    sub('draw it'),
    sub('  '),
    sub('Sell it', [7]),
  ];
  const decisions = [{ what: 'db', choice: null, decided_by: 9 }];
  const { expansion } = withoutFillerGoals({ atomic: false, reasoning: 'r', sub_goals, decisions }, ABOVE);
  const root = goal('root', { description: 'Open a bakery', status: 'pending' });
  const plan = planOf([root]);
  const { warnings, subGoals } = sanitizeExpansion(expansion, plan, root, 7);
  expect(subGoals.map(({ description, dependencies }) => [description, dependencies])).toEqual([
    ['Draw it', []],
    ['Print it', [0]],
    ['Sell it', []],
  ]);
  expect(warnings.map(({ message }) => message)).toEqual([
    'sub-goal 5 repeated sub-goal 2 and was dropped',
    'sub-goal 6 had no description and was dropped',
    '“db” cannot be decided by sub-goal 9, which is not there; it stays open',
    'sub-goal 3 cannot depend on 9, 3',
    'sub-goal 7 cannot depend on 7',
  ]);
});

describe('what manages the work instead of doing a part of it', () => {
  test.each([
    'Plan the work',
    'plan work.',
    'Plan out the whole project',
    'Plan everything',
    'Plan and organize the remaining work',
    'Please plan the entire project carefully.',
    '1. Plan the work',
    '**Plan the work**',
    'Break down the task',
    'Break the task down',
    'Break down the task into smaller sub-tasks',
    'Break the project down into clear, manageable steps',
    'Break down the goal into sub-goals',
    'Decompose the goal',
    'Divide the work into manageable pieces',
    'Split the project into phases',
    'Create a plan',
    'Make a detailed plan for the project',
    'Develop a comprehensive project plan',
    'Write an action plan',
    'Draft the implementation plan',
    'Identify all sub-goals',
    'List the required subtasks',
    'Define the sub-tasks needed',
    'Review everything',
    'Review the work',
    'Review all the work above',
    'Review and finalize everything',
    'Finally, review everything once more',
    'Double-check everything for errors',
    'Check everything',
    'Review the whole project for quality and completeness',
    'Review all of the above',
    'Go over everything again',
    'Evaluate the overall project',
    'Do the work',
    'Do the rest',
    'Execute the plan',
    'Carry out the remaining tasks',
    'Complete the task',
    'Complete all remaining work',
    'Finish everything that is left',
    'Finish the project',
    'Implement everything else',
    'Coordinate the sub-goals',
    'Manage the project',
    'Make sure everything is done',
    'Ensure that all the work is complete',
    'Verify that everything is in order',
    'Understand the task',
    'Analyze the goal',
    'PLAN THE WORK!',
    'Ｐlan the work',
  ])('is “%s”', (description) => expect(isFiller(description, ABOVE)).toBe(true));

  test.each([
    'Review pull request 12',
    'Plan the database migration',
    'Plan the opening party',
    'Plan the week of the opening',
    'Plan the project budget',
    'Plan the route from mill to oven',
    'Planning',
    'Review',
    'Review the contract with the landlord',
    'Review the plans of the architect',
    'Review the results of the taste test',
    'Check the oven',
    'Check all parts of the mixer',
    'Check everything into the warehouse',
    'Complete the tax form',
    'Complete a task',
    'Complete tasks',
    'List tasks',
    'List all tasks of a user',
    'Define the tasks table',
    'Split the monolith into services',
    'Split the task queue into shards',
    'Split the work between the two shifts',
    'Break down the wall between kitchen and shop',
    'Break down costs by supplier',
    'Decompose the matrix',
    'Divide the dough into pieces',
    'Create a test plan',
    'Create a floor plan',
    'Write a business plan',
    'Create a plan for the database migration',
    'Create a plan of the kitchen',
    'Execute the migration plan on staging',
    'Do the dishes',
    'Do the work permit application',
    'Finish the facade',
    'Start the oven',
    'Start the work of the electrician',
    'Implement it',
    'Test it',
    'Test everything',
    'Document everything',
    'Deploy everything',
    'Set up the project',
    'Create the project',
    'Start the project',
    'Start the job',
    'Check the job of last night',
    'Prepare the work',
    'Structure the project',
    'Understand the requirements of the inspector',
    'Analyze the problem',
    'Make sure everything works without power',
    'Work',
    'Everything',
    '',
    '…',
    'Die Arbeit planen',
    `Review the work ${'and then the next part of it '.repeat(10)}`,
  ])('is not “%s”', (description) => expect(isFiller(description, ABOVE)).toBe(false));

  test.each([
    ['Review the plan', 'Write a business plan'],
    ['Create a plan', 'Plan a wedding for 80 guests'],
    ['Complete the project', 'Build a tracker of projects'],
    ['Complete the task', 'Build a to-do app for tasks'],
    ['Review the work', 'Exhibit the work of young painters'],
    ['Review the goal', 'Write down goals for the season'],
  ])('is not “%s” below “%s”, which is about such a thing', (description, root) => {
    expect(isFiller(description, [root, 'Equip the kitchen'])).toBe(false);
    expect(isFiller(description, ABOVE)).toBe(true);
  });

  test('is looked for in no time, however long and odd a description is', () => {
    const odd = [
      'plan and '.repeat(20_000),
      `plan ${'the '.repeat(35)}x`,
      `split ${'more, '.repeat(25)}x`,
      ' '.repeat(1e6),
    ];
    for (const description of odd) expect(isFiller(description, ABOVE)).toBe(false);
  });
});

const sub = (description: string, depends_on: number[] = []): SubGoal => ({
  description,
  atomic: true,
  reasoning: 'r',
  depends_on,
});

describe('an expansion without it', () => {
  const left = (...subGoals: readonly SubGoal[]) => {
    const { expansion, warnings } = withoutFillerGoals(
      { atomic: false, reasoning: 'r', sub_goals: subGoals },
      ABOVE,
    );
    return {
      subGoals: expansion.sub_goals.map(({ description, depends_on }) => [description, depends_on]),
      codes: warnings.map(({ code }) => code),
    };
  };

  test('keeps the order: what came after something dropped comes after what that came after', () => {
    const kept = left(
      sub('Plan the work'),
      sub('Buy an oven', [1]),
      sub('Review everything', [2]),
      sub('Do the rest', [3, 1]),
      sub('Bake', [4]),
      sub('Sell', [5, 99, 0]),
    );
    expect(kept.subGoals).toEqual([
      ['Buy an oven', []],
      ['Bake', [1]],
      // What is no sub-goal's number stays so.
      ['Sell', [2, 96, 0]],
    ]);
    expect(kept.codes).toEqual(['filler', 'filler', 'filler']);
  });

  test('keeps what another sub-goal is about', () => {
    const kept = left(sub('Write an emergency plan'), sub('Review the plan', [1]), sub('Plan the work'));
    expect(kept.subGoals).toEqual([
      ['Write an emergency plan', []],
      ['Review the plan', [1]],
    ]);
    expect(left(sub('Plan the party'), sub('Execute the plan')).subGoals).toEqual([['Plan the party', []]]);
    // A verb makes no subject of it.
    expect(left(sub('Make the oven work'), sub('Review the work')).codes).toEqual(['filler']);
  });

  test('is the same when there is none, and has nothing left when there was nothing else', () => {
    expect(left(sub('Buy an oven', [1]), sub('Bake', [1])).subGoals).toEqual([
      ['Buy an oven', [1]],
      ['Bake', [1]],
    ]);
    expect(left(sub('Plan the work', [2]), sub('Do the work', [1])).subGoals).toEqual([]);
  });

  test('takes no time for hundreds that depend on each other', () => {
    const many = Array.from({ length: 500 }, (_, index) =>
      sub(
        'Plan the work',
        Array.from({ length: 500 }, (__, number) => (number + index) % 502),
      ),
    );
    expect(left(...many, sub('Bake', [500])).subGoals).toEqual([['Bake', [0]]]);
  });
});

test('a model that plans the planning gets the work planned all the same, and the plan says what was dropped', async () => {
  const server = await startModelServer({
    tree: {
      description: 'Open a bakery',
      atomic: false,
      children: [
        { description: 'Plan the work', atomic: true },
        { description: 'Buy an oven', atomic: true, depends_on: [1] },
        { description: 'Hire a baker', atomic: true, depends_on: [1] },
        { description: 'Review everything', atomic: true, depends_on: [2, 3] },
      ],
    },
  });
  onTestFinished(() => server.close());
  const user = newUser();
  const ended = await user.run(['init', 'Open a bakery', '--json'], { OPENAI_BASE_URL: server.baseUrl });
  expect(summaryOf(ended.json()).warnings).toMatchObject([
    { code: 'filler', message: expect.stringContaining('sub-goal 1 (“Plan the work”)') },
    { code: 'filler', message: expect.stringContaining('sub-goal 4 (“Review everything”)') },
  ]);
  expect((await user.run(['tree'])).out).toMatch(/├─ ● 1 Buy an oven\n└─ ● 2 Hire a baker\n$/);
  // A person's own words are not judged.
  const own = newUser();
  await own.run(['init', 'Buy an oven, plan the work and review everything', '--expander', 'rules']);
  expect((await own.run(['tree'])).out).toContain('review everything');
});
