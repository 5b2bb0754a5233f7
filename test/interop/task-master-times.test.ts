import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { openWorkspace } from '../../src/workspace.js';
import { temporaryFolder } from '../support/folders.js';

const AT = '2026-01-02T03:04:05.678Z';

/** As its newer versions write it: times at what was changed since, names of siblings as numbers. */
const listed = (title: string) => ({
  tasks: [
    {
      id: 1,
      title,
      description: 'd',
      details: 'x',
      testStrategy: 't',
      status: 'in-progress',
      dependencies: [],
      priority: 'high',
      subtasks: [
        {
          id: 1,
          title: 'Dig',
          description: 'a',
          status: 'done',
          dependencies: [],
          updatedAt: AT,
          parentId: 'undefined',
        },
        {
          id: 2,
          title: 'Fill',
          description: 'b',
          status: 'pending',
          dependencies: [1],
          createdAt: AT,
          parentId: '1',
        },
        { id: 3, title: 'Roll', description: 'c', status: 'pending', dependencies: ['2'], updatedAt: AT },
      ],
      updatedAt: AT,
    },
    {
      id: 2,
      title: 'Ship',
      description: 'e',
      status: 'pending',
      dependencies: ['1'],
      priority: 'low',
      updatedAt: AT,
    },
  ],
  metadata: { version: '1.0.0', lastModified: AT, taskCount: 2, completedCount: 0, created: AT, updated: AT },
});

async function imported() {
  const folder = temporaryFolder();
  const file = { master: listed('Build'), other: listed('Build again') };
  writeFileSync(join(folder, 'tasks.json'), JSON.stringify(file));
  const workspace = openWorkspace({
    environment: { workingFolder: folder, homeFolder: temporaryFolder(), variables: {} },
  });
  await workspace.import('tasks.json');
  const exported = async (): Promise<typeof file> =>
    JSON.parse((await workspace.export({ format: 'taskmaster' } as never)).content ?? '');
  return { file, workspace, exported };
}

test('times of tasks and lists go back as they came, and those of what was changed here are of that change', async () => {
  const { file, workspace, exported } = await imported();
  expect(await exported()).toEqual(file);
  await workspace.edit('1.1.3', { description: 'Roll twice' });
  const { updated_at } = (await workspace.show('1.1.3')).goal;
  const [task, ship] = file.master.tasks;
  const [dig, fill, roll] = task?.subtasks ?? [];
  expect(await exported()).toEqual({
    ...file,
    master: {
      tasks: [
        { ...task, subtasks: [dig, fill, { ...roll, title: 'Roll twice', updatedAt: updated_at }] },
        ship,
      ],
      metadata: { ...file.master.metadata, lastModified: updated_at, updated: updated_at },
    },
  });
});

test('a task of which no time of a change was said gets none, and what it waits for stays as it was written', async () => {
  const { file, workspace, exported } = await imported();
  await workspace.complete('2.1.2', {});
  const [, fill] = (await exported()).other.tasks[0]?.subtasks ?? [];
  expect(fill).toEqual({ ...file.other.tasks[0]?.subtasks?.[1], status: 'done' });
});
