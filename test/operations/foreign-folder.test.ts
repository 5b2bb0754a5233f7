import { mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { outputFileSync } from 'fs-extra/esm';
import { expect, test } from 'vitest';

import { openWorkspace } from '../../src/workspace.js';
import { temporaryFolder } from '../support/folders.js';

function newPlace() {
  const folder = temporaryFolder();
  const environment = { workingFolder: folder, homeFolder: temporaryFolder(), variables: {} };
  const write = (name: string, text: string) => {
    outputFileSync(join(folder, name), text);
  };
  return { folder, write, workspace: openWorkspace({ environment }) };
}

const files = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(?:md|yml)$/.test(name))
    .toSorted();

const task = (id: string, title: string, more = '') =>
  `---\nid: ${id}\ntitle: ${JSON.stringify(title)}\nstatus: To Do\n${more}---\n`;

test.each([
  '../../../.claude/commands/m',
  '/tmp/m',
  '..\\..\\m',
  'con',
  'nul.txt',
  'a'.repeat(9000),
  'm\u001b0',
])('a milestone that is called %j stays in the folder, and keeps its tasks', async (milestone) => {
  const { folder, write, workspace } = newPlace();
  write('in/backlog/tasks/one.md', task('TASK-1', 'One', `milestone: ${JSON.stringify(milestone)}\n`));
  await workspace.import('in');
  await workspace.export({ format: 'backlog', output: 'out/deep' });
  const written = files(join(folder, 'out'));
  expect(written).toHaveLength(3);
  expect(written.every((name) => name.startsWith('deep/backlog/'))).toBe(true);
  await workspace.import('out/deep');
  const { goals = [] } = await workspace.status({ verbose: true });
  expect(goals.map(({ number, description }) => [number, description]).slice(1)).toEqual([
    ['1', expect.stringContaining(milestone.replace('\u001b', '␛').slice(0, 60))],
    ['1.1', 'One'],
  ]);
});

test('a folder may be named through a link, and below it none is followed', async () => {
  const { folder, write, workspace } = newPlace();
  write('in/backlog/tasks/task-1 - One.md', task('TASK-1', 'One'));
  symlinkSync(join(folder, 'in'), join(folder, 'linked'));
  expect(await workspace.import('linked')).toMatchObject({ total_goals: 2 });

  write('elsewhere.json', '{"tasks": [{"id": 1, "title": "Not of the project"}]}');
  for (const name of ['.taskmaster/tasks/tasks.json', 'tasks.json']) {
    write(`tool/${name}.txt`, '');
    symlinkSync(join(folder, 'elsewhere.json'), join(folder, 'tool', name));
    await expect(workspace.import('tool')).rejects.toMatchObject({ code: 'STORAGE_FAILED' });
    rmSync(join(folder, 'tool'), { recursive: true });
  }
});

test('beside tasks there may be folders and texts of any kind', async () => {
  const { folder, write, workspace } = newPlace();
  write('in/tasks/task-1 - One.md', task('TASK-1', 'One'));
  mkdirSync(join(folder, 'in/tasks/notes.md'));
  write('in/README.md', 'x'.repeat(5 * 1024 * 1024));
  expect(await workspace.import('in')).toMatchObject({ total_goals: 2 });

  outputFileSync(join(folder, 'tasks-alone', 'README.md'), Buffer.from([0xff, 0xfe, 0x00]));
  writeFileSync(join(folder, 'tasks-alone', 'CHANGES-2.0.md'), 'x'.repeat(5 * 1024 * 1024));
  await expect(workspace.import('tasks-alone')).rejects.toMatchObject({
    code: 'INVALID_INPUT',
    message: expect.stringContaining('holds no plan of a known tool') as unknown,
  });
  write('tasks-alone/back-7.1 - Two.md', task('BACK-7.1', 'Two'));
  expect(await workspace.import('tasks-alone')).toMatchObject({ total_goals: 2 });
});

test('ids that differ in case only, deep trees and long titles make names that every system takes', async () => {
  const { folder, write, workspace } = newPlace();
  for (const [index, id] of ['m-0', 'M-0', 'Release_1'].entries())
    write(`in/backlog/milestones/${index}.md`, `---\nid: ${id}\ntitle: Same\n---\n`);
  write('in/backlog/tasks/a.md', task('TASK-1', '𝔄'.repeat(300), 'milestone: Release_1\n'));
  write('in/backlog/tasks/b.md', task(`TASK-${'1.'.repeat(400)}1`, 'Long', 'parent_task_id: TASK-1\n'));
  await workspace.import('in');
  await workspace.export({ format: 'backlog', output: 'out' });
  const names = files(join(folder, 'out/backlog/milestones'));
  expect(names).toEqual(['0.md', '1.md', '2.md']);
  expect(files(join(folder, 'out/backlog/tasks')).every((name) => Buffer.byteLength(name) < 200)).toBe(true);
});

test('a tree of a hundred levels has names that are short enough', async () => {
  const { folder, write, workspace } = newPlace();
  for (let level = 1; level <= 100; level += 1)
    write(
      `in/backlog/tasks/${level}.md`,
      task(`X${level}`, `Level ${level}`, level === 1 ? '' : `parent_task_id: X${level - 1}\n`),
    );
  await workspace.import('in');
  await workspace.export({ format: 'backlog', output: 'out' });
  expect(files(join(folder, 'out/backlog/tasks'))).toHaveLength(100);
  await workspace.import('out');
  const { goals = [] } = await workspace.status({ verbose: true });
  expect(Math.max(...goals.map(({ depth }) => depth))).toBe(100);
});

test.each(['tasks', 'completed', 'milestones', '.'])(
  'files of Backlog.md that are there in %s stay as they are, links are not followed, and nothing is written',
  async (name) => {
    const { folder, write, workspace } = newPlace();
    await workspace.init({ goal: 'Open a bakery', expander: 'agent' }).result;
    write(`out/backlog/${name}/mine.md`, 'mine');
    await expect(workspace.export({ format: 'backlog', output: 'out' })).rejects.toMatchObject({
      code: 'INVALID_INPUT',
    });
    expect(files(join(folder, 'out')).map((path) => readFileSync(join(folder, 'out', path), 'utf8'))).toEqual(
      ['mine'],
    );
    if (name === '.') return;
    mkdirSync(join(folder, 'linked/backlog'), { recursive: true });
    mkdirSync(join(folder, 'elsewhere'));
    symlinkSync(join(folder, 'elsewhere'), join(folder, 'linked/backlog', name));
    await expect(workspace.export({ format: 'backlog', output: 'linked' })).rejects.toMatchObject({
      code: 'INVALID_INPUT',
    });
    expect(readdirSync(join(folder, 'elsewhere'))).toEqual([]);
    expect(readdirSync(join(folder, 'linked/backlog'))).toEqual([name]);
  },
);
