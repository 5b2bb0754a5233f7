import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, onTestFinished, test } from 'vitest';

import { openWorkspace } from '../../src/index.js';
import type { LevelVerdict, ProposedLevel } from '../../src/index.js';
import { temporaryFolder } from '../support/folders.js';
import { startModelServer } from '../support/model-server.js';

const KEY = { OPENAI_API_KEY: 'sk-test-0123456789abcdef' };

function place(variables: Readonly<Record<string, string>> = {}) {
  const folder = temporaryFolder();
  const environment = {
    workingFolder: folder,
    homeFolder: folder,
    variables: { XDG_CONFIG_HOME: join(folder, 'config'), ...variables },
  };
  return { folder, workspace: openWorkspace({ environment }) };
}

async function modelServer() {
  const server = await startModelServer({
    tree: {
      description: 'Paint the fence',
      atomic: false,
      children: [
        { description: 'Buy paint', atomic: true },
        { description: 'Sand it', atomic: true, depends_on: [1] },
        {
          description: 'Brush it on',
          atomic: false,
          depends_on: [2],
          children: [
            { description: 'First coat', atomic: true },
            { description: 'Second coat', atomic: true },
          ],
        },
      ],
    },
  });
  onTestFinished(() => server.close());
  return server;
}

const DOCUMENT =
  '# Shop\n\n## Cart\n\n1. Model the lines\n2. Draw them\n3. Draw the sum\n\n## Till\n\n- Take cash\n- Take cards\n';

test('a dry run of init shows the plan that init makes, and writes nothing', async () => {
  const { folder, workspace } = place();
  const goal = 'Paint the fence and water the roses and mow the lawn';
  const shown = await workspace.init({ goal, dryRun: true }).result;
  expect(readdirSync(folder)).toEqual([]);
  const made = await workspace.init({ goal }).result;
  const { goals } = await workspace.tree(made.plan.id);
  expect(shown.dry?.goals.map(({ number, description }) => [number, description])).toEqual(
    goals.map(({ number, description }) => [number, description]),
  );
  expect(made.dry).toBeUndefined();
});

const TICKETS = `# Backlog

## FEAT-201: Offline cache

- Store the stops in a table
- Read them at start

## FEAT-202: Sync

Depends on FEAT-201. Blocked by: #12 and BUG-101

- Send the queue
- Merge answers

## BUG-101: Crash on start

It ends before the first stop is there. Depends on BUG-101 and on nothing else.

## #12 Stops, depends on task 3

Requires FEAT-202.

## Table

| ID | Task | Depends on |
|-|-|-|
| T001 | Build the jar | |
| T002 | Fill the jar | T001, FEAT-201, FEAT-999 |
`;

test('goals of a document wait for those that they name by number, wherever these stand; a cycle is left out', async () => {
  const { folder, workspace } = place();
  writeFileSync(join(folder, 'tickets.md'), TICKETS);
  for (const dryRun of [true, false]) {
    const { dry, plan } = await workspace.init({ from: 'tickets.md', expander: 'rules', dryRun }).result;
    const goals = dry?.goals ?? (await workspace.tree(plan.id)).goals;
    const numbers = new Map(goals.map(({ id, number }) => [id, number]));
    const waits = goals.flatMap(({ number, dependencies }) =>
      dependencies.length === 0 ? [] : [`${number} ${dependencies.map((id) => numbers.get(id)).join(' ')}`],
    );
    // 2 and 4 name each other, so that neither waits.
    expect(waits).toEqual(['5.2 5.1 1']);
  }
  writeFileSync(join(folder, 'tickets.md'), TICKETS.replace('Requires FEAT-202.', 'Stops as they are.'));
  const { plan } = await workspace.init({ from: 'tickets.md', expander: 'rules' }).result;
  const { goals } = await workspace.tree(plan.id);
  const sync = goals.find(({ number }) => number === '2');
  expect(sync?.dependencies.map((id) => goals.find((goal) => goal.id === id)?.number)).toEqual([
    '1',
    '4',
    '3',
  ]);
});

