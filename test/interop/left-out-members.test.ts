import { expect, test } from 'vitest';

import { importedFiles } from '../support/imported-files.js';

async function imported(files: Readonly<Record<string, string>>) {
  const { workspace, told, account } = await importedFiles(files);
  const { goals = [] } = await workspace.status({ verbose: true });
  return { goals, told, leftOut: account?.left_out ?? [] };
}

test.each([
  ['[To Do, In Progress, Done, Icebox]', 'Icebox', { status: 'atomic', on_hold: { reason: 'Icebox' } }],
  ['[To Do, In Review, Blocked]', 'Blocked', { status: 'atomic', on_hold: { reason: 'Blocked' } }],
  [
    '[Todo, Erledigt, Zurückgestellt]',
    'Zurückgestellt',
    { status: 'atomic', on_hold: { reason: 'Zurückgestellt' } },
  ],
  ['[Todo, Doing, Erledigt]', 'Erledigt', { status: 'complete' }],
  ['[Todo, Done, Archive later]', 'Archive later', { status: 'atomic' }],
  ['[Todo, In Review, In the shop]', 'In the shop', { status: 'complete' }],
])('the last of the statuses %s means done where no other does', async (statuses, status, expected) => {
  const task = (id: number, said: string) => `---\nid: task-${id}\ntitle: Task ${id}\nstatus: ${said}\n---\n`;
  const { goals } = await imported({
    'backlog/config.yml': `statuses: ${statuses}\n`,
    'backlog/tasks/task-1 - One.md': task(1, status),
    'backlog/tasks/task-2 - Two.md': task(2, 'Todo'),
  });
  expect(goals.find(({ description }) => description === 'Task 1')).toMatchObject(expected);
});

const INPUTS: readonly (readonly [string, string])[] = [
  [
    'tasks.json',
    JSON.stringify(
      {
        tasks: [
          { id: 1, title: 'Dig' },
          { id: 2, title: 'Fill', weird: 'run me', subtasks: [{ id: 1, title: 'Sand', weird: 'me too' }] },
        ],
      },
      null,
      1,
    ),
  ],
  [
    'issues.json',
    JSON.stringify(
      [
        { number: 1, title: 'Dig' },
        { number: 2, title: 'Fill', weird: 'run me' },
      ],
      null,
      1,
    ),
  ],
  ['backlog/tasks/task-2 - Fill.md', '---\nid: task-2\ntitle: Fill\nweird: run me\n---\n'],
];

test.each(INPUTS)('a member that is left out is named with its task and its line: %s', async (file, text) => {
  const { told, leftOut } = await imported({ [file]: text });
  expect(told).toMatch(/weird is left out of “Fill” \([^()]+:\d+\)( and 1 other)?: /);
  const lines = text.split('\n').flatMap((line, index) => (line.includes('weird') ? [index + 1] : []));
  expect(leftOut.flatMap(({ first_line: first, last_line: last }) => [first, last])).toEqual(
    lines.flatMap((line) => [line, line]),
  );
});
