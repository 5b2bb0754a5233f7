import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { expect, test } from 'vitest';

import { openWorkspace } from '../../src/workspace.js';
import { temporaryFolder } from '../support/folders.js';

/** The plan of files of another tool: its goals by their numbers, each with what holds it and what it waits for. */
async function imported(files: Readonly<Record<string, string>>, source = '.') {
  const folder = temporaryFolder();
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), content);
  }
  const environment = { workingFolder: folder, homeFolder: temporaryFolder(), variables: {} };
  const workspace = openWorkspace({ environment });
  const { repaired = [] } = await workspace.import(source);
  const goals = async () => (await workspace.status({ verbose: true })).goals ?? [];
  const outline = async () => {
    const all = await goals();
    const numbers = new Map(all.map(({ id, number }) => [id, number]));
    return all.slice(1).map(({ number, description, status, on_hold: hold, dependencies }) => {
      const waits = dependencies.map((id) => numbers.get(id)).join(', ');
      return [
        `${number} ${description}`,
        ...(status === 'complete' ? ['done'] : []),
        ...(hold === undefined ? [] : [hold.reason]),
        ...(waits === '' ? [] : [`after ${waits}`]),
      ].join(' | ');
    });
  };
  return { workspace, repaired, goals, outline };
}

interface Issue {
  readonly number: number;
  readonly title: string;
  readonly body: string;
  readonly state: string;
  readonly labels: readonly { readonly name: string }[];
}

const issue = (
  number: number,
  title: string,
  lines: readonly string[] = [],
  labels: readonly string[] = [],
) => ({
  number,
  title,
  body: lines.join('\n'),
  state: 'OPEN',
  labels: labels.map((name) => ({ name })),
});

async function ofIssues(...issues: readonly Issue[]) {
  const place = await imported({ 'issues.json': JSON.stringify(issues) }, 'issues.json');
  const exported = async () => {
    const { content, warnings = [] } = await place.workspace.export(undefined, { format: 'github' });
    const back: readonly Issue[] = JSON.parse(content ?? '');
    return { back, warnings: warnings.map(({ message }) => message), lines: back[0]?.body.split('\n') };
  };
  return { ...place, exported };
}

const BOXES = [
  '- [ ] open',
  '- [-] cancelled',
  '- [>] moved',
  '- [~] half',
  '- [/] begun',
  '- [X] done',
  '- [✓] done too',
  '- [ ] later (deferred)',
  '- [ ] [BLOCKED] stuck',
  '- [ ] ~~struck~~',
  '- [!] sign',
  '- [-] above',
  '  - [x] below',
];

test('marks of a task list on GitHub, and words beside its lines, hold, and go back as they are', async () => {
  const { outline, workspace, exported } = await ofIssues(issue(1, 'R', BOXES), issue(2, 'S'));
  expect((await outline()).slice(1)).toEqual([
    '1.1 open',
    '1.2 cancelled | [-] cancelled',
    '1.3 moved | [>] moved',
    '1.4 half',
    '1.5 begun',
    '1.6 done | done',
    '1.7 done too | done',
    '1.8 later (deferred) | deferred',
    '1.9 [BLOCKED] stuck | BLOCKED',
    '1.10 ~~struck~~ | done',
    '1.11 sign',
    '1.12 above | done | [-] cancelled',
    '1.12.1 below | done',
    '2 S',
  ]);
  expect((await exported()).lines).toEqual(BOXES);
  await workspace.edit('1.1', { description: 'opened' });
  const edited = BOXES.with(0, '- [ ] opened');
  expect((await exported()).lines).toEqual(edited);
  await workspace.unhold('1.2');
  await workspace.hold('1.1', { reason: '[-] cancelled' });
  const held = edited.with(0, '- [-] opened').with(1, '- [ ] cancelled');
  expect(await exported()).toMatchObject({ lines: held, warnings: [] });
  await workspace.complete('1.4', { summary: 'whole' });
  const { back, lines } = await exported();
  expect(lines).toEqual(held.with(3, '- [x] half'));
  expect(back).toHaveLength(2);
  expect((await (await ofIssues(...back)).outline()).slice(1, 6)).toEqual([
    '1.1 opened | [-] cancelled',
    '1.2 cancelled',
    '1.3 moved | [>] moved',
    '1.4 half | done',
    '1.5 begun',
  ]);
});

test('a line on GitHub whose words say more than the plan now holds stays, and that is said', async () => {
  const { workspace, exported } = await ofIssues(issue(1, 'R', BOXES), issue(2, 'S'));
  await workspace.unhold('1.8');
  await workspace.reopen('1.10');
  const { lines, warnings } = await exported();
  expect(lines).toEqual(BOXES);
  expect(warnings).toEqual(['github has no place for holds (1 goal: 1.8), that it is done (1 goal: 1.10)']);
});

const WAITING = [
  '- [ ] Do A',
  '- [ ] Do B (depends on #2)',
  '- [x] Do C — blocked by #2',
  '- [ ] Do D (depends on #1)',
  '- [ ] Do E, blocked by #9',
  '  - [ ] Do F (depends on #2, #3)',
  '- [ ] Do  G,\twith blanks',
  '- [ ] #5 is elsewhere',
];

