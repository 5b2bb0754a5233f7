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

/** Plans the goal with a model that always replies the same, and returns what became of it and what is told of that. */
async function plannedWith(reply: unknown) {
  const server = await startModelServer({ respond: () => reply });
  onTestFinished(() => server.close());
  const environment = {
    workingFolder: temporaryFolder(),
    homeFolder: temporaryFolder(),
    variables: { OPENAI_BASE_URL: server.baseUrl },
  };
  const workspace = openWorkspace({ environment });
  const { plan } = await workspace.init({ goal: GOAL, settings: { link: false } }).result;
  const { goals = [] } = await workspace.status({ plan: plan.id, verbose: true });
  const { findings } = await workspace.check(plan.id);
  return {
    goals,
    told: [...new Set([...plan.warnings.map(({ code }) => code), ...findings.map(({ code }) => code)])],
    calls: server.count,
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
