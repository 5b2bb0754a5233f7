import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { openWorkspace } from '../../src/workspace.js';
import { temporaryFolder } from '../support/folders.js';

const FIXTURES = join(import.meta.dirname, '../fixtures/other-tools');

/** A project with the files of a case. */
function placeOf(name: string) {
  const folder = temporaryFolder();
  cpSync(join(FIXTURES, name), folder, { recursive: true });
  const environment = { workingFolder: folder, homeFolder: temporaryFolder(), variables: {} };
  const workspace = openWorkspace({ environment });
  const goals = async (plan?: string) => (await workspace.status({ plan, verbose: true })).goals ?? [];
  const tree = async (plan?: string) =>
    (await goals(plan)).map(({ number, description, status }) => [
      number,
      description,
      status === 'complete' ? 'done' : 'open',
    ]);
  const text = (...names: readonly string[]) => readFileSync(join(folder, ...names), 'utf8');
  const exported = async (format: string, plan?: string) =>
    (await workspace.export(plan, { format } as never)).content ?? '';
  return { folder, workspace, goals, tree, text, exported };
}

const jsonLines = (text: string): readonly unknown[] =>
  text
    .trim()
    .split('\n')
    .map((line): unknown => JSON.parse(line));

test('a box is a task whatever its mark, and only x is done', async () => {
  const { workspace, tree } = placeOf('01-openspec-box-marks');
  await workspace.import('.');
  expect((await tree()).filter(([number]) => String(number).includes('.'))).toEqual([
    ['1.1', 'Dig', 'done'],
    ['1.2', 'Put off', 'open'],
    ['1.3', 'Dropped', 'open'],
    ['1.4', 'Empty box', 'open'],
    ['1.5', 'Done with a blank', 'done'],
  ]);
});

test('what is nested is a part, a done parent of an open part is open and says so, notes and code spans stay', async () => {
  const { workspace, tree, goals } = placeOf('02-openspec-nested');
  const { repaired, account } = await workspace.import('.');
  expect((await tree()).slice(2)).toEqual([
    ['1.1', 'Parent', 'open'],
    ['1.1.1', 'Child still open', 'open'],
    ['1.2', 'Keep `<!-- mark -->` there', 'open'],
  ]);
  const parent = (await goals())[2];
  expect(parent).toMatchObject({ said_done: true, detail: '- a note on how' });
  expect(repaired).toEqual(['“Parent” is open, though marked [x]: 1 of 1 part is open']);
  expect(account?.changed).toEqual([
    { file: 'well/tasks.md', line: 2, goal: parent?.id, member: 'status', was: '[x]', is: 'open' },
  ]);
});

test('text below a task of Spec Kit is its detail, and every kind of bullet makes a task', async () => {
  const { workspace, tree, goals } = placeOf('03-speckit-text-below-a-task');
  const { account } = await workspace.import('.');
  expect((await tree()).slice(2)).toEqual([
    ['1.1', 'Dig the ditch', 'open'],
    ['1.2', 'Put text between `<!-- A -->` and `<!-- B -->`', 'open'],
    ['1.2.1', 'Buy chalk', 'open'],
    ['1.3', 'Build the wheel', 'open'],
    ['1.4', 'Test it', 'open'],
  ]);
  const [, , first, , , , last] = await goals();
  expect(first?.detail).toBe('- File: ditch.md\n- Two metres deep');
  expect(last?.dependencies).toContain(first?.id);
  expect(account).toMatchObject({
    files: [{ file: '001-mill/tasks.md', lines: 12, read: 9, detail: 3 }],
    left_out: [],
  });
});

test('boxes in code of an issue are code, nested ones are parts, and words beside a number are kept', async () => {
  const { workspace, tree, goals, text, exported } = placeOf('04-github-boxes-in-code');
  await workspace.import('i.json');
  expect(await tree()).toEqual([
    ['', 'Fair', 'open'],
    ['1', 'Hire van', 'open'],
    ['2', 'Pack', 'open'],
    ['2.1', 'Rope', 'done'],
    ['2.2', 'Pegs', 'open'],
  ]);
  expect((await goals())[0]?.detail).toBe('Write it so:\n\n```\n- [ ] a sample\n```');
  expect((await goals())[1]?.links).toEqual([{ type: 'words in #1', to: 'before noon' }]);
  const before: unknown = JSON.parse(text('i.json'));
  expect(JSON.parse(await exported('github'))).toEqual(before);
  await workspace.complete('2.2');
  expect(JSON.parse(await exported('github'))).toEqual(
    JSON.parse(text('i.json').replace('- [ ] Pack', '- [x] Pack').replace('- [ ] Pegs', '- [x] Pegs')),
  );
});