test('a dry run asks no model: it shows what there is and what asking would take', async () => {
  const server = await modelServer();
  const { folder, workspace } = place(KEY);
  writeFileSync(join(folder, 'prd.md'), DOCUMENT);
  const settings = { model: 'small', base_url: server.baseUrl };
  const shown = await workspace.init({ from: 'prd.md', settings, dryRun: true }).result;
  expect(server.count).toBe(0);
  expect(readdirSync(folder)).toEqual(['prd.md']);
  expect(shown.dry?.goals.map(({ number }) => number)).toEqual([
    '',
    '1',
    '1.1',
    '1.2',
    '1.3',
    '2',
    '2.1',
    '2.2',
  ]);
  expect(shown.dry?.estimate).toMatchObject({ waiting_goals: 5 });
  expect(shown.dry?.estimate.calls.high).toBeGreaterThan(0);
});

test('a dry run of what init refuses is refused', async () => {
  const { folder, workspace } = place();
  await expect(workspace.init({ goal: ' ', dryRun: true }).result).rejects.toMatchObject({
    code: 'INVALID_INPUT',
  });
  await expect(
    workspace.init({ goal: 'Tidy', settings: { model: 'm' }, dryRun: true }).result,
  ).rejects.toMatchObject({ code: 'INVALID_CONFIG' });
  mkdirSync(join(folder, '.plans/methods'), { recursive: true });
  writeFileSync(join(folder, '.plans/methods/bad.yaml'), 'steps: 1');
  await expect(workspace.init({ goal: 'Tidy', dryRun: true }).result).rejects.toMatchObject({
    code: 'INVALID_METHOD',
  });
});

/** A person who answers by the goal that is asked about. */
function person(answers: Readonly<Record<string, (level: ProposedLevel) => LevelVerdict>>) {
  const asked: ProposedLevel[] = [];
  const accept = ({ subGoals }: ProposedLevel): LevelVerdict => ({
    kind: 'accepted',
    subGoals: subGoals.map(({ description }, index) => ({ from: index + 1, description })),
  });
  const onProposal = async (level: ProposedLevel) => {
    asked.push(level);
    return (answers[level.goal.description] ?? accept)(level);
  };
  return { asked, onProposal };
}

test('each level is looked at before it is stored: accepted, edited or dropped', async () => {
  const server = await modelServer();
  const { workspace } = place(KEY);
  const settings = { model: 'small', base_url: server.baseUrl };
  const { asked, onProposal } = person({
    'Paint the fence': () => ({
      kind: 'accepted',
      subGoals: [
        { from: 1, description: 'Buy green paint' },
        { from: 3, description: 'Brush it on' },
        { from: null, description: 'Wash the brushes' },
        { from: 2, description: '  ' },
      ],
    }),
    'Brush it on': () => ({ kind: 'dropped' }),
  });
  const { plan } = await workspace.init({ goal: 'Paint the fence', settings, review: true, onProposal })
    .result;
  const { goals } = await workspace.tree(plan.id);
  const numbers = new Map(goals.map(({ id, number }) => [id, number]));
  expect(
    goals.map(({ number, description, status, dependencies }) => [
      number,
      description,
      status,
      dependencies.map((id) => numbers.get(id)),
    ]),
  ).toEqual([
    ['', 'Paint the fence', 'decomposing', []],
    // What waited for a goal that is dropped waits for what that waited for.
    ['1', 'Buy green paint', 'atomic', []],
    ['2', 'Brush it on', 'atomic', ['1']],
    ['3', 'Wash the brushes', 'atomic', []],
  ]);
  expect(asked.map(({ goal }) => [goal.number, goal.description])).toEqual([
    ['', 'Paint the fence'],
    ['2', 'Brush it on'],
  ]);
  expect(asked[0]?.subGoals).toEqual([
    { description: 'Buy paint', after: [] },
    { description: 'Sand it', after: [1] },
    { description: 'Brush it on', after: [2] },
  ]);
  expect(goals[2]?.reasoning).toMatch(/dropped in review/);
});

