import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import * as fc from 'fast-check';
import { expect, test } from 'vitest';

import { openWorkspace } from '../../src/workspace.js';
import { temporaryFolder } from '../support/folders.js';

type Tool = 'taskmaster' | 'beads' | 'github' | 'backlog';

/** A task in words of none of the tools. */
interface Task {
  readonly parent: number | null;
  readonly status: string;
  readonly priority: number;
  readonly more: Readonly<Record<string, unknown>>;
}

const HELD = ['blocked', 'Deferred', 'ON HOLD', 'waiting', 'someday', 'pinned', 'hooked'];
const status = fc.constantFrom('open', 'todo', 'in_progress', 'done', 'Closed', ...HELD);
const task = (more: fc.Arbitrary<Readonly<Record<string, unknown>>> = fc.constant({})): fc.Arbitrary<Task> =>
  fc.record({ parent: fc.option(fc.nat(4)), status, priority: fc.integer({ min: 0, max: 4 }), more });

/** Task 3 of the four is below the first at most, as Task Master has it. */
const tasks = (more?: Parameters<typeof task>[0]) => fc.array(task(more), { minLength: 2, maxLength: 7 });

const name = (index: number) => `Task ${index + 1}`;

/** What each tool calls the priorities 0 to 4. */
const WORDS = {
  taskmaster: ['critical', 'high', 'medium', 'low', 'low'],
  backlog: ['critical', 'high', 'medium', 'low', 'low'],
  github: ['critical', 'high', 'medium', 'low', 'someday'],
} as const;

/** The files of a tool that say these tasks; what stands below another is a subtask. */
const FILES: Readonly<Record<Tool, (all: readonly Task[]) => Readonly<Record<string, string>>>> = {
  taskmaster(all) {
    const members = ({ status: word, priority, more }: Task, index: number) => ({
      id: index + 1,
      title: name(index),
      status: word,
      priority: WORDS.taskmaster[priority],
      ...more,
    });
    const top = all.flatMap((one, index) => {
      if (parentOf(all, index) !== null) return [];
      const subtasks = all.flatMap((part, at) => (parentOf(all, at) === index ? [members(part, at)] : []));
      return [{ ...members(one, index), subtasks }];
    });
    return { 'tasks.json': JSON.stringify({ master: { tasks: top, metadata: {} } }, null, 2) };
  },
  beads: (all) => ({
    'issues.jsonl': all
      .map(({ status: word, priority, more }, index) => {
        const above = parentOf(all, index);
        const link = { issue_id: `k-${index}`, depends_on_id: `k-${above}`, type: 'parent-child' };
        const links = above === null ? {} : { dependencies: [link] };
        return `${JSON.stringify({ id: `k-${index}`, title: name(index), status: word, priority, ...links, ...more })}\n`;
      })
      .join(''),
  }),
  // Labels are the only place of how it stands with an issue.
  github: (all) => ({
    'issues.json': JSON.stringify(
      all.map(({ status: word, priority, more }, index) => ({
        number: index + 1,
        title: name(index),
        body: all.flatMap((_one, at) => (parentOf(all, at) === index ? [`- [ ] #${at + 1}`] : [])).join('\n'),
        state: ['done', 'Closed'].includes(word) ? 'CLOSED' : 'OPEN',
        labels: [
          { name: index % 2 === 0 ? `P${priority}` : `priority: ${WORDS.github[priority]}` },
          ...(HELD.includes(word) ? [{ name: index % 2 === 0 ? word : `status/${word}` }] : []),
        ],
        ...more,
      })),
    ),
  }),
  backlog: (all) =>
    Object.fromEntries(
      all.map(({ status: word, priority, more }, index) => {
        const above = parentOf(all, index);
        const head = {
          id: `task-${index}`,
          title: name(index),
          status: word,
          priority: WORDS.backlog[priority],
        };
        const parent = above === null ? {} : { parent_task_id: `task-${above}` };
        const lines = Object.entries({ ...head, ...parent, ...more }).map(
          ([key, value]) => `${key}: ${JSON.stringify(value)}`,
        );
        return [`backlog/tasks/task-${index} - T.md`, `---\n${lines.join('\n')}\n---\n\nWords.\n`];
      }),
    ),
};

/** The task that one stands below: one that comes before it, and itself below none. */
function parentOf(all: readonly Task[], index: number): number | null {
  const above = all[index]?.parent ?? null;
  if (above === null || above >= index || all[above] === undefined) return null;
  return parentOf(all, above) === null ? above : null;
}