test.each([
  ['i.json', 'github', 'Fair'],
  ['issues.jsonl', 'beads', 'Eat'],
  ['tasks.json', 'taskmaster', 'Ship'],
])('%s: a done parent of an open part is named, and goes back as it was', async (file, format, parent) => {
  const { workspace, text, exported, goals } = placeOf('05-closed-parent-with-open-part');
  const { repaired, account } = await workspace.import(file);
  expect(repaired?.join('\n')).toContain(`“${parent}” is open, though marked`);
  expect(account?.changed).toMatchObject([{ member: 'status', is: 'open' }]);
  expect((await goals()).find(({ description }) => description === parent)).toMatchObject({
    said_done: true,
  });
  const parse = (content: string) => (format === 'beads' ? jsonLines(content) : JSON.parse(content));
  expect(parse(await exported(format))).toEqual(parse(text(file)));
});

test('sections of Backlog.md that nobody knows are kept, criteria are whole, and the last status is done', async () => {
  const { workspace, goals, text, folder } = placeOf('06-backlog-own-sections');
  await workspace.import('.');
  expect((await goals()).at(-1)).toMatchObject({
    status: 'complete',
    detail: 'Make it fit.\n\n## Solution\n\nMeasured twice.',
    acceptance: ['The long one goes on\nin a second line', 'A star', 'A number', 'A plain one'],
    x_backlog: { ticked: ['A star', 'A number'] },
  });
  await workspace.export(undefined, { format: 'backlog', output: join(folder, 'out') } as never);
  expect(text('out', 'backlog', 'tasks', 'task-1 - Fit.md')).toBe(
    text('backlog', 'tasks', 'task-1 - Fit.md'),
  );
  expect(text('out', 'backlog', 'config.yml')).toBe(text('backlog', 'config.yml'));
});

test('names that YAML refuses are read, and both tasks stay', async () => {
  const { workspace, goals, text, folder } = placeOf('07-backlog-assignee');
  expect((await workspace.import('.')).repaired).toBeUndefined();
  expect((await goals()).slice(1)).toMatchObject([
    { description: 'Job 1', x_backlog: { assignee: '@ana' } },
    { description: 'Job 2', x_backlog: { assignee: ['@ana', '@bob'] } },
  ]);
  await workspace.export(undefined, { format: 'backlog', output: join(folder, 'out') } as never);
  for (const name of readdirSync(join(folder, 'backlog/tasks')))
    expect(text('out', 'backlog', 'tasks', name)).toBe(text('backlog', 'tasks', name));
});

test('links of beads keep their types, second parents too, and are shown', async () => {
  const { workspace, text, exported, goals } = placeOf('08-beads-links');
  await workspace.import('issues.jsonl');
  expect((await goals()).find(({ description }) => description === 'Beam')).toMatchObject({
    links: [
      { type: 'parent-child', to: 'w-2' },
      { type: 'relates-to', to: 'w-2' },
    ],
  });
  expect(jsonLines(await exported('beads'))).toEqual(jsonLines(text('issues.jsonl')));
});

test('links of beads are read in its other form', async () => {
  const { workspace, text, exported, goals } = placeOf('09-beads-other-form');
  await workspace.import('issues.jsonl');
  const [, house, roof] = await goals();
  expect(roof?.dependencies).toEqual([house?.id]);
  expect(jsonLines(await exported('beads'))).toEqual(jsonLines(text('issues.jsonl')));
});

test('an issue of beads goes back as it was: one description, labels like ours, priority, criteria', async () => {
  const { workspace, text, exported, goals } = placeOf('10-beads-text-and-labels');
  await workspace.import('issues.jsonl');
  const goal = (await goals()).find(({ description }) => description === 'Bake');
  expect(goal).toMatchObject({
    tags: ['priority:2', 'type:feature', 'oven'],
    priority: 3,
    acceptance: ['The crust is brown\nall round', 'It rings'],
  });
  expect(jsonLines(await exported('beads'))).toEqual(jsonLines(text('issues.jsonl')));
  await workspace.edit(goal?.number === '' ? 'root' : (goal?.number ?? ''), { priority: 'high' });
  expect(jsonLines(await exported('beads'))).toMatchObject([
    { ...(jsonLines(text('issues.jsonl'))[0] as object), priority: 1 },
  ]);
});

test.each(['issues.jsonl', 'tasks.json'])(
  '%s: a held task is on hold with its word, not offered',
  async (file) => {
    const { workspace, goals, exported, text } = placeOf('11-held-tasks-are-offered');
    await workspace.import(file);
    const held = (await goals()).filter(({ on_hold }) => on_hold !== undefined);
    expect(held.map(({ on_hold }) => on_hold?.reason)).toEqual(['blocked', 'deferred']);
    const next = await workspace.next();
    expect(next.goals).toEqual([]);
    expect(next.reason).toMatchObject({ code: 'on_hold', counts: { on_hold: 2 } });
    expect((await goals()).find(({ description }) => description === 'Now')?.status ?? 'complete').toBe(
      'complete',
    );
    const isBeads = file.endsWith('l');
    const parse = (content: string) => (isBeads ? jsonLines(content) : JSON.parse(content));
    expect(parse(await exported(isBeads ? 'beads' : 'taskmaster'))).toEqual(parse(text(file)));
  },
);

