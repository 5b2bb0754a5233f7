import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';
import * as z from 'zod';

import { beadsPlan } from '../../src/features/interop/imports/beads-plan.js';
import { openWorkspace } from '../../src/workspace.js';
import { temporaryFolder } from '../support/folders.js';

function newPlace() {
  const folder = temporaryFolder();
  const environment = { workingFolder: folder, homeFolder: temporaryFolder(), variables: {} };
  return { folder, workspace: openWorkspace({ environment }) };
}

type Place = ReturnType<typeof newPlace>;

const tasksSchema = z.record(z.string(), z.looseObject({ tasks: z.array(z.looseObject({})) }));

async function exportTo({ workspace, folder }: Place, format: 'taskmaster' | 'beads' | 'github') {
  const file = { taskmaster: 'tasks.json', beads: 'issues.jsonl', github: 'issues.json' }[format];
  const { content, warnings = [] } = await workspace.export({ format });
  writeFileSync(join(folder, file), content ?? '');
  return { file, content: content ?? '', warnings };
}

/** Exports a plan, and imports it elsewhere. */
async function carry(place: Place, other: Place, format: 'taskmaster' | 'beads' | 'github' | 'backlog') {
  if (format === 'backlog') {
    await place.workspace.export({ format, output: other.folder });
    await other.workspace.import('.');
    return;
  }
  const { file, content } = await exportTo(place, format);
  writeFileSync(join(other.folder, file), content);
  await other.workspace.import(file);
}

test.each(['taskmaster', 'beads', 'github', 'backlog'] as const)(
  'a plan of one goal is one task of %s',
  async (format) => {
    const place = newPlace();
    await place.workspace.init({ goal: 'Bake bread', expander: 'agent' }).result;
    await place.workspace.answer({ answers: [{ goal: 'root', atomic: true }] });
    await place.workspace.edit('root', { acceptance: ['It is brown'] });
    const other = newPlace();
    await carry(place, other, format);
    const goals = (await other.workspace.status({ verbose: true })).goals ?? [];
    const tasks = goals.filter(({ child_ids }) => child_ids.length === 0);
    expect(tasks.map(({ description }) => description)).toEqual(['Bake bread']);
    expect(JSON.stringify(tasks)).toContain('It is brown');
    // Once more it is one task still.
    const again = newPlace();
    await carry(other, again, format);
    const back = (await again.workspace.status({ verbose: true })).goals ?? [];
    expect(back.filter(({ child_ids }) => child_ids.length === 0)).toHaveLength(1);
  },
);

test('descriptions of Task Master come back as they went, whatever blank lines they have', async () => {
  const texts = [
    { description: 'One.\n\nTwo.', details: 'Three.\n\nFour.' },
    { description: 'One.', details: 'Two.\n\nThree.' },
    { description: '', details: 'One.\n\nTwo.' },
    { description: 'One.\n\nTwo.', details: '' },
    { description: '', details: '' },
  ];
  const place = newPlace();
  const tasks = texts.map((text, index) => ({
    id: index + 1,
    title: `Task ${index + 1}`,
    status: 'pending',
    dependencies: [],
    subtasks: [{ id: 1, title: 'Part', status: 'pending', dependencies: [], ...text }],
    ...text,
  }));
  writeFileSync(join(place.folder, 'tasks.json'), JSON.stringify({ master: { tasks, metadata: {} } }));
  await place.workspace.import('tasks.json');
  const { content } = await exportTo(place, 'taskmaster');
  const back = tasksSchema.parse(JSON.parse(content)).master?.tasks ?? [];
  expect(back).toMatchObject(texts.map((text) => ({ ...text, subtasks: [text] })));
  expect(content).not.toContain('description_parts');
});

