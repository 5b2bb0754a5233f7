import { writeFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { toBacklog } from '../../src/features/interop/exports/backlog.js';
import { toTaskMaster } from '../../src/features/interop/exports/taskmaster.js';
import { makePlan } from '../../src/plan/make-plan.js';
import type { Workspace } from '../../src/workspace.js';
import { openWorkspace } from '../../src/workspace.js';
import { temporaryFolder } from '../support/folders.js';

function opened(files: Readonly<Record<string, string>>) {
  const workingFolder = temporaryFolder();
  for (const [name, text] of Object.entries(files)) {
    const path = join(workingFolder, name);
    mkdirSync(join(path, '..'), { recursive: true });
    writeFileSync(path, text);
  }
  return openWorkspace({ environment: { workingFolder, homeFolder: temporaryFolder(), variables: {} } });
}

async function planIn(workspace: Workspace) {
  const { content } = await workspace.export({ format: 'json' });
  const { goals, ...header } = JSON.parse(content ?? '');
  const plan = makePlan(header, Object.values(goals));
  const idOf = (words: string) =>
    [...plan.goals.values()].find(({ description }) => description === words)?.id ?? words;
  return { plan, idOf };
}

test('Task Master: what a list counts is counted again once something has changed', async () => {
  const tasks = [1, 2].map((id) => ({ id, title: `Dig ${id}`, description: 'x', status: 'pending' }));
  const metadata = { taskCount: 7, completedCount: 5, totalTasks: 9, version: '1' };
  const workspace = opened({ 'tasks.json': JSON.stringify({ master: { tasks, metadata } }) });
  await workspace.import('tasks.json');
  const said = async () => JSON.parse(toTaskMaster((await planIn(workspace)).plan)).master.metadata;
  expect(await said()).toEqual(metadata);
  await workspace.complete((await planIn(workspace)).idOf('Dig 1'), { summary: 'Dug.' });
  expect(await said()).toEqual({ taskCount: 2, completedCount: 1, version: '1' });
});

test('Backlog.md: ordinals and parts follow what was moved here, and else stay', async () => {
  const task = (id: string, ordinal: number, more = '') =>
    `---\nid: task-${id}\ntitle: Dig ${id}\nstatus: To Do\nassignee: []\nlabels: []\ndependencies: []\n${more}ordinal: ${ordinal}\n---\n\n## Description\n\nSoil.\n`;
  const workspace = opened({
    'backlog/config.yml': 'project_name: Garden\n',
    'backlog/tasks/task-1 - Dig-1.md': task('1', 700, 'subtasks: [task-1.1, task-1.2]\n'),
    'backlog/tasks/task-1.1 - Dig-1.1.md': task('1.1', 10, 'parent_task_id: task-1\n'),
    'backlog/tasks/task-1.2 - Dig-1.2.md': task('1.2', 20, 'parent_task_id: task-1\n'),
    'backlog/tasks/task-2 - Dig-2.md': task('2', 800),
  });
  await workspace.import('backlog');
  const said = async () =>
    Object.fromEntries(
      toBacklog((await planIn(workspace)).plan).flatMap(({ text }) => {
        const title = /^title: (.*)$/m.exec(text)?.[1];
        const subtasks = [...(/^subtasks:([^]*?)^[a-z]/m.exec(text)?.[1]?.matchAll(/task-[\d.]+/gi) ?? [])];
        return title === undefined
          ? []
          : [
              [
                title,
                [Number(/^ordinal: (.*)$/m.exec(text)?.[1]), ...subtasks.map(([id]) => id.toLowerCase())],
              ],
            ];
      }),
    );
  const before = await said();
  expect(before).toEqual({
    'Dig 1': [700, 'task-1.1', 'task-1.2'],
    'Dig 1.1': [10],
    'Dig 1.2': [20],
    'Dig 2': [800],
  });
  const { idOf, plan } = await planIn(workspace);
  const root = plan.header.root_goal_id;
  await workspace.move(idOf('Dig 1.2'), { under: root });
  await workspace.move(idOf('Dig 2'), { before: idOf('Dig 1') });
  const after = await said();
  expect(after['Dig 1']?.slice(1)).toEqual(['task-1.1']);
  expect(after['Dig 1.1']).toEqual([10]);
  expect(after['Dig 2']?.[0]).toBeLessThan(Number(after['Dig 1']?.[0]));
});