test('a test strategy has no headings and code lines as criteria, and goes back byte for byte', async () => {
  const { workspace, goals, exported, text } = placeOf('12-taskmaster-test-strategy');
  await workspace.import('tasks.json');
  expect((await goals()).at(-1)?.acceptance).toEqual([
    'Test in two ways:',
    'By hand:\n- it rings\n```js\nring();\n})\n```',
  ]);
  expect(JSON.parse(await exported('taskmaster'))).toEqual(JSON.parse(text('tasks.json')));
});

test('a list without a tag and lists with tags are all read', async () => {
  const { workspace, tree, exported, text } = placeOf('13-taskmaster-both-layouts');
  await workspace.import('tasks.json');
  expect((await tree()).map(([, words]) => words)).toEqual(['Tasks', 'tasks', 'Old', 'master', 'New']);
  expect(JSON.parse(await exported('taskmaster'))).toEqual(JSON.parse(text('tasks.json')));
});

test('a line that is only a tag hides no heading, and no line is swallowed', async () => {
  const { workspace, goals } = placeOf('14-prd-tags');
  const told: string[] = [];
  const run = workspace.init({ from: 'prd.txt', decompose: false });
  for await (const event of run) if (event.type === 'notice') told.push(event.message);
  await run.result;
  expect((await goals()).map(({ number, description }) => [number, description])).toEqual([
    ['', 'prd'],
    ['1', 'Core Features'],
    ['1.1', 'Basket'],
    ['2', 'Technical Architecture'],
    ['2.1', 'Store orders'],
    ['3', 'Roadmap'],
    ['3.1', 'Go'],
  ]);
  expect(told.join('\n')).toContain('Overview');
  const coverage = await workspace.coverage({ source: 'prd.txt' });
  expect(JSON.stringify(coverage)).toContain('"uncovered":[]');
});

test('settings that run something are taken out line by line, and a file keeps its long name', async () => {
  const folder = temporaryFolder();
  const name = `task-1 - ${'long-'.repeat(38)}name.md`;
  const config = 'project_name: "x"\nauto_open_browser: true\nstatuses: ["To Do", "Done"] # ours\n';
  const task = '---\nid: task-1\ntitle: Dig\n---\n\nWords.\n';
  mkdirSync(join(folder, 'backlog/tasks'), { recursive: true });
  writeFileSync(join(folder, 'backlog/config.yml'), config);
  writeFileSync(join(folder, 'backlog/tasks', name), task);
  const workspace = openWorkspace({
    environment: { workingFolder: folder, homeFolder: temporaryFolder(), variables: {} },
  });
  const { account } = await workspace.import('.');
  await workspace.export({ format: 'backlog', output: join(folder, 'out') });
  const back = (...path: readonly string[]) => readFileSync(join(folder, 'out/backlog', ...path), 'utf8');
  expect(back('config.yml')).toBe(config.replace('auto_open_browser: true\n', ''));
  expect(back('tasks', name)).toBe(task);
  expect(account?.left_out).toMatchObject([{ file: 'config.yml', first_line: 2, last_line: 2 }]);
});

test('an export of beads goes back as it was with its memories, and what else it has besides issues is named', async () => {
  const dig =
    '{"_type":"issue","id":"k-1","title":"Dig","status":"open","priority":2,"issue_type":"task","created_at":"2026-01-02T03:04:05Z","updated_at":"2026-01-02T03:04:05Z","started_at":"2026-01-02T03:04:05Z","dependency_count":0,"dependent_count":1,"comment_count":0}\n';
  // As one issue, as two, and as one that the others are parts of, which is the goal of the whole then.
  const fill = dig.replace('k-1', 'k-2').replace('Dig', 'Fill');
  const part = fill.replace(
    '"created_at"',
    '"dependencies":[{"issue_id":"k-2","depends_on_id":"k-1","type":"parent-child"}],"created_at"',
  );
  const memories =
    '{"_type":"memory","key":"a","value":"Never on Fridays.\\n\\n- [ ] no task"}\n{"_type":"memory","key":"b","value":"x"}\n';
  for (const issues of [dig, dig + fill, dig + part]) {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'issues.jsonl'), `${issues}${memories}{"_type":"mood","key":"c"}\n`);
    const workspace = openWorkspace({
      environment: { workingFolder: folder, homeFolder: temporaryFolder(), variables: {} },
    });
    const { repaired, account } = await workspace.import('issues.jsonl');
    expect(repaired?.[0]).toBe('1 line of issues.jsonl left out: no issues');
    const line = issues.split('\n').length + 2;
    expect(account?.left_out).toMatchObject([{ first_line: line, last_line: line }]);
    const { content } = await workspace.export({ format: 'beads' });
    expect(jsonLines(content ?? '')).toEqual(jsonLines(issues + memories));
    await workspace.edit('1', { description: 'Other' });
    const changed = (await workspace.export({ format: 'beads' })).content ?? '';
    expect(jsonLines(changed).slice(-2)).toEqual(jsonLines(memories));
    expect(jsonLines(changed).filter((each) => 'memories' in Object(each))).toEqual([]);
  }
});
