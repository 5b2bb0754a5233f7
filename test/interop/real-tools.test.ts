import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { describe, expect, test } from 'vitest';

import { openWorkspace } from '../../src/workspace.js';
import type { Workspace } from '../../src/workspace.js';
import { temporaryFolder } from '../support/folders.js';

/** Where `npm run test:tools` puts the tools. */
const BIN = resolve('node_modules/.tools/node_modules/.bin');
/** A tool takes seconds to start. */
const MOST_MS = 600_000;
const MISSING = 'skipped where they are not installed: npm run test:tools';

/** What the tools are told: a home of their own, no colours, no calls to the network. */
const variables = () => ({
  PATH: process.env['PATH'] ?? '',
  HOME: temporaryFolder(),
  CI: '1',
  NO_COLOR: '1',
  TASKMASTER_SKIP_AUTO_UPDATE: '1',
  TASK_MASTER_TOOLS: 'all',
  OPENSPEC_TELEMETRY: '0',
});

/** Runs a tool in a folder, and returns what it prints. */
function run(tool: string, cwd: string, ...args: readonly string[]): string {
  const stdio = ['ignore', 'pipe', 'pipe'] as const;
  return execFileSync(join(BIN, tool), args, { cwd, env: variables(), encoding: 'utf8', stdio: [...stdio] });
}

const planIn = (folder: string) =>
  openWorkspace({ environment: { workingFolder: folder, homeFolder: temporaryFolder(), variables: {} } });

const goalNamed = async (workspace: Workspace, name: string) =>
  (await workspace.status({ verbose: true })).goals?.find(({ description }) => description === name)?.id ??
  '';

const exported = async (workspace: Workspace, format: 'taskmaster') =>
  (await workspace.export(undefined, { format })).content ?? '';

/** A plan of frctl's own, with what the tools have members for. */
async function ownPlan() {
  const folder = temporaryFolder();
  const text = [
    '# Build a “mill”: all of it',
    '## Dam the stream',
    '- [ ] Buy stones #1',
    '\n  Round ones, as in `<!-- AC:END -->`.\n',
    '- [ ] Lay the wall: high',
    '## Cut the wheel',
    '- [ ] Spokes',
    '  - [ ] Fell an oak',
    '  - [ ] Saw it',
  ];
  writeFileSync(join(folder, 'mill.md'), text.join('\n'));
  const workspace = planIn(folder);
  await workspace.init({ from: 'mill.md', expander: 'rules' }).result;
  await workspace.complete(await goalNamed(workspace, 'Fell an oak'), { summary: 'An oak is felled' });
  await workspace.hold(await goalNamed(workspace, 'Lay the wall: high'), { reason: 'blocked' });
  await workspace.decide('root', { what: 'stone', choice: 'granite: grey' });
  await workspace.decide('2.1', { what: 'wood', choice: 'oak' });
  return workspace;
}

/** What was decided, by goal, as a folder of a tool has it. */
async function decidedIn(folder: string) {
  const workspace = planIn(folder);
  await workspace.import('.');
  const goals = (await workspace.status({ verbose: true })).goals ?? [];
  return goals.flatMap(({ number, decisions = [] }) =>
    decisions.map(({ what, choice }) => [number, what, choice]),
  );
}

/** What was decided in the plan of our own. */
const DECIDED = [
  ['', 'stone', 'granite: grey'],
  ['2.1', 'wood', 'oak'],
];