test('what milestones of Backlog.md, and the goal of the whole plan, have no place for is named', async () => {
  const place = newPlace();
  const backlog = join(place.folder, 'backlog');
  for (const folder of ['tasks', 'milestones']) mkdirSync(join(backlog, folder), { recursive: true });
  writeFileSync(
    join(backlog, 'milestones', 'm-1 - first.md'),
    '---\nid: m-1\ntitle: First\n---\n\n## Description\n\nAll of it\n',
  );
  for (const [id, milestone] of [
    [1, 'milestone: m-1\n'],
    [2, ''],
  ] as const)
    writeFileSync(
      join(backlog, 'tasks', `task-${id} - t.md`),
      `---\nid: TASK-${id}\ntitle: Task ${id}\nstatus: To Do\n${milestone}dependencies: []\nlabels: []\n---\n`,
    );
  await place.workspace.import('.');
  const { workspace } = place;
  const milestone = ((await workspace.status({ verbose: true })).goals ?? []).find(
    ({ description }) => description === 'First',
  );
  const named = async () => {
    const { warnings = [] } = await workspace.export({ format: 'backlog', output: temporaryFolder() });
    return warnings.map(({ message }) => message).join('\n');
  };
  expect(await named()).toBe('');
  await workspace.edit(milestone?.id ?? '', { acceptance: ['It works'] });
  await workspace.edit('root', { acceptance: ['All works'] });
  const other = ((await workspace.status({ verbose: true })).goals ?? []).find(
    ({ description }) => description === 'Task 2',
  );
  await workspace.depend(other?.id ?? '', { on: [milestone?.id ?? ''] });
  const said = await named();
  expect(said).toContain('criteria (2 goals: root, 1)');
  expect(said).toContain('dependencies (1 goal: 2)');
  expect(readdirSync(join(backlog, 'tasks'))).toHaveLength(2);
  expect(readFileSync(join(backlog, 'milestones', 'm-1 - first.md'), 'utf8')).toContain('All of it');
});

test('an issue of beads waits by each kind of link that gates it, and statuses of its own are read', async () => {
  const issue = (id: string, given: object) => JSON.stringify({ id, title: id, status: 'open', ...given });
  const dependencies = ['blocks', 'conditional-blocks', 'waits-for', 'related'].map((type, index) => ({
    issue_id: 'k-9',
    depends_on_id: `k-${index + 1}`,
    type,
  }));
  const lines = [
    issue('k-1', { status: 'released' }),
    issue('k-2', { status: 'iced' }),
    issue('k-3', {}),
    issue('k-4', {}),
    issue('k-9', { dependencies }),
  ];
  const config = 'status:\n  custom: "released:done, iced:frozen"\n';
  const plan = beadsPlan(lines.join('\n'), config);
  const byKey = new Map(plan?.goals.map((goal) => [goal.key, goal]));
  expect(byKey.get('k-1')).toMatchObject({ done: true });
  expect(byKey.get('k-2')).toMatchObject({ done: false, onHold: 'iced' });
  expect(byKey.get('k-9')?.dependsOn).toEqual(['k-1', 'k-2', 'k-3']);
  expect(byKey.get('k-9')?.links).toMatchObject([{ type: 'related', to: 'k-4' }]);
});

test('a folder of Backlog.md names what it leaves out by file and line, and a task without front matter goes back as it was', async () => {
  const { folder, workspace } = newPlace();
  const files = {
    'config.yml': 'project_name: demo\non_status_change: run\nstatuses: [To Do, Done]\n',
    'tasks/task-1 - Dig.md':
      '---\nid: task-1\ntitle: Dig\nhook:\n  - run\ncompleted_date: 2025-01-02\n---\n\nDeep\n',
    'tasks/task-2 - Fill-it.md': 'Only words.\n',
    'tasks/task-3 - Odd.md': Buffer.from([0x61, 0xff, 0xfe]),
    'tasks/epics/task-4 - Below.md': 'Further down.\n',
    'drafts/draft-1 - Later.md': 'Later.\n',
  };
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(join(folder, 'backlog', name, '..'), { recursive: true });
    writeFileSync(join(folder, 'backlog', name), text);
  }
  const { account } = await workspace.import('.');
  expect(
    account?.left_out.map(({ file, first_line, last_line }) => `${file} ${first_line}-${last_line}`),
  ).toEqual([
    'tasks/task-1 - Dig.md 4-5',
    'tasks/task-3 - Odd.md 1-1',
    'drafts/draft-1 - Later.md 1-1',
    'tasks/epics/task-4 - Below.md 1-1',
    'config.yml 2-2',
  ]);
  const output = temporaryFolder();
  await workspace.export({ format: 'backlog', output });
  expect(readFileSync(join(output, 'backlog/tasks/task-2 - Fill-it.md'), 'utf8')).toBe('Only words.\n');
  expect(readFileSync(join(output, 'backlog/tasks/task-1 - Dig.md'), 'utf8')).toContain(
    'completed_date: 2025-01-02',
  );
});