test('a line of a task list that waits for issues stays a line, and is no second task', async () => {
  const all = [issue(1, 'R', WAITING, ['Priority: Medium']), issue(2, 'S'), issue(3, 'T')];
  const { outline, workspace, exported } = await ofIssues(...all);
  const before = await outline();
  expect(before.slice(2, 4)).toEqual([
    '1.2 Do B (depends on #2) | after 2',
    '1.3 Do C — blocked by #2 | done | after 2',
  ]);
  expect((await exported()).back).toEqual(all);
  await workspace.edit('1', { tags: ['zz', 'Priority: Medium'] });
  const { back } = await exported();
  expect(back).toHaveLength(3);
  expect(back[0]?.body).toBe(all[0]?.body);
  expect(await (await ofIssues(...back)).outline()).toEqual(before);
});

test('a line of a task list that waits for something else than it says becomes an issue in its place', async () => {
  const { workspace, exported, outline } = await ofIssues(
    issue(1, 'R', WAITING),
    issue(2, 'S'),
    issue(3, 'T'),
  );
  await workspace.depend('1.2', { on: ['3'] });
  const { back, lines } = await exported();
  expect(back).toHaveLength(4);
  // The numbers that lines name are others'.
  expect(lines?.[1]).toBe('- [ ] #10 Do B (depends on #2)');
  expect((await (await ofIssues(...back)).outline()).slice(1, 9)).toEqual((await outline()).slice(1, 9));
});

const tasks = (...lines: readonly string[]) => `${lines.join('\n')}\n`;

test('OpenSpec: marks and words hold, and a task waits for those whose numbers it names', async () => {
  const { outline, goals, repaired } = await imported({
    'openspec/changes/c/tasks.md': tasks(
      '## 1. Setup',
      '- [ ] 1.1 Alpha',
      '- [-] 1.2 Skip',
      '- [~] 1.3 Half (depends on 1.1)',
      '- [ ] 1.4 [BLOCKED] Wall',
      '- [ ] 1.5 ~~Struck~~',
      '- [!] 1.6 Sign (after 1.1–1.3)',
      '## 2. Core',
      '- [ ] 2.1 Parser (after 1.3 and 1.6)',
      '- [ ] 2.2 Page',
      '  - Depends on: 2.1, 9.9',
      '- [ ] 2.3 Port to 1.1 (blocked by 2.2)',
      '## 3. Polish (deferred)',
      '- [ ] 3.1 Docs',
    ),
  });
  expect(await outline()).toEqual([
    '1 Setup',
    '1.1 Alpha',
    '1.2 Skip | [-] cancelled',
    '1.3 Half (depends on 1.1) | after 1.1',
    '1.4 [BLOCKED] Wall | BLOCKED',
    '1.5 ~~Struck~~ | done',
    '1.6 Sign (after 1.1–1.3) | after 1.1, 1.2, 1.3',
    '2 Core | after 1',
    '2.1 Parser (after 1.3 and 1.6) | after 1.3, 1.6',
    '2.2 Page | after 2.1',
    '2.3 Port to 1.1 (blocked by 2.2) | after 2.2',
    '3 Polish (deferred) | deferred | after 2',
    '3.1 Docs',
  ]);
  expect((await goals()).find(({ number }) => number === '1.3')?.detail).toBe('[~]');
  expect(repaired).toEqual(['“Page” does not wait for change c 9.9, which does not exist']);
});

test('Spec Kit: a task has a box; what explains the boxes is text, and nothing waits for it', async () => {
  const { outline, goals } = await imported({
    'specs/001-x/tasks.md': tasks(
      '# Tasks: Bakery',
      '## Format',
      '- [P] tasks can run together',
      '## Legend',
      '- [X] done',
      '- [ ] open',
      '- [-] = cancelled task',
      '## How to read this',
      '- [ ] a box is a task',
      '## Phase 1: Setup',
      '- [ ] T001 [P] Alpha',
      '- [-] T002 Skip',
      '- [ ] T003 [P] [BLOCKED] Wall',
      '- [ ] no number',
      '## Notes',
      '- [ ] Ask the baker',
      '## Dependencies',
      '- [P] means parallel',
    ),
  });
  expect(await outline()).toEqual([
    '1 Setup',
    '1.1 Alpha',
    '1.2 Skip | [-] cancelled | after 1.1',
    '1.3 Wall | BLOCKED | after 1.2',
    '1.4 no number | after 1.3',
    '2 Notes | after 1',
    '2.1 Ask the baker',
  ]);
  const [root] = await goals();
  for (const said of [
    '- [P] tasks can run together',
    '- [-] = cancelled task',
    '- [ ] a box is a task',
    '- [P] means',
  ])
    expect(root?.detail).toContain(said);
});

test.each([
  ['[]', 'is an empty list, with no task to import'],
  ['[{"a": 1}]', 'is a list, but of no tasks that an import knows'],
])('a list without issues says so: %s', async (text, message) => {
  await expect(imported({ 'list.json': text }, 'list.json')).rejects.toThrow(message);
});
