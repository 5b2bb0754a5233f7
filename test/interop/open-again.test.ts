import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { outputFileSync } from 'fs-extra/esm';
import { expect, test } from 'vitest';

import { openWorkspace } from '../../src/workspace.js';
import { temporaryFolder } from '../support/folders.js';
import { importedFiles } from '../support/imported-files.js';

type Values = Readonly<Record<string, unknown>>;

/** A workspace that took in a folder with these files, or the only file of them. */
async function imported(files: Readonly<Record<string, string>>) {
  const { workspace, told, account } = await importedFiles(files);
  const idOf = async (title: string) => {
    const { goals = [] } = await workspace.status({ verbose: true });
    return goals.find(({ description }) => description === title)?.id ?? '';
  };
  const goalOf = async (title: string) => (await workspace.show(await idOf(title))).goal;
  const ready = async () =>
    (await workspace.next({ limit: 50 })).goals.map(({ description }) => description).toSorted();
  const written = async (format: 'beads' | 'taskmaster' | 'github') => {
    const { content, warnings = [] } = await workspace.export({ format });
    return { content: content ?? '', warnings: JSON.stringify(warnings) };
  };
  /** The files of Backlog.md as they are exported, by those of the import. */
  const folderNow = async () => {
    const output = temporaryFolder();
    const { warnings = [] } = await workspace.export({ format: 'backlog', output });
    const read = Object.keys(files).map((name) => [name, readFileSync(join(output, name), 'utf8')]);
    return { now: Object.fromEntries(read) as typeof files, warnings: JSON.stringify(warnings) };
  };
  return { workspace, idOf, goalOf, ready, written, folderNow, told, account };
}

const taskText = (members: readonly string[], body: string) =>
  `---\n${members.join('\n')}\n---\n\n## Description\n\nWhat it is\n${body}`;
const PARENT = 'backlog/tasks/task-1 - Shop.md';
const PART = 'backlog/tasks/task-1.1 - Till.md';
const FILES = {
  'backlog/config.yml': 'project_name: Street\nstatuses: ["To Do", "In Progress", "Done"]\n',
  [PARENT]: taskText(
    ['id: task-1', 'title: Shop', 'status: Done', 'milestone: v1'],
    '\n## Acceptance Criteria\n\n- [ ] #1 it sells\n\n## Final Summary\n\nOpened; the till is late.\n\n## Afterwards\n\nSweep.\n',
  ),
  [PART]: taskText(['id: task-1.1', 'title: Till', 'status: To Do', 'parent_task_id: task-1'], ''),
  'backlog/milestones/m-0 - v1.md': '---\nid: m-0\ntitle: "v1"\n---\n\n## Description\n\nFirst\n',
};

test('Backlog.md: what came of a task that is open again for a part stays its own, and is shown', async () => {
  const { workspace, idOf, goalOf, folderNow } = await imported(FILES);
  expect((await goalOf('Shop')).detail).toContain('## Final Summary\n\nOpened; the till is late.');
  expect(await folderNow()).toEqual({ now: FILES, warnings: '[]' });
  await workspace.edit(await idOf('Shop'), { tags: ['big'] });
  const edited = (await folderNow()).now[PARENT] ?? '';
  // The milestone goes by the word that it had too.
  const [before, after] = [FILES[PARENT], edited].map((text) => text?.split('\n') ?? []);
  expect(after?.filter((line) => before?.includes(line) !== true)).toEqual(['labels:', '  - big']);
  expect(before?.filter((line) => after?.includes(line) !== true)).toEqual([]);
  await workspace.complete(await idOf('Till'), { summary: 'Rings' });
  const { now } = await folderNow();
  expect(now).toEqual({ ...FILES, [PARENT]: edited, [PART]: now[PART] });
  expect(now[PART]).toContain('Rings');
});

test('Backlog.md: a summary of a task that is not done yet stands above that of its end', async () => {
  const begun = { ...FILES, [PARENT]: (FILES[PARENT] ?? '').replace('Done', 'In Progress') };
  const { workspace, idOf, folderNow } = await imported({ ...begun });
  expect((await folderNow()).now).toEqual(begun);
  await workspace.complete(await idOf('Till'), { summary: 'Rings' });
  expect((await folderNow()).now[PARENT]).toMatch(/Opened; the till is late\.\n\n.*Rings/s);
});

const EPIC = {
  id: 'b-3',
  title: 'Epic',
  description: 'Text',
  status: 'closed',
  priority: 2,
  issue_type: 'epic',
  close_reason: 'shipped; rest moved',
  closed_at: '2025-01-01T00:00:00Z',
};
const AGAIN = {
  id: 'b-4',
  title: 'Again',
  status: 'open',
  priority: 2,
  issue_type: 'task',
  close_reason: 'too early',
};
/** What stands here below such a heading is text of the description, and stays there. */
const OWN = {
  id: 'b-5',
  title: 'Own',
  status: 'open',
  priority: 2,
  issue_type: 'task',
  description: 'a\n\n## Final Summary\n\nb\n\n## More\n\nc',
};
const PART_OF = { dependencies: [{ issue_id: 'b-3.1', depends_on_id: 'b-3', type: 'parent-child' }] };
const KID = { id: 'b-3.1', title: 'Kid', status: 'open', priority: 2, issue_type: 'task', ...PART_OF };
const ISSUES: readonly Values[] = [EPIC, KID, AGAIN, OWN];

