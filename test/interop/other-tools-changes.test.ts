import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import * as fc from 'fast-check';
import { stringify } from 'yaml';
import { expect, test } from 'vitest';

import { readBacklogText } from '../../src/features/interop/backlog-file.js';
import { openWorkspace } from '../../src/workspace.js';
import { temporaryFolder } from '../support/folders.js';

type Values = Readonly<Record<string, unknown>>;
type Workspace = ReturnType<typeof openWorkspace>;

/** A task in words of none of the tools. */
interface Task {
  readonly title: string;
  readonly detail: string | undefined;
  readonly criteria: readonly string[];
  readonly status: string | undefined;
  readonly priority: unknown;
  readonly labels: readonly string[] | undefined;
}

const maybe = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: undefined });

function taskOf(statuses: readonly string[], priorities: readonly unknown[]): fc.Arbitrary<Task> {
  return fc.record({
    title: fc.constantFrom('Dig', 'Fix: the thing', 'a #1 thing', 'depends on nothing'),
    detail: maybe(
      fc.constantFrom(
        'Plain words.',
        '* a star\n* and another',
        'One.\n\n## Risks\n\nOther.',
        'a\n\nb\n\n\nc',
      ),
    ),
    criteria: fc.subarray(['It works', 'Nothing is lost', '`code` runs']),
    status: maybe(fc.constantFrom(...statuses)),
    priority: fc.constantFrom(undefined, ...priorities),
    labels: maybe(fc.subarray(['type:bug', 'web'])),
  });
}

interface Tool {
  readonly task: fc.Arbitrary<Task>;
  /** Its records, in order. */
  readonly written: (all: readonly Task[]) => readonly Values[];
  readonly filesOf: (records: readonly Values[]) => Readonly<Record<string, string>>;
  readonly source: string;
  readonly exported: (workspace: Workspace) => Promise<readonly Values[]>;
  /** Whether a record is closed, where others of its members say that too. */
  readonly isClosed?: (record: Values) => boolean;
  /** The priorities that it can say. */
  readonly scale: readonly number[];
  /** The members that each change may change, by what is changed. */
  readonly touched: Readonly<Record<Deed, readonly string[]>>;
}

type Deed =
  'words' | 'detail' | 'acceptance' | 'priority' | 'hold' | 'unhold' | 'complete' | 'reopen' | 'claim';

const defined = (values: Values): Values =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
const boxes = (criteria: readonly string[]) =>
  criteria.map((each) => `- [ ] ${each}`).join('\n') || undefined;
const text = (workspace: Workspace, format: string) =>
  workspace.export({ format } as never).then(({ content }) => content ?? '');

