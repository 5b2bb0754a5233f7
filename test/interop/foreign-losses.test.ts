import { join } from 'node:path';

import { outputFileSync, writeJsonSync } from 'fs-extra/esm';
import { expect, test } from 'vitest';

import { openWorkspace } from '../../src/workspace.js';
import { temporaryFolder } from '../support/folders.js';

/** What is taken in of a folder with these files: the goals as an outline, and what was said of it. */
async function imported(files: Readonly<Record<string, string>>) {
  const folder = temporaryFolder();
  for (const [name, text] of Object.entries(files)) {
    outputFileSync(join(folder, name), text);
  }
  const environment = { workingFolder: folder, homeFolder: temporaryFolder(), variables: {} };
  const workspace = openWorkspace({ environment });
  const [only = ''] = Object.keys(files);
  const { repaired = [] } = await workspace.import(only.includes('/') ? '.' : only);
  const { goals = [] } = await workspace.status({ verbose: true });
  const numberOf = new Map(goals.map(({ id, number }) => [id, number]));
  const outline = goals.map(({ number, description, dependencies }) =>
    [number, description, ...dependencies.map((id) => `>${numberOf.get(id)}`)].join(' ').trim(),
  );
  return { workspace, goals, outline, told: repaired.join('\n') };
}

test('Spec Kit: two tasks of one id, tasks without, before the first phase and between, and two phases of one name', async () => {
  const tasks = [
    '# Tasks: Shop',
    '- [ ] Agree on the name',
    '## Polish',
    '- [ ] T001 One',
    '- [x] T001 Another',
    '- [ ] Test everything',
    '- [ ] T002: Last (depends on T001)',
    '- [ ] T003',
    '# More',
    '- [ ] Loose',
    '## Polish',
    '- [ ] [P] Shine (depends on T099)',
  ].join('\n');
  const { outline, told } = await imported({ 'specs/1/tasks.md': tasks, 'specs/2/tasks.md': '# Empty' });
  expect(outline).toEqual([
    'Shop',
    '1 Agree on the name',
    '2 Polish >1',
    '2.1 One',
    '2.2 Another >2.1',
    '2.3 Test everything >2.2',
    '2.4 Last (depends on T001) >2.3 >2.1',
    '2.5 T003 >2.4',
    '3 Loose >2',
    '4 Polish >3',
    '4.1 Shine (depends on T099)',
  ]);
  expect(told).toContain('“Shine (depends on T099)” does not wait for 1 T099, which does not exist');
  expect(told).toContain('“Another” has the id of another task, T001');
  expect(told).toContain('feature 2 is left out');
});

test('OpenSpec: groups, tasks and requirements of one name are as many goals', async () => {
  const { outline } = await imported({
    'openspec/changes/a/tasks.md': '## Polish\n- [ ] 1.1 One\n## Polish\n- [ ] 1.1 One\n',
    'openspec/changes/a/specs/x/spec.md':
      '## REMOVED Requirements\n### Requirement: R\nGone.\n## ADDED Requirements\n### Requirement: R\nNew.\n### Requirement: R\nNewer.\n',
  });
  expect(outline).toEqual([
    'a',
    '1 Polish',
    '1.1 One',
    '2 Polish >1',
    '2.1 One',
    '3 Remove: R >2',
    '4 R >2',
    '5 R >2',
  ]);
});