test('beads: the reason by which an issue was closed that is open again stays its own, and is shown', async () => {
  const lines = ISSUES.map((issue) => `${JSON.stringify(issue)}\n`).join('');
  const { workspace, idOf, goalOf, written } = await imported({ 'issues.jsonl': lines });
  const now = async () => {
    const { content, warnings } = await written('beads');
    const issues: Values[] = content
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    return { issues, warnings };
  };
  expect(await now()).toEqual({ issues: ISSUES, warnings: '[]' });
  expect((await goalOf('Epic')).detail).toBe('Text\n\n## Final Summary\n\nshipped; rest moved');
  expect((await goalOf('Again')).detail).toContain('too early');
  for (const title of ['Epic', 'Again', 'Own']) await workspace.edit(await idOf(title), { tags: ['x'] });
  const kept = ({ updated_at: _at, created_at: _since, ...issue }: Values) => issue;
  const tagged = ISSUES.map((issue) => (issue === KID ? issue : { ...issue, labels: ['x'] }));
  expect((await now()).issues.map(kept)).toEqual(tagged);
  await workspace.complete(await idOf('Kid'), { summary: 'kid' });
  await workspace.complete(await idOf('Again'), { summary: 'in time' });
  const { issues } = await now();
  expect(issues).toMatchObject([
    EPIC,
    { close_reason: 'kid' },
    { close_reason: 'too early\n\nin time' },
    OWN,
  ]);
});

const task = (id: number, title: string, status: string, subtasks: readonly Values[] = []) => ({
  id,
  title,
  description: title,
  details: '',
  testStrategy: '',
  status,
  priority: 'medium',
  dependencies: [],
  subtasks,
});
const TASKS = {
  master: {
    tasks: [
      task(1, 'Dropped', 'cancelled', [task(1, 'never', 'pending'), task(2, 'was', 'done')]),
      task(2, 'Half', 'cancelled', [task(1, 'beside', 'pending'), task(2, 'going', 'in-progress')]),
      task(3, 'Finished', 'done', [task(1, 'forgotten', 'pending')]),
    ],
  },
};

test('Task Master: the open parts of what is cancelled are on hold with it, unless somebody is at them', async () => {
  const { workspace, idOf, goalOf, ready, written, told, account } = await imported({
    'tasks.json': JSON.stringify(TASKS, null, 2),
  });
  expect(await ready()).toEqual(['forgotten', 'going']);
  expect((await goalOf('Dropped')).on_hold?.reason).toBe('cancelled');
  expect((await goalOf('beside')).on_hold?.reason).toBe('cancelled');
  expect(told.split('\n')).toEqual([
    '“Dropped” is on hold, though marked cancelled: 1 of 2 parts is open',
    '“Half” is open, though marked cancelled: 2 of 2 parts are open',
    '“beside” is on hold with what it is a part of: cancelled',
    '“Finished” is open, though marked done: 1 of 1 part is open',
  ]);
  expect(account?.changed.map(({ was, is }) => [was, is])).toEqual([
    ['cancelled', 'on hold'],
    ['cancelled', 'open'],
    ['pending', 'on hold'],
    ['done', 'open'],
  ]);
  const statuses = async () => {
    const read: unknown = JSON.parse((await written('taskmaster')).content);
    return JSON.stringify(read).match(/"status":"[^"]+"|"x_frctl"/g);
  };
  const was = JSON.stringify(TASKS).match(/"status":"[^"]+"/g);
  expect(await statuses()).toEqual(was);
  // A change of what is on hold so changes nothing of its status.
  for (const title of ['Dropped', 'never', 'beside'])
    await workspace.edit(await idOf(title), { priority: 'high' });
  const { warnings } = await written('taskmaster');
  expect([await statuses(), warnings]).toEqual([was, '[]']);
  // Who takes it up again says so.
  await workspace.unhold(await idOf('Dropped'));
  expect(await ready()).toContain('never');
  expect((await statuses())?.[0]).toBe('"status":"pending"');
});

test('Task Master: a document of tasks has the open parts of what is cancelled on hold too', async () => {
  const folder = temporaryFolder();
  outputFileSync(join(folder, 'tasks.json'), JSON.stringify(TASKS));
  const environment = { workingFolder: folder, homeFolder: temporaryFolder(), variables: {} };
  const workspace = openWorkspace({ environment });
  await workspace.init({ from: 'tasks.json', expander: 'rules' }).result;
  const { goals } = await workspace.next({ limit: 50 });
  expect(goals.map(({ description }) => description).toSorted()).toEqual(['beside', 'forgotten', 'going']);
});