const TOOLS: Readonly<Record<string, Tool>> = {
  taskmaster: {
    task: taskOf(
      ['pending', 'done', 'in-progress', 'review', 'blocked', 'deferred', 'cancelled', 'completed', 'Done'],
      ['critical', 'urgent', 'high', 'High', 'medium', 'normal', 'low', 'odd'],
    ),
    written: (all) =>
      all.map(({ title, detail, criteria, status, priority }, index) =>
        defined({
          id: index + 1,
          title,
          description: detail,
          testStrategy: criteria.join('\n') || undefined,
          status,
          priority,
        }),
      ),
    filesOf: (tasks) => ({ 'tasks.json': JSON.stringify({ tasks }) }),
    source: 'tasks.json',
    exported: async (workspace) => JSON.parse(await text(workspace, 'taskmaster')).tasks,
    scale: [0, 1, 2, 3],
    touched: {
      words: ['title'],
      detail: ['description', 'details'],
      acceptance: ['testStrategy'],
      priority: ['priority'],
      hold: ['status'],
      unhold: ['status'],
      complete: ['status'],
      reopen: ['status'],
      claim: ['status'],
    },
  },
  beads: {
    task: taskOf(
      ['open', 'closed', 'in_progress', 'blocked', 'deferred', 'pinned', 'hooked', 'wontfix'],
      [0, 1, 2, 3, 4, 7],
    ),
    written: (all) =>
      all.map(({ title, detail, criteria, status, priority, labels }, index) =>
        defined({
          id: `k-${index}`,
          title,
          description: detail,
          acceptance_criteria: boxes(criteria),
          status,
          priority,
          labels,
          issue_type: 'bug',
          created_at: '2026-01-02T03:04:05Z',
          ...(status === 'closed' ? { closed_at: '2026-02-02T03:04:05Z', close_reason: 'Said so.' } : {}),
          ...(status === 'deferred' ? { defer_until: '2999-01-01T00:00:00Z' } : {}),
        }),
      ),
    filesOf: (issues) => ({ 'issues.jsonl': issues.map((each) => `${JSON.stringify(each)}\n`).join('') }),
    source: 'issues.jsonl',
    exported: async (workspace) =>
      (await text(workspace, 'beads'))
        .trim()
        .split('\n')
        .map((each) => JSON.parse(each)),
    scale: [0, 1, 2, 3, 4],
    isClosed: ({ status }) => status === 'closed',
    touched: {
      words: ['title', 'updated_at'],
      detail: ['description', 'design', 'notes', 'updated_at'],
      acceptance: ['acceptance_criteria', 'updated_at'],
      priority: ['priority', 'updated_at'],
      hold: ['status', 'defer_until', 'updated_at'],
      unhold: ['status', 'defer_until', 'updated_at'],
      complete: ['status', 'closed_at', 'close_reason', 'updated_at'],
      reopen: ['status', 'closed_at', 'close_reason', 'updated_at'],
      claim: ['status', 'updated_at'],
    },
  },
  github: {
    task: taskOf(['OPEN', 'CLOSED', 'open'], []),
    written: (all) =>
      all.map(({ title, detail = '', criteria, status = 'OPEN', labels = [] }, index) => ({
        number: index + 1,
        title,
        body: [detail, criteria.length === 0 ? '' : `### Acceptance criteria\n\n${boxes(criteria)}`]
          .filter((each) => each !== '')
          .join('\n\n'),
        state: status,
        labels: labels.map((name) => ({ name, color: 'ff0000' })),
        closed: status === 'CLOSED',
        closedAt: status === 'CLOSED' ? '2026-02-02T03:04:05Z' : null,
        stateReason: status === 'CLOSED' ? 'NOT_PLANNED' : '',
      })),
    filesOf: (issues) => ({ 'issues.json': JSON.stringify(issues) }),
    source: 'issues.json',
    exported: async (workspace) => JSON.parse(await text(workspace, 'github')),
    scale: [],
    isClosed: ({ state }) => state === 'CLOSED',
    touched: {
      words: ['title'],
      detail: ['body'],
      acceptance: ['body'],
      priority: [],
      hold: [],
      unhold: [],
      complete: ['state', 'closed', 'closedAt', 'stateReason', 'body'],
      reopen: ['state', 'closed', 'closedAt', 'stateReason', 'body'],
      claim: [],
    },
  },
  backlog: {
    task: taskOf(
      ['To Do', 'Doing', 'Shipped', 'Blocked', 'done'],
      ['critical', 'high', 'High', 'medium', 'low', 'odd'],
    ),
    written: (all) =>
      all.map(({ title, detail, criteria, status, priority, labels }, index) => ({
        folder: status === 'Shipped' ? 'completed' : 'tasks',
        ...defined({ id: `task-${index + 1}`, title, status, priority, labels, assignee: ['ana'] }),
        body: [
          ...(detail === undefined ? [] : [`## Description\n\n${detail}\n`]),
          ...(criteria.length === 0 ? [] : [`## Acceptance Criteria\n${boxes(criteria)}\n`]),
        ].join('\n'),
      })),
    filesOf: (all) => ({
      'backlog/config.yml': 'project_name: "x"\nstatuses: ["To Do", "Doing", "Blocked", "Shipped"]\n',
      ...Object.fromEntries(
        all.map(({ folder, body, ...head }) => [
          `backlog/${String(folder)}/${String(head['id'])} - T.md`,
          `---\n${stringify(head)}---\n\n${String(body)}`,
        ]),
      ),
    }),
    source: '.',
    exported: async (workspace) => {
      const output = temporaryFolder();
      await workspace.export({ format: 'backlog', output });
      return ['tasks', 'completed']
        .flatMap((folder) =>
          names(join(output, 'backlog', folder)).map((file) => {
            const { members, sections } = readBacklogText(
              readFileSync(join(output, 'backlog', folder, file), 'utf8'),
            );
            return {
              folder,
              ...members,
              body: sections
                .map(({ raw }) => raw)
                .join('')
                .replace(/^\n/, ''),
            };
          }),
        )
        .toSorted((one: Values, other: Values) => String(one['id']).localeCompare(String(other['id'])));
    },
    scale: [1, 2, 3],
    touched: {
      words: ['title'],
      detail: ['body'],
      acceptance: ['body'],
      priority: ['priority'],
      hold: ['status'],
      unhold: ['status'],
      complete: ['status', 'body'],
      reopen: ['status', 'body', 'folder'],
      claim: ['status'],
    },
  },
};