const TOOLS = ['taskmaster', 'beads', 'backlog', 'github'] as const;
const SOURCES = {
  taskmaster: 'tasks.json',
  beads: 'issues.jsonl',
  backlog: '.',
  github: 'issues.json',
} as const;

async function imported(tool: (typeof TOOLS)[number], files: Readonly<Record<string, string>>) {
  const folder = temporaryFolder();
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  const environment = { workingFolder: folder, homeFolder: temporaryFolder(), variables: {} };
  const workspace = openWorkspace({ environment });
  const { repaired = [], account } = await workspace.import(SOURCES[tool]);
  const goals = (await workspace.status({ verbose: true })).goals ?? [];
  const goalOf = (index: number) => goals.find(({ description }) => description === name(index));
  const exported = async () => {
    if (tool !== 'backlog') return (await workspace.export({ format: tool })).content ?? '';
    const output = temporaryFolder();
    await workspace.export({ format: tool, output });
    const tasksFolder = join(output, 'backlog/tasks');
    return readdirSync(tasksFolder)
      .map((file) => readFileSync(join(tasksFolder, file), 'utf8'))
      .join('\n');
  };
  return { workspace, repaired, account, goals, goalOf, exported };
}

const RUNS = { numRuns: 25 };
/** What is pinned on GitHub is only shown first. */
const isHeldBy =
  (tool: Tool) =>
  ({ status: word }: Task) =>
    HELD.includes(word) && !(tool === 'github' && ['pinned', 'hooked'].includes(word));
const isDone = ({ status: word }: Task) => ['done', 'Closed'].includes(word);

test.each(TOOLS)(
  '%s: what is on hold is not ready, nor what stands below it, and nobody can take it',
  async (tool) => {
    await fc.assert(
      fc.asyncProperty(tasks(), async (all) => {
        const isHeld = isHeldBy(tool);
        const { workspace, goalOf } = await imported(tool, FILES[tool](all));
        const ready = new Set(
          (await workspace.next({ limit: 100 })).goals.map(({ description }) => description),
        );
        for (const [index, one] of all.entries()) {
          const above = parentOf(all, index);
          const isLeaf = all.every((_part, at) => parentOf(all, at) !== index);
          const held = isHeld(one) || (above !== null && isHeld(all[above] ?? one));
          expect(ready.has(name(index))).toBe(isLeaf && !isDone(one) && !held);
          if (!isLeaf || isDone(one) || !held) continue;
          const id = goalOf(index)?.id ?? '';
          await expect(workspace.claim(id)).rejects.toMatchObject({ code: 'REFUSED' });
          await expect(workspace.complete(id)).rejects.toMatchObject({ code: 'REFUSED' });
        }
      }),
      RUNS,
    );
  },
);

test.each(TOOLS)(
  '%s: priorities are read by its scale, put first what is urgent, and go back by it',
  async (tool) => {
    const nearest = (priority: number) =>
      ['beads', 'github'].includes(tool) ? priority : Math.min(priority, 3);
    await fc.assert(
      fc.asyncProperty(tasks(), fc.nat(6), fc.integer({ min: 0, max: 4 }), async (all, at, priority) => {
        const flat = all.map((one) => ({ ...one, parent: null, status: 'open' }));
        const { workspace, goalOf, exported } = await imported(tool, FILES[tool](flat));
        for (const [index, one] of flat.entries())
          expect(goalOf(index)?.priority).toBe(nearest(one.priority));
        const { goals } = await workspace.next({ limit: 100 });
        const order = goals.map(
          (goal) => goalOf(Number(goal.description.slice('Task '.length)) - 1)?.priority ?? 2,
        );
        expect(order).toEqual(order.toSorted((a, b) => a - b));
        const changed = at % flat.length;
        await workspace.edit(goalOf(changed)?.id ?? '', {
          priority: (['critical', 'high', 'normal', 'low', 'someday'] as const)[priority],
        });
        const text = await exported();
        const back = await imported(tool, tool === 'backlog' ? asFiles(text) : { [SOURCES[tool]]: text });
        for (const [index, one] of flat.entries()) {
          const is = index === changed ? priority : one.priority;
          // A tool that has no word for what can wait longest says low; Backlog.md has none of its own for what is critical.
          const written = tool === 'backlog' && is !== one.priority ? Math.max(1, nearest(is)) : nearest(is);
          expect(back.goalOf(index)?.priority).toBe(written);
        }
      }),
      RUNS,
    );
  },
);

