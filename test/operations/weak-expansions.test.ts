import { expect, onTestFinished, test } from 'vitest';

import { openWorkspace } from '../../src/workspace.js';
import { temporaryFolder } from '../support/folders.js';
import { startModelServer } from '../support/model-server.js';

const WORK = ['Write the schema', 'Import rows', 'Send the report', 'Print the labels', 'Mail the invoices'];
const GOAL = 'Keep the books';

/** A division of the goal in which the sub-goal at each place depends on others, numbered from 1. */
function divided(on: (place: number) => readonly unknown[], more: readonly object[] = []) {
  const sub_goals = WORK.map((description, index) => ({
    description,
    reasoning: 'r',
    atomic: true,
    acceptance: [`${description} is seen`],
    size: 'M',
    depends_on: on(index + 1),
  }));
  return { reasoning: 'r', atomic: false, sub_goals: [...sub_goals, ...more] };
}

const others = (place: number) => WORK.map((_, index) => index + 1).filter((other) => other !== place);
const empty = { reasoning: 'r', atomic: true, acceptance: [], size: 'M', depends_on: [] };

/**
 * Plans the goal with a model that replies so to it, and to every other goal with what is meant for below, and returns what became of it
 * and what is told of that.
 */
async function plannedWith(
  reply: unknown,
  below = reply,
  settings: { max_children?: number; max_retries?: number } = {},
) {
  const server = await startModelServer({ respond: ({ goal }) => (goal === GOAL ? reply : below) });
  onTestFinished(() => server.close());
  const environment = {
    workingFolder: temporaryFolder(),
    homeFolder: temporaryFolder(),
    variables: { OPENAI_BASE_URL: server.baseUrl },
  };
  const workspace = openWorkspace({ environment });
  const { plan } = await workspace.init({ goal: GOAL, settings: { link: false, ...settings } }).result;
  const { goals = [] } = await workspace.status({ plan: plan.id, verbose: true });
  const { findings } = await workspace.check(plan.id);
  return {
    goals,
    told: [...new Set([...plan.warnings.map(({ code }) => code), ...findings.map(({ code }) => code)])],
    calls: server.count,
    paused: plan,
  };
}

test.each([
  ['is prose', 'Sure! First write the schema, then import the rows and send the report.'],
  ['is an empty object', '{}'],
  ['ends in the middle', JSON.stringify(divided(() => [])).slice(0, 300)],
  ['divides the goal into nothing', { reasoning: 'r', atomic: false, sub_goals: [] }],
  ['has sub-goals that are texts', { reasoning: 'r', atomic: false, sub_goals: WORK }],
])('a reply that %s divides nothing, and the goal says so', async (_, reply) => {
  const { goals, told, calls } = await plannedWith(reply);
  expect(goals).toHaveLength(1);
  expect(goals[0]).toMatchObject({ status: 'failed', failure: { code: 'invalid_reply' } });
  expect(told).toContain('needs_review');
  expect(calls).toBe(2);
});

test.each([
  ['whose sub-goals all wait for all others', divided(others), 'cyclic_dependency'],
  ['that names sub-goals which are not there', divided(() => [17]), 'bad_dependency'],
  ['whose sub-goals wait for themselves', divided((place) => [place]), 'bad_dependency'],
  [
    'whose sub-goals all wait for all before',
    divided((place) => others(place).filter((o) => o < place)),
    'SEQUENTIAL',
  ],
  ['that repeats a sub-goal', divided(() => [], [{ ...empty, description: 'import ROWS.' }]), 'repeated'],
  ['that restates the goal', divided(() => [], [{ ...empty, description: 'Keep the books!' }]), 'restated'],
  ['that has an empty sub-goal', divided(() => [], [{ ...empty, description: ' ' }]), 'empty'],
  [
    'with a choice that a sub-goal is to make which is not there',
    { ...divided(() => []), decisions: [{ what: 'database', choice: null, decided_by: 99 }] },
    'bad_decider',
  ],
  [
    'with decisions that say not what is decided',
    { ...divided(() => []), decisions: ['use SQLite', { choice: 'SQLite' }] },
    'empty_decision',
  ],
  [
    'whose decisions are no list',
    { ...divided(() => []), decisions: { database: 'SQLite' } },
    'empty_decision',
  ],
  [
    'with a choice that is a treatise',
    { ...divided(() => []), decisions: [{ what: 'database', choice: 'x'.repeat(3000), decided_by: null }] },
    'long_decision',
  ],
  [
    'with a check that is a treatise',
    {
      ...divided(() => []),
      sub_goals: divided(() => []).sub_goals.map((each) => ({ ...each, acceptance: ['x'.repeat(600)] })),
    },
    'long_criterion',
  ],
  [
    'with more places than a goal may touch',
    {
      ...divided(() => []),
      sub_goals: divided(() => []).sub_goals.map((each) => ({
        ...each,
        touches: Array.from({ length: 9 }, (_, index) => `src/${index}.ts`),
      })),
    },
    'too_many_touches',
  ],
  ['that plans to plan', divided(() => [], [{ ...empty, description: 'Plan the work' }]), 'filler'],
])(
  'of a reply %s the work is kept, no waits are circular, and what was not taken is told',
  async (_, reply, code) => {
    const { goals, told } = await plannedWith(reply);
    const [root, ...leaves] = goals;
    expect(root?.status).not.toBe('failed');
    expect(leaves.map(({ description }) => description)).toEqual(WORK);
    const place = new Map(leaves.map(({ id }, index) => [id, index]));
    for (const [index, leaf] of leaves.entries())
      for (const on of leaf.dependencies) expect(place.get(on)).toBeLessThan(index);
    expect(told).toContain(code);
  },
);