test('whoever goes on another time leaves a plan that can be resumed, and nothing undecided in it', async () => {
  const server = await modelServer();
  const { workspace } = place(KEY);
  const settings = { model: 'small', base_url: server.baseUrl };
  const { onProposal } = person({ 'Brush it on': () => ({ kind: 'stopped' }) });
  const { plan, stopped } = await workspace.init({
    goal: 'Paint the fence',
    settings,
    review: true,
    onProposal,
  }).result;
  expect(stopped).toMatchObject({ code: 'INTERRUPTED' });
  expect(plan).toMatchObject({ total_goals: 4, pending_goals: 1, paused_because: 'user' });
  const { plan: resumed } = await workspace.resume().result;
  expect(resumed).toMatchObject({ status: 'complete', total_goals: 6 });
});

test('nothing is asked beyond the level that is looked at, so that leaving costs no other', async () => {
  const parts = ['Sand it', 'Prime it', 'Brush it on'];
  const children = parts.map((description) => ({
    description,
    atomic: false,
    children: [
      { description: `${description} left`, atomic: true },
      { description: `${description} right`, atomic: true },
    ],
  }));
  const server = await startModelServer({
    tree: { description: 'Paint the fence', atomic: false, children },
  });
  onTestFinished(() => server.close());
  const { workspace } = place(KEY);
  const settings = { model: 'small', base_url: server.baseUrl, link: false };
  const { onProposal } = person({ 'Sand it': () => ({ kind: 'stopped' }) });
  const { stopped } = await workspace.init({ goal: 'Paint the fence', settings, review: true, onProposal })
    .result;
  expect(stopped).toMatchObject({ code: 'INTERRUPTED' });
  expect(server.requests.map(({ goal }) => goal)).toEqual(['Paint the fence', 'Sand it']);
  expect((await workspace.resume().result).plan).toMatchObject({ status: 'complete', total_goals: 10 });
  expect(server.count).toBe(5);
});

test('the levels of a document are looked at too; what stood below a dropped goal is not asked about', async () => {
  const { folder, workspace } = place();
  writeFileSync(join(folder, 'prd.md'), DOCUMENT);
  const { asked, onProposal } = person({
    Shop: () => ({ kind: 'accepted', subGoals: [{ from: 1, description: 'Basket' }] }),
    Basket: () => ({
      kind: 'accepted',
      subGoals: [
        { from: 1, description: 'Model the lines' },
        { from: 3, description: 'Draw the sum' },
        { from: null, description: 'Try it' },
      ],
    }),
  });
  const { plan } = await workspace.init({ from: 'prd.md', review: true, onProposal }).result;
  expect(asked.map(({ goal }) => [goal.number, goal.description])).toEqual([
    ['', 'Shop'],
    ['1', 'Basket'],
  ]);
  const { goals } = await workspace.tree(plan.id);
  expect(goals.map(({ description }) => description)).toEqual([
    'Shop',
    'Basket',
    'Model the lines',
    'Draw the sum',
    'Try it',
  ]);
  expect(goals[3]?.dependencies).toEqual([goals[2]?.id]);
  expect(plan.status).toBe('complete');
});

test('a review of a document that is left stores nothing; without anybody to ask there is none', async () => {
  const { folder, workspace } = place();
  writeFileSync(join(folder, 'prd.md'), DOCUMENT);
  const { onProposal } = person({ Shop: () => ({ kind: 'stopped' }) });
  await expect(workspace.init({ from: 'prd.md', review: true, onProposal }).result).rejects.toMatchObject({
    code: 'INTERRUPTED',
    message: expect.stringContaining('nothing is stored') as string,
  });
  await expect(workspace.init({ from: 'prd.md', review: true }).result).rejects.toMatchObject({
    code: 'USAGE',
  });
  await expect(
    workspace.init({ from: 'prd.md', review: true, dryRun: true, onProposal }).result,
  ).rejects.toMatchObject({ code: 'USAGE' });
  await expect(
    workspace.init({ from: 'prd.md', review: true, settings: { expander: 'agent' }, onProposal }).result,
  ).rejects.toMatchObject({ code: 'USAGE' });
  expect(existsSync(join(folder, '.plans'))).toBe(false);
});