/** The files of a text that has one after the other. */
function asFiles(text: string): Readonly<Record<string, string>> {
  const parts = text.split(/^(?=---\nid: )/m).filter((part) => part.trim() !== '');
  return Object.fromEntries(parts.map((part, index) => [`backlog/tasks/task-${index} - T.md`, part]));
}

/** A task of which something cannot be read, in the text of its file. */
const BROKEN: Readonly<Record<(typeof TOOLS)[number], readonly unknown[]>> = {
  taskmaster: [
    'words',
    7,
    null,
    [],
    { id: 99 },
    { title: 'No id' },
    { id: 98, title: ['a'] },
    { id: {}, title: 'x' },
  ],
  beads: [
    'words',
    7,
    null,
    [],
    { id: 'k-99' },
    { title: 'No id' },
    { id: 'k-98', title: 5 },
    { id: ['x'], title: 'x' },
  ],
  backlog: [],
  github: [
    'words',
    7,
    null,
    [],
    { number: 99 },
    { title: 'No number' },
    { number: 98, title: 5 },
    { number: 'x', title: 'x' },
  ],
};

test.each(['taskmaster', 'beads', 'github'] as const)(
  '%s: what cannot be read is named by its place, and costs that item alone',
  async (tool) => {
    const broken = fc.array(fc.tuple(fc.nat(7), fc.constantFrom(...BROKEN[tool])), {
      minLength: 1,
      maxLength: 3,
    });
    await fc.assert(
      fc.asyncProperty(tasks(), broken, async (all, slips) => {
        const flat = all.map((one) => ({ ...one, parent: null }));
        const [[path, text] = ['', '']] = Object.entries(FILES[tool](flat));
        const items: unknown[] =
          tool === 'beads'
            ? text
                .trim()
                .split('\n')
                .map((line): unknown => JSON.parse(line))
            : tool === 'github'
              ? JSON.parse(text)
              : JSON.parse(text).master.tasks;
        for (const [at, slip] of slips) items.splice(at % (items.length + 1), 0, slip);
        const file =
          tool === 'beads'
            ? items.map((each) => `${JSON.stringify(each)}\n`).join('')
            : JSON.stringify(tool === 'github' ? items : { master: { tasks: items, metadata: {} } }, null, 2);
        const { goals, goalOf, repaired, account } = await imported(tool, { [path]: file });
        expect(flat.every((_one, index) => goalOf(index) !== undefined)).toBe(true);
        // Each is in a goal or named.
        const kept = goals.length - flat.length - (goalOf(0)?.parent_id === null ? 0 : 1);
        const named = repaired.filter((note) => /\bline \d|\[\d+\]/.test(note));
        expect(kept + named.length).toBeGreaterThanOrEqual(slips.length);
        const out = account?.left_out.flatMap(({ first_line, last_line }) => [first_line, last_line]) ?? [];
        expect(out.every((line) => line >= 1 && line <= file.split('\n').length)).toBe(true);
        // A line of beads that is no issue is left out whole.
        expect(tool === 'beads' && kept === 0 && out.length === 0).toBe(false);
      }),
      RUNS,
    );
  },
);

test.each(TOOLS)(
  '%s: members that could have a tool run something do not leave a plan, and are named',
  async (tool) => {
    const hostile = fc.constantFrom(
      'hook',
      'command',
      'editor',
      'on_status_change',
      'prompt',
      'expansionPrompt',
      'script',
      'postinstall',
    );
    const value = fc.constantFrom<unknown>(
      'touch MARKED',
      ['MARKED'],
      { run: 'MARKED' },
      '../../MARKED',
      '/etc/MARKED',
    );
    const more = fc.dictionary(hostile, value, { maxKeys: 3 });
    await fc.assert(
      fc.asyncProperty(tasks(more), async (all) => {
        const { exported, repaired } = await imported(tool, FILES[tool](all));
        expect(await exported()).not.toContain('MARKED');
        const names = new Set(all.flatMap((one) => Object.keys(one.more)));
        expect([...names].filter((each) => !repaired.some((note) => note.includes(each)))).toEqual([]);
      }),
      RUNS,
    );
  },
);