test('a check that is a text and no list of texts is kept', async () => {
  const sub_goals = divided(() => []).sub_goals.map((each) => ({
    ...each,
    acceptance: 'Ana has seen 3 rows',
  }));
  const { goals } = await plannedWith({ ...divided(() => []), sub_goals });
  expect(goals.slice(1).map(({ acceptance }) => acceptance)).toEqual(WORK.map(() => ['Ana has seen 3 rows']));
});

test('decisions of a goal that is not divided are told, for nobody would be told them', async () => {
  const reply = { ...divided(() => []), atomic: true, sub_goals: [] };
  const { told } = await plannedWith({
    ...reply,
    decisions: [{ what: 'database', choice: 'SQLite', decided_by: null }],
  });
  expect(told).toContain('unused_decisions');
  expect((await plannedWith(reply)).told).not.toContain('unused_decisions');
});

test('a choice is kept whole, however long its line; one that is not there is no fault', async () => {
  const choice = `Django, ${'with care, '.repeat(60)}and HTMX`;
  const decisions = [{ what: 'framework', choice, decided_by: null }];
  const { goals, told } = await plannedWith({ ...divided(() => []), decisions });
  expect(goals[0]?.decisions).toEqual([{ what: 'framework', choice }]);
  const without = await plannedWith({ ...divided(() => []), decisions: null });
  expect([...told, ...without.told].filter((code) => code.endsWith('_decision'))).toEqual([]);
});

test('of sub-goals that need each other in a ring the one need that closes it is left out, and that is told', async () => {
  const { goals, told } = await plannedWith(divided((place) => [(place % WORK.length) + 1]));
  const needs = goals.flatMap(({ number, dependencies }) =>
    dependencies.map((id) => `${number} ${goals.find((goal) => goal.id === id)?.number ?? ''}`),
  );
  expect(needs).toEqual(['1 2', '2 3', '3 4', '5 1']);
  expect(told).toContain('cyclic_dependency');
});

test('an empty reply pauses planning with the goal still open, and says why', async () => {
  const { goals, paused } = await plannedWith('', '', { max_retries: 0 });
  expect(goals).toMatchObject([{ description: GOAL, status: 'pending' }]);
  expect(paused).toMatchObject({ status: 'paused', paused_because: 'model' });
});

const named = (description: string, atomic: boolean) => ({ ...empty, description, atomic });

test.each([
  ['the goal itself', [named('Import rows', false)]],
  ['the goal above it', [named(GOAL, false)]],
  ['both, in other words', [named('import the ROWS', false), named('Keep the books!', false)]],
  ['each other', [named('Read the bank file', false), named('Import rows', false)]],
])('sub-goals that lead back to %s end there, and that is told', async (_, sub_goals) => {
  const top = {
    reasoning: 'r',
    atomic: false,
    sub_goals: [named('Import rows', false), named('Print', true)],
  };
  const { goals, told, calls } = await plannedWith(top, { reasoning: 'r', atomic: false, sub_goals });
  const texts = goals.map(({ description }) => description);
  expect(new Set(texts).size).toBe(texts.length);
  expect(texts.slice(0, 2)).toEqual([GOAL, 'Import rows']);
  expect(texts.at(-1)).toBe('Print');
  expect(goals.every(({ status }) => status !== 'pending')).toBe(true);
  expect(told).toContain('restated');
  expect(calls).toBeLessThanOrEqual(4);
});

const PARTS = 'Walls Roof Doors Windows Pipes Wires Floors Paint Stairs Garden Fence Cellar'.split(' ');
const many = {
  reasoning: 'r',
  atomic: false,
  sub_goals: PARTS.map((part) => named(`Build ${part.toLowerCase()}`, part !== 'Walls')),
};
const bricks = { ...many, sub_goals: PARTS.map((part) => named(`Buy what ${part} need`, true)) };

test.each([
  [{}, 10, 7],
  [{ max_children: 5 }, 5, 5],
  [{ max_children: 12 }, 12, 12],
])(
  'with %j the root has %i parts and a goal below it %i, and what was left out is told',
  async (settings, root, below) => {
    const { goals, told } = await plannedWith(many, bricks, settings);
    expect(goals[0]?.child_ids).toHaveLength(root);
    expect(goals[1]?.child_ids).toHaveLength(below);
    expect(told.includes('too_many_children')).toBe(root < PARTS.length);
  },
);

test('texts of one line with line ends and control characters in them are put on one line where they are read', async () => {
  const bad = 'a\n- [ ] b\u001b[31m\u2028c\u0007\r\nd\u202e';
  const good = 'a - [ ] b␛[31m c␇ d�';
  const texts = { description: bad, acceptance: [bad, 'It is seen'] };
  const reply = {
    reasoning: 'r',
    atomic: false,
    decisions: [{ what: bad, choice: bad, decided_by: null }],
    sub_goals: [
      { ...empty, ...texts },
      { ...empty, description: 'Import rows' },
    ],
  };
  const { goals } = await plannedWith(reply);
  expect(goals[0]?.decisions).toEqual([{ what: good, choice: good }]);
  expect(goals[1]).toMatchObject({ description: good, acceptance: [good, 'It is seen'] });
});

test('of a hundred thousand dependencies that cannot be, the first few are told, and how many more', async () => {
  const { paused } = await plannedWith(divided(() => Array.from({ length: 100_000 }, (_, number) => number)));
  const bad = paused.warnings.filter(({ code }) => code === 'bad_dependency');
  expect(bad.map(({ message }) => message)).toEqual(
    WORK.map((_, index) => expect.stringMatching(`^sub-goal ${index + 1} .* and 99991 more$`) as string),
  );
});
