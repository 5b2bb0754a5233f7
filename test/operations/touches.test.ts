import { expect, test } from 'vitest';

import { openWorkspace } from '../../src/index.js';
import type { EventPayload } from '../../src/plan/events.js';
import { expand, id, newWorkplace } from '../support/worked-plan.js';

async function place() {
  const made = await newWorkplace();
  const environment = { workingFolder: made.folder, homeFolder: made.home, variables: { FRCTL_BY: 'ana' } };
  const workspace = openWorkspace({ dir: made.store, environment });
  await made.change(expand('root', ['a', 'b', 'c']));
  await workspace.edit('1', { touches: ['src/auth/**'] });
  await workspace.edit('2', { touches: ['./src/auth/session.ts', 'area:login'] });
  return workspace;
}

test('goals that overlap a claimed one are offered last, and taken only when nothing else can start', async () => {
  const workspace = await place();
  const { goal } = await workspace.claim('1');
  const { goals } = await workspace.next();
  expect(goals.map(({ number }) => number)).toEqual(['3', '2']);
  expect(goals.map(({ kept_apart_by: by }) => by)).toEqual([undefined, [goal.id]]);
  expect((await workspace.next({ claim: true })).goals[0]?.number).toBe('3');
  expect((await workspace.next({ claim: true })).goals[0]?.number).toBe('2');
});

test('a wave is split where goals of it overlap', async () => {
  const { waves } = await (await place()).waves();
  expect(waves.map((wave) => wave.map(({ number }) => number))).toEqual([['1', '3'], ['2']]);
});

test('what leads out of the repository is refused, and the rest kept as it is compared', async () => {
  const workspace = await place();
  expect((await workspace.show('2')).goal.touches).toEqual(['src/auth/session.ts', 'area:login']);
  for (const path of ['/etc/passwd', '../x', 'src/../../x', 'C:\\x', ' ', 'a'.repeat(400)])
    await expect(workspace.edit('1', { touches: [path] })).rejects.toMatchObject({ code: 'INVALID_INPUT' });
  await workspace.edit('2', { clear: ['touches'] });
  expect((await workspace.show('2')).goal).not.toHaveProperty('touches');
});

test('a check is a tool with its arguments, and nothing that could be a command line', async () => {
  const workspace = await place();
  await workspace.add('Goal d', { checks: ['test.file path=test/a.ts', 'note text="two words" n=1.10'] });
  expect((await workspace.show('4')).goal.checks).toEqual([
    { tool: 'test.file', args: { path: 'test/a.ts' } },
    { tool: 'note', args: { text: 'two words', n: '1.10' } },
  ]);
  for (const check of ['', 'rm -rf /', 'sh;ls', 'tool =x', '__proto__ a'])
    await expect(workspace.edit('1', { checks: [check] })).rejects.toMatchObject({ code: 'INVALID_INPUT' });
  expect((await workspace.context('4')).markdown).toContain('Checked by: test.file');
});

test('goals and plans are found by what they touch, and a path out of the repository is refused', async () => {
  const workspace = await place();
  const ready = async (touches: string) => {
    const { ready: found, plan } = await workspace.status(undefined, { touches });
    return found.map((goal) => goal.replace(`${plan.id}-`, ''));
  };
  expect(await ready('src/auth/login.ts')).toEqual(['a']);
  expect(await ready('./src/auth/')).toEqual(['a', 'b']);
  expect(await ready('area:login')).toEqual(['b']);
  expect(await ready('docs')).toEqual([]);
  expect((await workspace.list({ touches: 'src/auth/x.ts' })).plans).toHaveLength(1);
  expect((await workspace.list({ touches: 'docs/x.md' })).plans).toEqual([]);
  await expect(workspace.status(undefined, { touches: '../x' })).rejects.toMatchObject({
    code: 'INVALID_INPUT',
  });
});

test('a goal touches what tries at it have changed, beside what was said of it', async () => {
  const made = await newWorkplace();
  const environment = { workingFolder: made.folder, homeFolder: made.home, variables: { FRCTL_BY: 'ana' } };
  const workspace = openWorkspace({ dir: made.store, environment });
  await made.change(expand('root', ['a', 'b']));
  await workspace.edit('1', { touches: ['src/auth/**'] });
  const tried = (goal: string, files: string[]): EventPayload => ({
    type: 'work_attempted',
    goal: id(goal),
    token: 'a'.repeat(16),
    try: 1,
    agent: 'mine',
    outcome: 'conflict',
    commit: null,
    files,
    cost_usd: null,
    seconds: 1,
    session: null,
  });
  await made.change(tried('a', ['src/auth/a.ts', 'src/main.ts']), tried('b', ['src/main.ts']));
  expect((await workspace.show('1')).goal.touches).toEqual(['src/auth/**', 'src/main.ts']);
  expect((await workspace.waves()).waves.map((wave) => wave.map(({ number }) => number))).toEqual([
    ['1'],
    ['2'],
  ]);
  const many = Array.from({ length: 200 }, (_, index) => `gen/${index}.ts`);
  await made.change(tried('a', many), tried('a', many));
  expect((await workspace.show('1')).goal.touches).toHaveLength(100);
});

test('an area names the node of the architectural graph, until what is touched is cleared', async () => {
  const workspace = await place();
  const node = async (goal: string) => (await workspace.show(goal)).goal.graph_node_id;
  expect(await node('2')).toBe('login');
  await workspace.edit('2', { touches: ['src/x', 'area:billing'] });
  expect([await node('2'), await node('1')]).toEqual(['billing', null]);
  await workspace.add('Goal d', { touches: ['area:login'] });
  expect(await node('4')).toBe('login');
  await workspace.edit('2', { touches: ['src/x'] });
  expect(await node('2')).toBeNull();
  await workspace.edit('4', { clear: ['touches'] });
  expect(await node('4')).toBeNull();
});

test('a planner says what its sub-goals change; what is no path below the repository is left out', async () => {
  const workspace = await place();
  await workspace.add('Goal d', { composite: true });
  const { questions } = await workspace.ask({});
  const touches = [
    './src/a.ts',
    '../etc',
    '/etc/passwd',
    'area:login',
    'src/a.ts',
    'a\nb',
    ...'c d e f g h i j k'.split(' '),
  ];
  await workspace.answer({
    answers: [
      {
        goal: questions[0]?.goal ?? '',
        atomic: false,
        sub_goals: [
          { description: 'Rename the session', atomic: true, touches },
          { description: 'Tell the users', atomic: true },
        ],
      },
    ],
  });
  expect((await workspace.show('4.1')).goal.touches).toEqual([
    'src/a.ts',
    'area:login',
    ...'c d e f g h'.split(' '),
  ]);
  expect((await workspace.show('4.2')).goal).not.toHaveProperty('touches');
});
