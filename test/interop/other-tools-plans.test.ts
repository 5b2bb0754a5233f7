import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

import { expect, test } from 'vitest';

import { openWorkspace } from '../../src/workspace.js';
import { temporaryFolder } from '../support/folders.js';

function newPlace() {
  const folder = temporaryFolder();
  const environment = { workingFolder: folder, homeFolder: temporaryFolder(), variables: {} };
  const write = (name: string, text: string) => {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  };
  const workspace = openWorkspace({ environment });
  const goals = async () =>
    ((await workspace.status({ verbose: true })).goals ?? []).filter(({ number }) => number !== '');
  return { folder, write, workspace, goals };
}

const TASKS = {
  tasks: [
    {
      id: 1,
      title: 'Set up the store',
      description: 'A table of users.',
      details: 'Postgres 16.',
      testStrategy: 'Migrations run twice.',
      priority: 'high',
      status: 'done',
      dependencies: [],
      complexity: 4,
    },
    {
      id: 2,
      title: 'Sign in',
      description: '',
      status: 'in-progress',
      dependencies: [1],
      subtasks: [
        { id: 1, title: 'Form', description: 'Two fields', status: 'done', dependencies: [] },
        { id: 2, title: 'Session', description: '', status: 'pending', dependencies: [1, '1'] },
      ],
    },
    { id: 3, title: 'Sign out', status: 'pending', dependencies: ['2.2', 99] },
  ],
};

test('Task Master: subtasks, dependencies, details, test strategy, priority and what is done', async () => {
  const { write, workspace, goals } = newPlace();
  write('.taskmaster/tasks/tasks.json', JSON.stringify({ master: TASKS }));
  const dry = await workspace.import('.', { dryRun: true });
  expect(dry).toMatchObject({ total_goals: 6, complete_goals: 2, dry_run: true });
  await expect(workspace.list()).rejects.toMatchObject({ code: 'STORE_NOT_FOUND' });
  await workspace.import('.');
  const found = await goals();
  const byNumber = Object.fromEntries(found.map((goal) => [goal.number, goal]));
  const id = (number: string) => byNumber[number]?.id;
  expect(byNumber['1']).toMatchObject({
    description: 'Set up the store',
    status: 'complete',
    detail: 'A table of users.\n\nPostgres 16.',
    acceptance: ['Migrations run twice.'],
    priority: 1,
    x_taskmaster: { id: '1', complexity: 4 },
  });
  expect(byNumber['2']).toMatchObject({ status: 'decomposing', dependencies: [id('1')] });
  expect(byNumber['2.2']).toMatchObject({ status: 'atomic', dependencies: [id('2.1')] });
  expect(byNumber['3']?.dependencies).toEqual([id('2.2')]);
});

test('Task Master with several tags, and tasks that wait for each other or for a part of themselves', async () => {
  const { write, workspace, goals } = newPlace();
  const ring = [
    { id: 1, title: 'Chicken', dependencies: [2], subtasks: [{ id: 1, title: 'Egg', dependencies: ['1'] }] },
    { id: 2, title: 'Hen', dependencies: [1] },
  ];
  write('tasks.json', JSON.stringify({ master: TASKS, feature: { tasks: ring } }));
  const { repaired, total_goals } = await workspace.import('tasks.json');
  expect(total_goals).toBe(11);
  expect(repaired?.join()).toContain('dependencies');
  expect((await goals()).filter(({ depth }) => depth === 1).map(({ description }) => description)).toEqual([
    'master',
    'feature',
  ]);
  expect((await workspace.validate({})).valid).toBe(true);
});

test('beads: parents, blocks, other links, priorities, notes, and why an issue was closed', async () => {
  const { write, workspace, goals } = newPlace();
  const issues = [
    { id: 'bd-1', title: 'Epic', issue_type: 'epic', status: 'open', priority: 1 },
    {
      id: 'bd-2',
      title: 'Parser',
      description: 'Reads it.',
      design: 'By hand.',
      notes: 'See RFC.',
      acceptance_criteria: '- [ ] Reads all\n- Fails well',
      status: 'closed',
      close_reason: 'Done in 1f2e',
      labels: ['core'],
      dependencies: [{ issue_id: 'bd-2', depends_on_id: 'bd-1', type: 'parent-child' }],
      assignee: 'ana',
    },
    {
      id: 'bd-3',
      title: 'Printer',
      status: 'in_progress',
      dependencies: [
        { depends_on_id: 'bd-1', type: 'parent-child' },
        { depends_on_id: 'bd-2', type: 'blocks' },
        { depends_on_id: 'bd-2', type: 'discovered-from' },
      ],
    },
    { id: 'bd-8', title: 'Apart', status: 'open' },
    { id: 'bd-9', title: 'Gone', status: 'tombstone' },
  ];
  write('.beads/issues.jsonl', issues.map((issue) => `${JSON.stringify(issue)}\n`).join(''));
  await workspace.import('.');
  const [epic, parser, printer, ...others] = await goals();
  expect(others.map(({ description }) => description)).toEqual(['Apart']);
  expect(epic).toMatchObject({
    number: '1',
    status: 'decomposing',
    priority: 1,
    x_beads: { issue_type: 'epic' },
  });
  expect(parser).toMatchObject({
    status: 'complete',
    detail: 'Reads it.\n\n## Design\n\nBy hand.\n\n## Notes\n\nSee RFC.',
    acceptance: ['Reads all', 'Fails well'],
    tags: ['core'],
    digest: { summary: 'Done in 1f2e' },
    x_beads: { id: 'bd-2', assignee: 'ana' },
  });
  expect(printer).toMatchObject({
    dependencies: [parser?.id],
    links: [{ type: 'discovered-from', to: 'bd-2' }],
  });
});