describe.skipIf(!existsSync(join(BIN, 'task-master-mcp')))(`Task Master (${MISSING})`, () => {
  const open = async (root: string) => {
    const client = new Client({ name: 'test', version: '1' });
    const command = join(BIN, 'task-master-mcp');
    await client.connect(new StdioClientTransport({ command, env: variables(), stderr: 'ignore' }));
    const call = async (name: string, given: object = {}) => {
      const answer = await client.callTool({ name, arguments: { projectRoot: root, ...given } });
      const [first] = answer.content as { text: string }[];
      if (answer.isError === true) throw new Error(first?.text);
      return JSON.parse(first?.text ?? '').data;
    };
    return { call, close: () => client.close() };
  };

  test(
    'lists the tasks that it made, after they were here, and those of a plan of our own',
    async () => {
      const root = temporaryFolder();
      const path = join(root, '.taskmaster/tasks/tasks.json');
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, '{"master": {"tasks": [], "metadata": {}}}');
      const tool = await open(root);
      try {
        const list = async () => ({
          master: await tool.call('get_tasks', { withSubtasks: true }),
          later: await tool.call('get_tasks', { withSubtasks: true, tag: 'later' }),
        });
        const details = 'By hand\n\n## Notes\n- [ ] a spade';
        await tool.call('add_task', { title: 'Dig: “it”', description: 'Deep', details, priority: 'high' });
        await tool.call('add_task', {
          title: 'Fill',
          description: 'Again',
          dependencies: '1',
          testStrategy: 'Look',
        });
        await tool.call('add_subtask', { id: '1', title: 'Fence', details: 'wood' });
        await tool.call('add_subtask', { id: '1', title: 'Sign', status: 'deferred', dependencies: '1.1' });
        await tool.call('set_task_status', { id: '1.1', status: 'done' });
        await tool.call('add_tag', { name: 'later', description: 'For later' });
        await tool.call('add_task', { title: 'Lawn', description: 'Green', tag: 'later' });
        const [before, text] = [await list(), readFileSync(path, 'utf8')];
        const workspace = planIn(root);
        await workspace.import('.');
        const there = async () => {
          const content = await exported(workspace, 'taskmaster');
          writeFileSync(path, content);
          return content;
        };
        expect(JSON.parse(await there())).toEqual(JSON.parse(text));
        expect(await list()).toEqual(before);
        const { goals } = await workspace.next();
        expect(goals.map(({ description }) => description).toSorted()).toEqual(['Lawn']);
        const sign = await goalNamed(workspace, 'Sign');
        await workspace.unhold(sign);
        await workspace.complete(sign);
        await there();
        const { master } = await list();
        expect(master.tasks[0].subtasks.map(({ status }: { status: string }) => status)).toEqual([
          'done',
          'done',
        ]);
        expect(master.tasks[0].status).toBe('done');

        writeFileSync(path, await exported(await ownPlan(), 'taskmaster'));
        const { tasks } = (await list()).master;
        expect(tasks).toMatchObject([
          { title: 'Dam the stream', description: 'Dam the stream', status: 'pending', priority: 'medium' },
          { title: 'Cut the wheel', subtasks: [{}, { title: 'Fell an oak', status: 'done' }, {}] },
        ]);
        expect(tasks[0].subtasks).toMatchObject([
          { title: 'Buy stones #1', description: 'Round ones, as in `<!-- AC:END -->`.' },
          { title: 'Lay the wall: high', status: 'blocked' },
        ]);
        expect(await tool.call('validate_dependencies')).toMatchObject({
          message: expect.stringContaining('success'),
        });
        expect(await decidedIn(root)).toEqual(DECIDED);
        await tool.call('set_task_status', { id: '2.3', status: 'done' });
        await tool.call('add_task', { title: 'Dig', description: 'Deep' });
        expect(await decidedIn(root)).toEqual(DECIDED);
      } finally {
        await tool.close();
      }
    },
    MOST_MS,
  );
});