test('Task Master, beads, GitHub and Backlog.md: no task of an id that is taken is lost, and every dropped link is named', async () => {
  const master = await imported({
    'tasks.json': JSON.stringify({
      tasks: [
        { id: 1, title: 'One', subtasks: [{ id: 1, title: 'Part' }] },
        { id: 1, title: 'Two', dependencies: [7], subtasks: [{ id: 1, title: 'Other part' }] },
        { id: 3, title: 'Three', dependencies: [1, 3] },
      ],
    }),
  });
  expect(master.outline).toEqual(['Tasks', '1 One', '1.1 Part', '2 Two', '2.1 Other part', '3 Three >1']);
  expect(master.told).toContain('“Two” does not wait for 7, which does not exist');
  expect(master.told).toContain('“Three” does not wait for itself');

  const issue = (
    id: string,
    title: string,
    on: readonly (readonly [string, string])[] = [],
    status = 'open',
  ) =>
    JSON.stringify({
      id,
      title,
      status,
      dependencies: on.map(([depends_on_id, type]) => ({ issue_id: id, depends_on_id, type })),
    });
  const beads = await imported({
    '.beads/issues.jsonl': [
      issue('a', 'A', [['b', 'parent-child']]),
      issue('b', 'B', [['a', 'parent-child']]),
      issue('c', 'C', [
        ['a', 'parent-child'],
        ['gone', 'blocks'],
      ]),
      issue('c', 'C again', [['nobody', 'parent-child']]),
      issue('d', 'D', [], 'tombstone'),
    ].join('\n'),
  });
  expect(beads.outline).toEqual(['Issues', '1 A', '1.1 C', '2 B', '3 C again']);
  expect(beads.told.split('\n')).toEqual([
    '1 deleted issue left out',
    '“C again” has the id of another task, c: links to it lead to the first',
    '“A” is not placed below b, which is a part of it',
    '“B” is not placed below a, which is a part of it',
    '“C” does not wait for gone, which does not exist',
    '“C again” is not placed below nobody, which does not exist',
    expect.stringMatching(/^left out of issues.jsonl: line 5 /),
  ]);

  const hub = await imported({
    'issues.json': JSON.stringify([
      { number: 7, title: 'One', body: 'Blocked by #99' },
      { number: 7, title: 'Two', body: '' },
    ]),
  });
  expect(hub.outline).toEqual(['Issues', '1 One', '2 Two']);
  expect(hub.told).toContain('“One” does not wait for 99');

  const backlog = await imported({
    'backlog/tasks/a.md': '---\nid: TASK-1\ntitle: One\n---\n',
    'backlog/tasks/b.md': '---\nid: task-1\ntitle: Two\n---\n',
    'backlog/tasks/notes.md': 'Nothing but notes',
  });
  expect(backlog.outline).toEqual(['Backlog', '1 One', '2 Two']);
  expect(backlog.told).toContain('notes.md is left out');
});

test('what is mended names the goal and the link', async () => {
  const { told } = await imported({
    'tasks.json': JSON.stringify({
      tasks: [
        { id: 1, title: 'Chicken', dependencies: [2] },
        { id: 2, title: 'Egg', dependencies: [1] },
      ],
    }),
  });
  expect(told).toMatch(/dropped: “(?:Chicken” on “Egg|Egg” on “Chicken)”/);
});

test('Backlog.md: a section without marks keeps its text beside sections with marks', async () => {
  const { goals } = await imported({
    'backlog/tasks/a.md': [
      '---\nid: TASK-1\ntitle: One\n---',
      '## Description\n\nWhat it is.\n',
      '## Acceptance Criteria\n<!-- AC:BEGIN -->\n- [ ] #1 It works\n<!-- AC:END -->\n',
      '## Implementation Notes\n\n<!-- SECTION:NOTES:BEGIN -->\n## Final Summary\n\nnot one\n<!-- SECTION:NOTES:END -->\n',
      '## Implementation Plan\n\nBy hand.',
    ].join('\n'),
  });
  expect(goals[1]).toMatchObject({
    detail:
      'What it is.\n\n## Implementation Notes\n\n## Final Summary\n\nnot one\n\n## Implementation Plan\n\nBy hand.',
    acceptance: ['It works'],
  });
});

test('export to beads ends when the id that a goal was given is the own id of another', async () => {
  const folder = temporaryFolder();
  const environment = { workingFolder: folder, homeFolder: temporaryFolder(), variables: {} };
  const workspace = openWorkspace({ environment });
  const task = { id: 1, title: 'One' };
  writeJsonSync(join(folder, 'tasks.json'), { tasks: [task, { ...task, id: 2 }, { ...task, id: 3 }] });
  await workspace.import('tasks.json');
  const { content } = await workspace.export({ format: 'json' });
  const plan = JSON.parse(content ?? '');
  const [, first, second, third] = Object.keys(plan.goals);
  plan.goals[second ?? ''].x_beads = { id: first };
  plan.goals[third ?? ''].x_beads = { id: `${first}-2` };
  writeJsonSync(join(folder, 'plan.json'), plan);
  const other = openWorkspace({ environment: { ...environment, workingFolder: temporaryFolder() } });
  await other.import(join(folder, 'plan.json'));
  const lines = ((await other.export({ format: 'beads' })).content ?? '').trimEnd().split('\n');
  const ids = lines.map((line) => JSON.parse(line).id);
  expect(new Set(ids).size).toBe(4);
  expect(ids).toEqual(expect.arrayContaining([first, `${first}-2`, `${first}-3`]));
});