test('GitHub: task lists as parts, issues within issues, labels and what is closed', async () => {
  const { write, workspace, goals } = newPlace();
  const issues = [
    {
      number: 7,
      title: 'Release',
      body: 'Ship it.\n\n- [x] Tag\n- [ ] Notes\n- [ ] #9 the docs',
      state: 'OPEN',
      labels: [{ name: 'release' }],
      url: 'https://x/7',
    },
    { number: 9, title: 'Docs', body: 'Blocked by #12', state: 'OPEN', labels: [] },
    { number: 12, title: 'API', body: '', state: 'CLOSED', labels: [] },
  ];
  write('issues.json', JSON.stringify(issues));
  await workspace.import('issues.json');
  const found = await goals();
  const named = (description: string) => found.find((goal) => goal.description === description);
  expect(named('Release')).toMatchObject({
    number: '1',
    tags: ['release'],
    detail: 'Ship it.',
    x_github: { number: 7, url: 'https://x/7' },
  });
  expect(named('Docs')?.parent_id).toBe(named('Release')?.id);
  expect(named('Docs')?.dependencies).toEqual([named('API')?.id]);
  expect(named('Tag')?.status).toBe('complete');
  expect(named('API')?.status).toBe('complete');
});

test('Backlog.md: a folder that the tool itself has made', async () => {
  const { workspace, goals } = newPlace();
  await workspace.import(resolve('test/fixtures/other-tools/backlog'));
  const found = await goals();
  const named = (description: string) => found.find((goal) => goal.description === description);
  expect(named('Set up the store')).toMatchObject({
    status: 'complete',
    acceptance: ['Migrations run twice', 'Users have a table', 'Reviewed'],
  });
  expect(named('Sign in')).toMatchObject({
    status: 'decomposing',
    dependencies: [named('Set up the store')?.id],
  });
  expect(named('Session')?.parent_id).toBe(named('Sign in')?.id);
  expect(named('Sign in')?.detail).toContain('By mail and password');
});

test('10,000 tasks are taken in, and what is no plan at all is refused with what would be', async () => {
  const { folder, write, workspace } = newPlace();
  const tasks = Array.from({ length: 10_000 }, (_, index) => ({
    id: index + 1,
    title: `Task ${index + 1}`,
    status: index % 2 === 0 ? 'done' : 'pending',
    dependencies: index === 0 ? [] : [index],
  }));
  write('tasks.json', JSON.stringify({ tasks }));
  expect(await workspace.import('tasks.json')).toMatchObject({ total_goals: 10_001, complete_goals: 5000 });
  mkdirSync(join(folder, 'empty'));
  await expect(workspace.import('empty')).rejects.toMatchObject({ code: 'INVALID_INPUT' });
  write('list.json', '[]');
  await expect(workspace.import('list.json')).rejects.toMatchObject({ code: 'INVALID_PLAN' });
  write(
    'proto.json',
    '{"tasks":[{"id":"__proto__","title":"A","dependencies":["constructor"]},{"id":"../x","title":"B"}]}',
  );
  expect(await workspace.import('proto.json')).toMatchObject({ total_goals: 3 });
});

test.each(['constructor', '__proto__', 'toString', 'valueOf'])(
  'a task whose priority or kind of link is the word %s is taken in, and goes back',
  async (word) => {
    const { write, workspace, goals } = newPlace();
    write('backlog/tasks/task-1 - Dig.md', `---\nid: task-1\ntitle: Dig\npriority: ${word}\n---\n`);
    await workspace.import('.');
    write('tasks.json', JSON.stringify({ tasks: [{ id: 1, title: 'Dig', priority: word }] }));
    await workspace.import('tasks.json');
    const link = { issue_id: 'a-1', depends_on_id: 'b-9', type: word };
    write('issues.jsonl', JSON.stringify({ id: 'a-1', title: 'Dig', status: 'open', dependencies: [link] }));
    await workspace.import('issues.jsonl');
    expect((await goals()).filter(({ priority }) => priority !== undefined)).toEqual([]);
    const { content } = await workspace.export({ format: 'beads' });
    expect(content).toContain(`"type":"${word}"`);
  },
);

test('what is exported for beads is read again with its parts, links and what is done', async () => {
  const { write, workspace, goals } = newPlace();
  write('tasks.json', JSON.stringify(TASKS));
  await workspace.import('tasks.json');
  const before = await goals();
  const { content } = await workspace.export({ format: 'beads' });
  write('.beads/issues.jsonl', content ?? '');
  await workspace.import('.');
  const after = (await goals()).filter(({ description }) => description !== 'Tasks');
  const shape = (all: typeof before) =>
    all.map(({ description, status, detail, acceptance, dependencies }) => ({
      description,
      status,
      detail,
      acceptance,
      after: dependencies.map((id) => all.find((goal) => goal.id === id)?.description),
    }));
  expect(shape(after)).toEqual(shape(before));
});