describe.skipIf(!existsSync(join(BIN, 'backlog')))(`Backlog.md (${MISSING})`, () => {
  const shown = (folder: string) => {
    const { tasks } = JSON.parse(run('backlog', folder, 'task', 'list', '--json')) as {
      tasks: { id: string; title: string; status: string }[];
    };
    const views = tasks.map(({ id }) =>
      run('backlog', folder, 'task', 'view', id, '--plain').replaceAll(folder, ''),
    );
    return { tasks, views, milestones: run('backlog', folder, 'milestone', 'list', '--plain') };
  };

  test(
    'lists the tasks that it made, after they were here, and those of a plan of our own',
    async () => {
      const folder = temporaryFolder();
      execFileSync('git', ['init', '-q'], { cwd: folder });
      run('backlog', folder, 'init', 'demo', '--defaults');
      const create = (...args: readonly string[]) => run('backlog', folder, 'task', 'create', ...args);
      run('backlog', folder, 'milestone', 'add', 'First release', '-d', 'What goes out');
      const given = {
        '-d': 'Deep\n\n## Notes\n- [ ] spade',
        '-a': '@ana',
        '-l': 'area/web,priority:2',
        '--priority': 'high',
      };
      const more = {
        '--dod': 'Reviewed',
        '-m': 'First release',
        '--due-date': '2027-01-05',
        '--type': 'bug',
      };
      const options = Object.entries({ ...given, ...more, '--ref': 'https://example.org/x' }).flat();
      create('Dig: the “hole” #1', ...options, '--ac', 'It is deep', '--ac', 'It is wide');
      create('Fence', '-p', 'TASK-1');
      create('Sign', '-p', 'TASK-1', '--dep', 'TASK-1.1');
      create(
        'Fill',
        '--dep',
        'TASK-1',
        '-s',
        'In Progress',
        '--plan',
        '1. shovel\n2. rest',
        '--notes',
        'a note',
      );
      run('backlog', folder, 'task', 'edit', '1.1', '-s', 'Done', '--final-summary', 'A fence stands');
      run(
        'backlog',
        folder,
        'task',
        'edit',
        '1',
        '--check-ac',
        '1',
        '--comment',
        'Look',
        '--comment-author',
        '@ben',
      );
      run('backlog', folder, 'draft', 'create', 'A draft');
      const before = shown(folder);
      const workspace = planIn(folder);
      const { account } = await workspace.import('.');
      const left = new Set(account?.left_out.map(({ file }) => file));
      expect([...left]).toEqual([expect.stringContaining('draft-1'), 'config.yml']);
      const back = async () => {
        const output = temporaryFolder();
        await workspace.export(undefined, { format: 'backlog', output });
        for (const name of ['tasks', 'milestones', 'config.yml']) {
          rmSync(join(folder, 'backlog', name), { recursive: true });
          cpSync(join(output, 'backlog', name), join(folder, 'backlog', name), { recursive: true });
        }
      };
      await back();
      expect(shown(folder)).toEqual(before);
      await workspace.complete(await goalNamed(workspace, 'Sign'), { summary: 'It hangs' });
      await back();
      expect(run('backlog', folder, 'task', 'view', '1.2', '--plain')).toMatch(/Status: .*Done[^]*It hangs/);

      const other = temporaryFolder();
      execFileSync('git', ['init', '-q'], { cwd: other });
      const own = await ownPlan();
      await own.export(undefined, { format: 'backlog', output: other });
      const named = shown(other).tasks.map(({ id, title, status }) => `${id} ${title} ${status}`);
      expect(named).toEqual([
        'TASK-1 Dam the stream To Do',
        'TASK-1.1 Buy stones #1 To Do',
        'TASK-1.2 Lay the wall: high To Do',
        'TASK-2 Cut the wheel To Do',
        'TASK-2.1 Spokes To Do',
        'TASK-2.1.1 Fell an oak Done',
        'TASK-2.1.2 Saw it To Do',
      ]);
      expect(run('backlog', other, 'doctor')).toContain('No duplicate IDs');
      run('backlog', other, 'task', 'edit', '2.1', '-s', 'In Progress', '--append-notes', 'Begun');
      expect(run('backlog', other, 'task', 'view', '2.1', '--plain')).toMatch(/wood: oak[^]*Begun/);
      expect(await decidedIn(other)).toEqual(DECIDED);
    },
    MOST_MS,
  );
});

describe.skipIf(!existsSync(join(BIN, 'openspec')))(`OpenSpec (${MISSING})`, () => {
  test(
    'counts as many tasks of a change as are done here, and finds it as it was',
    async () => {
      const folder = temporaryFolder();
      run('openspec', folder, 'init', '--tools', 'none', '.');
      run('openspec', folder, 'new', 'change', 'add-dark', '--description', 'Dark');
      const change = join(folder, 'openspec/changes/add-dark');
      const tasks = join(change, 'tasks.md');
      writeFileSync(
        join(change, 'proposal.md'),
        '## Why\n\nEyes hurt at night, and people ask for it often.\n\n## What Changes\n\n- A switch\n',
      );
      mkdirSync(join(change, 'specs/theme'), { recursive: true });
      writeFileSync(
        join(change, 'specs/theme/spec.md'),
        '## ADDED Requirements\n\n### Requirement: Dark theme\nThe page SHALL have a dark theme.\n\n#### Scenario: Switch\n- **WHEN** it is pressed\n- **THEN** the page is dark\n',
      );
      const text =
        '## 1. Theme\n\n- [x] 1.1 Colours\n- [ ] 1.2 Switch\n  - [ ] 1.2.1 Icon\n\n## 2. Docs\n\n* [ ] 2.1 Page\n- [~] 2.2 Picture\n- [ x] 2.3 Words\n';
      writeFileSync(tasks, text);
      const listed = () => JSON.parse(run('openspec', folder, 'list', '--json')).changes[0];
      const before = listed();
      const workspace = planIn(folder);
      await workspace.import('.');
      const done = (await workspace.status({ verbose: true })).goals?.filter(
        ({ status }) => status === 'complete',
      );
      expect(done?.map(({ description }) => description)).toEqual(['Colours', 'Words']);
      expect(before).toMatchObject({ completedTasks: 2, totalTasks: 6 });
      expect(listed()).toEqual(before);
      expect(run('openspec', folder, 'validate', 'add-dark')).toContain('valid');
    },
    MOST_MS,
  );
});