test('GitHub: boxes of an issue that is not planned are on hold with it, an issue in its list is not', async () => {
  const issues = [
    {
      number: 1,
      title: 'No',
      body: '- [ ] never\n- [x] did',
      state: 'CLOSED',
      stateReason: 'NOT_PLANNED',
      labels: [],
    },
    {
      number: 2,
      title: 'Same',
      body: '- [ ] lone\n- [ ] #3',
      state: 'CLOSED',
      stateReason: 'DUPLICATE',
      labels: [],
    },
    { number: 3, title: 'Own', body: '- [ ] own box', state: 'OPEN', labels: [] },
    {
      number: 4,
      title: 'Yes',
      body: '- [ ] forgotten',
      state: 'CLOSED',
      stateReason: 'COMPLETED',
      labels: [],
    },
  ];
  const { workspace, idOf, ready, written } = await imported({ 'issues.json': JSON.stringify(issues) });
  expect(await ready()).toEqual(['forgotten', 'own box']);
  await workspace.edit(await idOf('No'), { tags: ['x'] });
  const { content } = await written('github');
  expect(JSON.parse(content)).toEqual([{ ...issues[0], labels: [{ name: 'x' }] }, ...issues.slice(1)]);
  await workspace.unhold(await idOf('No'));
  expect(await ready()).toContain('never');
  const [taken] = JSON.parse((await written('github')).content);
  expect(taken).toMatchObject({ state: 'OPEN', body: issues[0]?.body });
});

test('beads: a status of somebody’s own that says that nobody wants it holds what is open of its parts', async () => {
  const [epic, kid] = [{ ...EPIC, status: 'wontfix' }, KID];
  const { goalOf, ready } = await imported({
    '.beads/issues.jsonl': [epic, kid, AGAIN].map((issue) => `${JSON.stringify(issue)}\n`).join(''),
    '.beads/config.yaml': 'status.custom: "wontfix:done"\n',
  });
  expect(await ready()).toEqual(['Again']);
  expect(await goalOf('Epic')).toMatchObject({ on_hold: { reason: 'wontfix' } });
  expect((await goalOf('Epic')).detail).toContain('shipped; rest moved');
});

test('Backlog.md: a definition of done is criteria, and its boxes and words stay in it', async () => {
  const body = [
    '',
    '## Acceptance Criteria',
    '<!-- AC:BEGIN -->',
    '- [x] #1 it sells',
    '- [ ] #2 tests pass',
    '<!-- AC:END -->',
    '',
    '## Definition of Done',
    '<!-- DOD:BEGIN -->',
    '### Before the release',
    '- [x] #1 tests pass',
    '- [ ] #2 docs are written',
    '  also the German ones',
    '<!-- DOD:END -->',
    '',
  ].join('\n');
  const files = { [PARENT]: taskText(['id: task-1', 'title: Shop', 'status: To Do'], body) };
  const { workspace, idOf, goalOf, folderNow, account } = await imported(files);
  const criteria = ['it sells', 'tests pass', 'tests pass', 'docs are written\nalso the German ones'];
  expect((await goalOf('Shop')).acceptance).toEqual(criteria);
  expect(account?.left_out.map(({ text }) => text)).toEqual(['### Before the release']);
  expect(await folderNow()).toEqual({ now: files, warnings: '[]' });
  await workspace.edit(await idOf('Shop'), { acceptance: ['it sells', 'it is open', ...criteria.slice(2)] });
  const edited = await folderNow();
  expect(edited.warnings).toBe('[]');
  expect(edited.now[PARENT]).toBe(files[PARENT]?.replace('#2 tests pass', '#2 it is open'));
  await workspace.edit(await idOf('Shop'), { acceptance: criteria.slice(2) });
  expect((await folderNow()).now[PARENT]).not.toContain('AC:BEGIN');
  await workspace.complete(await idOf('Shop'), { summary: 'Open' });
  expect((await folderNow()).now[PARENT]).toContain('- [x] #2 docs are written\n  also the German ones');
});

test('Task Master: a link that goes back is not told as lost', async () => {
  const [one, other] = [task(1, 'One', 'pending'), task(2, 'Other', 'pending')];
  const tasks = [
    { ...one, dependencies: [2] },
    { ...other, dependencies: [1, 9] },
  ];
  const { workspace, written } = await imported({ 'tasks.json': JSON.stringify({ master: { tasks } }) });
  expect((await workspace.show('2')).goal.links).toHaveLength(2);
  const { content, warnings } = await written('taskmaster');
  expect(warnings).toBe('[]');
  expect(JSON.parse(content).master.tasks).toEqual(tasks);
});