test('GitHub: a hold that its label says in other words, or that has an end, is told at the export', async () => {
  const issue = (number: number) => ({
    number,
    title: `Dig ${number}`,
    state: 'OPEN',
    labels: [{ name: 'blocked' }],
  });
  const { workspace, goals } = await imported({ 'issues.json': JSON.stringify([1, 2, 3].map(issue)) });
  const idOf = (title: string) => goals.find(({ description }) => description === title)?.id ?? '';
  const losses = async () => JSON.stringify((await workspace.export({ format: 'github' })).warnings ?? []);
  expect(await losses()).not.toContain('holds');
  await workspace.hold(idOf('Dig 1'), { reason: 'waiting for legal' });
  expect(await losses()).toMatch(/(?<!ends of )holds \(1 goal: 1\)/);
  await workspace.hold(idOf('Dig 2'), { reason: 'blocked', until: '2999-01-01' });
  expect(await losses()).toContain('ends of holds (1 goal: 2)');
});

test.each([
  [
    'tasks.json',
    {
      master: {
        tasks: [
          { id: 1, title: 'One' },
          { id: 2, title: '' },
          { id: 3, description: 'Say it\nat length' },
          { id: 4, title: 5, description: 'Four' },
        ],
      },
    },
    ['1 One', '2 Task 2', '3 Say it', '4 Four'],
    'master.tasks[3].title',
  ],
  [
    'issues.json',
    [
      { number: 1, title: 'One' },
      { number: 2, title: '' },
      { number: 3, body: 'Say it\nat length' },
      { number: 4, title: 5, body: 'Four' },
    ],
    ['1 One', '2 Issue 2', '3 Say it', '4 Four'],
    '[3].title',
  ],
] as const)(
  '%s: a task without a title is kept, and what is left out is named',
  async (name, value, goals, place) => {
    const folder = temporaryFolder();
    writeJsonSync(join(folder, name), value);
    const environment = { workingFolder: folder, homeFolder: temporaryFolder(), variables: {} };
    const workspace = openWorkspace({ environment });
    const { account } = await workspace.import(name);
    const { goals: made = [] } = await workspace.status({ verbose: true });
    const outline = made.map(({ number, description }) => `${number} ${description}`);
    expect(outline.slice(1)).toEqual(goals);
    expect(account?.left_out).toEqual([{ file: name, first_line: 1, last_line: 1, text: place }]);
  },
);

test.each([
  ['specs/1/tasks.md', '# Tasks: Shop\n- [ ] T007 Seven\n-[ ] T008 Eight\n- [x]T009 Nine\n'],
  ['openspec/changes/shop/tasks.md', '## 1. Work\n- [ ] 1.1 Seven\n-[ ] 1.2 Eight\n- [x]1.3 Nine\n'],
  [
    'issues.json',
    JSON.stringify([{ number: 1, title: 'Work', body: '- [ ] Seven\n-[ ] Eight\n- [x]Nine\n' }]),
  ],
])('%s: a box without a blank beside it is a task', async (name, text) => {
  const files = name.startsWith('openspec')
    ? { 'openspec/changes/shop/proposal.md': '# Shop\n', [name]: text }
    : { [name]: text };
  const { goals } = await imported(files);
  const found = goals.filter(({ description }) => /^(?:Seven|Eight|Nine)$/.test(description));
  expect(found.map(({ description, status }) => `${description} ${status}`)).toEqual([
    'Seven atomic',
    'Eight atomic',
    'Nine complete',
  ]);
});