function endsIn(record: Values): boolean {
  return ['closed_at', 'closed', 'closedAt'].some((member) => Boolean(record[member]));
}

function names(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

async function imported(files: Readonly<Record<string, string>>, source: string) {
  const folder = temporaryFolder();
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
  const environment = { workingFolder: folder, homeFolder: temporaryFolder(), variables: {} };
  const workspace = openWorkspace({ environment });
  await workspace.import(source);
  return workspace;
}

const goalsOf = async (workspace: Workspace) =>
  ((await workspace.status({ verbose: true })).goals ?? []).filter(({ parent_id }) => parent_id !== null);

const PRIORITIES = ['critical', 'high', 'normal', 'low', 'someday'] as const;

/** Changes a goal; a change that it refuses is none. */
async function change(workspace: Workspace, id: string, deed: Deed, level: number): Promise<boolean> {
  const deeds: Readonly<Record<Deed, () => Promise<unknown>>> = {
    words: () => workspace.edit(id, { description: 'Other words' }),
    detail: () => workspace.edit(id, { detail: 'Another detail.' }),
    acceptance: () => workspace.edit(id, { acceptance: ['Another criterion'] }),
    priority: () => workspace.edit(id, { priority: PRIORITIES[level] ?? 'normal' }),
    hold: () => workspace.hold(id, { reason: 'blocked' }),
    unhold: () => workspace.unhold(id),
    complete: () => workspace.complete(id, { summary: 'Done here.' }),
    reopen: () => workspace.reopen(id),
    claim: () => workspace.claim(id),
  };
  try {
    await deeds[deed]();
    return true;
  } catch (error) {
    if (!['REFUSED', 'WRONG_STATE'].includes(Object(error).code)) throw error;
    return false;
  }
}

const DEEDS = Object.keys(TOOLS['beads']?.touched ?? {}) as Deed[];

test.each(Object.entries(TOOLS))(
  '%s: what was changed here goes back changed, and nothing besides it',
  async (_name, { task, written, filesOf, source, exported, scale, touched, isClosed }) => {
    await fc.assert(
      fc.asyncProperty(
        fc
          .array(task, { minLength: 2, maxLength: 4 })
          .map((all) => all.map((one, index) => ({ ...one, title: `${one.title} ${index}` }))),
        fc.nat(3),
        fc.constantFrom(...DEEDS),
        fc.nat(4),
        async (all, at, deed, level) => {
          const before = written(all);
          const workspace = await imported(filesOf(before), source);
          const goals = await goalsOf(workspace);
          const index = at % all.length;
          const goal = goals.find(({ description }) => description === all[index]?.title);
          if (!(await change(workspace, goal?.id ?? '', deed, level))) return;
          const after = await exported(workspace);
          expect(after).toHaveLength(before.length);
          for (const [place, record] of after.entries()) {
            // What is said of its end is said of none that is open.
            expect(endsIn(record)).toBe(isClosed?.(record) ?? false);
            const was = before[place] ?? {};
            const differing = [...new Set([...Object.keys(was), ...Object.keys(record)])].filter(
              (member) => JSON.stringify(was[member]) !== JSON.stringify(record[member]),
            );
            const allowed = place === index ? touched[deed] : [];
            expect(differing.filter((member) => !allowed.includes(member))).toEqual([]);
          }
          const is = (await goalsOf(workspace)).find(({ id }) => id === goal?.id);
          const again = (await goalsOf(await imported(filesOf(after), source))).find(
            ({ description }) => description === is?.description,
          );
          const said = ({ description, detail, acceptance, on_hold: hold, status }: typeof is & object) => ({
            description,
            detail,
            acceptance,
            isHeld: touched.hold.length > 0 && hold !== undefined,
            isDone: status === 'complete',
          });
          expect(again && said(again)).toEqual(is && said(is));
          const isSaid = deed === 'priority' && scale.includes(level);
          expect(again?.priority).toBe(isSaid ? level : again?.priority);
        },
      ),
      { numRuns: 60 },
    );
  },
);
