import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import * as fc from 'fast-check';
import { stringify } from 'yaml';
import { expect, test } from 'vitest';

import { openWorkspace } from '../../src/workspace.js';
import { temporaryFolder } from '../support/folders.js';

/** Texts as people write them: with headings, lists, boxes, code, comments, and what looks like marks of a tool. */
const line = fc.constantFrom(
  'Plain words',
  'a `code <!-- span --> here`',
  '- an item',
  '  goes on',
  '1. a number',
  '* a star',
  '## Notes',
  '## Design',
  '### Deeper',
  '',
  '```js',
  'run();',
  '```',
  '> quoted: yes',
  'priority:2',
  'Waits for the licence.',
  '    four columns',
  'ends with a colon:',
);
const text = fc.array(line, { maxLength: 8 }).map((lines) => lines.join('\n'));
const maybe = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: undefined });
const title = fc.constantFrom(
  'Dig',
  'Fix: the thing',
  '“Quoted” – and long',
  'a #1 thing',
  '[x] no box',
  'depends on T9',
);
const label = fc.constantFrom('type:bug', 'priority:1', 'area/web', 'US1', 'duplicates:k-1');
const moment = fc.constantFrom('2026-01-02T03:04:05Z', '2026-05-06T07:08:09.123456+02:00');
const word = (...words: readonly string[]) => fc.constantFrom(...words);

function defined(record: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined));
}

/** A project of its own for each draw. */
async function thereAndBack(files: Readonly<Record<string, string>>, source: string, format: string) {
  const folder = temporaryFolder();
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), content);
  }
  const workspace = openWorkspace({
    environment: { workingFolder: folder, homeFolder: temporaryFolder(), variables: {} },
  });
  const { repaired = [], account } = await workspace.import(source);
  const goals = (await workspace.status({ verbose: true })).goals ?? [];
  if (format === 'backlog') {
    await workspace.export(undefined, { format, output: join(folder, 'out') } as never);
    return { folder, workspace, repaired, account, goals, content: '' };
  }
  const { content } = await workspace.export(undefined, { format } as never);
  return { folder, workspace, repaired, account, goals, content: content ?? '' };
}

const RUNS = { numRuns: 40 };

const task = fc.record({
  title,
  description: maybe(text),
  details: maybe(text),
  testStrategy: maybe(text),
  priority: maybe(word('high', 'medium', 'Low', 'critical', 'odd')),
  status: maybe(
    word('pending', 'done', 'Done', 'in-progress', 'review', 'blocked', 'deferred', 'cancelled', 'completed'),
  ),
  dependencies: maybe(fc.array(fc.integer({ min: 1, max: 6 }), { maxLength: 3 })),
  complexity: maybe(fc.nat({ max: 10 })),
  subtasks: maybe(
    fc.array(fc.record({ title, details: maybe(text), status: maybe(word('pending', 'done')) }), {
      maxLength: 3,
    }),
  ),
});
const tasks = fc.array(task, { minLength: 1, maxLength: 5 }).map((all) =>
  all.map((one, index) =>
    defined({
      ...one,
      id: index + 1,
      subtasks: one.subtasks?.map((part, at) => defined({ ...part, id: at + 1 })),
    }),
  ),
);

test('Task Master: whatever its tasks say goes back with the same values', async () => {
  const metadata = maybe(fc.record({ created: moment, description: title }));
  const list = fc.record({ tasks, metadata }).map(defined);
  const file = fc.oneof(
    list,
    fc.record({ master: list }),
    fc.record({ master: list, later: list }),
    fc.tuple(list, list).map(([own, master]) => ({ ...own, master })),
  );
  await fc.assert(
    fc.asyncProperty(file, async (value) => {
      const { content } = await thereAndBack(
        { 'tasks.json': JSON.stringify(value, null, 2) },
        'tasks.json',
        'taskmaster',
      );
      expect(JSON.parse(content)).toEqual(value);
    }),
    RUNS,
  );
});

test('beads: whatever its issues say goes back with the same values, in the same order', async () => {
  const link = fc.record({
    to: fc.integer({ min: 0, max: 7 }),
    type: word('blocks', 'parent-child', 'relates-to', 'discovered-from', 'duplicates'),
    created_at: maybe(moment),
  });
  const issue = fc.record({
    title,
    description: maybe(text),
    design: maybe(text),
    acceptance_criteria: maybe(text),
    notes: maybe(text),
    status: maybe(word('open', 'closed', 'in_progress', 'blocked', 'deferred', 'pinned', 'hooked')),
    priority: maybe(fc.integer({ min: 0, max: 4 })),
    issue_type: maybe(word('task', 'epic', 'bug', 'chore')),
    close_reason: maybe(title),
    labels: maybe(fc.array(label, { maxLength: 3 })),
    created_at: maybe(moment),
    closed_at: maybe(moment),
    assignee: maybe(word('ana', '@ben')),
    links: fc.array(link, { maxLength: 3 }),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(issue, { minLength: 1, maxLength: 6 }), async (all) => {
      const issues = all.map(({ links, ...one }, index) =>
        defined({
          id: `k-${index}`,
          ...one,
          dependencies:
            links.length === 0
              ? undefined
              : links.map(({ to, type, created_at }) =>
                  defined({ issue_id: `k-${index}`, depends_on_id: `k-${to}`, type, created_at }),
                ),
        }),
      );
      const file = issues.map((one) => `${JSON.stringify(one)}\n`).join('');
      const { content } = await thereAndBack({ 'issues.jsonl': file }, 'issues.jsonl', 'beads');
      const back = content
        .trim()
        .split('\n')
        .map((each): unknown => JSON.parse(each));
      expect(back).toEqual(issues);
    }),
    RUNS,
  );
});

/** A text with boxes of every kind in it. */
const boxed = fc
  .array(
    fc.oneof(
      line,
      fc.constantFrom(
        '- [ ] open',
        '* [x] done',
        '1. [X] number',
        '  - [ ] below',
        '    - [x] far below',
        '- [ ] #2 words',
        '- [x] #3',
        '+ [~] odd',
        '- [-] cancelled',
        '- [>] moved (deferred)',
        '- [✓] ~~struck~~',
        '- [!] sign',
        '- [P] label',
        '- [ ] two  blanks\tand a tab',
        '- [] empty',
        '- [ ] A (depends on #2)',
        '- [x] B — blocked by #1, #9',
        '  - [ ] below (blocked by #3)',
        '### Acceptance criteria',
        'Blocked by #2',
        'depends on #9',
      ),
    ),
    { maxLength: 10 },
  )
  .map((lines) => lines.join('\n'));

test('GitHub: whatever its issues say goes back with the same values, in the same order', async () => {
  const issue = fc.record({
    title,
    body: maybe(boxed),
    state: word('OPEN', 'CLOSED'),
    labels: fc.array(fc.record({ name: label, color: word('ff0000', '00ff00') }), { maxLength: 2 }),
    url: maybe(fc.constant('https://example.org/1')),
    assignees: maybe(fc.constant([{ login: 'ana' }])),
  });
  await fc.assert(
    fc.asyncProperty(
      fc.array(issue, { minLength: 1, maxLength: 5 }),
      fc.boolean(),
      async (all, isNewestFirst) => {
        const numbered = all.map((one, index) => defined({ number: index + 1, ...one }));
        const issues = isNewestFirst ? numbered.toReversed() : numbered;
        const { content } = await thereAndBack({ 'i.json': JSON.stringify(issues) }, 'i.json', 'github');
        expect(JSON.parse(content)).toEqual(issues);
      },
    ),
    RUNS,
  );
});

test('Backlog.md: whatever its files say goes back as the same text, under the same names', async () => {
  const section = fc.tuple(
    word(
      'Description',
      'Solution',
      'Acceptance Criteria',
      'Implementation Plan',
      'Definition of Done',
      'Risks',
    ),
    boxed,
    fc.boolean(),
  );
  const file = fc.record({
    head: fc.record({
      title,
      status: maybe(word('To Do', 'Doing', 'Shipped', 'Blocked')),
      assignee: maybe(word('@ana', '[@ana, @bob]', 'ana')),
      labels: maybe(fc.array(label, { maxLength: 2 })),
      priority: maybe(word('high', 'low')),
      ordinal: maybe(fc.constant(2000)),
      dependencies: maybe(fc.constantFrom(['task-1'], ['task-9'])),
    }),
    sections: fc.array(section, { maxLength: 4 }),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(file, { minLength: 1, maxLength: 4 }), async (all) => {
      const files = Object.fromEntries(
        all.map(({ head: { assignee, title: words, ...head }, sections }, index) => {
          const names = new Set<string>();
          const body = sections
            .filter(([name]) => !names.has(name) && names.add(name) !== undefined)
            .map(([name, said, isWide]) => `## ${name}\n${isWide ? '\n' : ''}${said}\n`)
            .join('\n');
          const yaml = [
            `id: task-${index + 1}`,
            `title: ${words.startsWith('[') || words.includes('#') ? JSON.stringify(words) : words}`,
            stringify(defined(head)).trim(),
            ...(assignee === undefined ? [] : [`assignee: ${assignee}`]),
          ].filter((each) => each !== '' && each !== '{}');
          return [`backlog/tasks/task-${index + 1} - T.md`, `---\n${yaml.join('\n')}\n---\n\n${body}`];
        }),
      );
      const config = { 'backlog/config.yml': 'project_name: "x"\nstatuses: ["To Do", "Doing", "Shipped"]\n' };
      const { folder } = await thereAndBack({ ...config, ...files }, '.', 'backlog');
      for (const [name, content] of Object.entries({ ...config, ...files }))
        expect(readFileSync(join(folder, 'out', name), 'utf8')).toBe(content);
      expect(readdirSync(join(folder, 'out/backlog/tasks'))).toHaveLength(all.length);
    }),
    RUNS,
  );
});

test('no line is lost: each word of a file is in a goal, or in what is named as left out', async () => {
  let count = 0;
  const marked = fc
    .array(
      fc.constantFrom(
        (word_: string) => `Words ${word_}`,
        (word_: string) => `- [ ] Task ${word_}`,
        (word_: string) => `* [x] T00${(count += 1)} [P] Task ${word_}`,
        (word_: string) => `- [-] Cancelled ${word_}`,
        (word_: string) => `- [~] 1.${count} ${word_} (depends on 1.2)`,
        (word_: string) => `- [!] Sign ${word_}`,
        (word_: string) => `- [P] label ${word_}`,
        (word_: string) => `## Examples\n- [ ] ${word_}\n  - [x] below`,
        (word_: string) => `## Legend\n- [x] done\n- [ ] open: ${word_}`,
        (word_: string) => `  - [ ] Nested ${word_}`,
        (word_: string) => `  - note ${word_}`,
        (word_: string) => `## 1. Heading ${word_}`,
        (word_: string) => `### Deeper ${word_}`,
        (word_: string) => `# Tasks: Title ${word_}`,
        (word_: string) => `<!-- comment ${word_} -->`,
        (word_: string) => `\`\`\`\n- [ ] code ${word_}\n\`\`\``,
        (word_: string) => `**Purpose**: ${word_}`,
        (word_: string) => `> **Checkpoint**: ${word_}`,
        () => '',
      ),
      { minLength: 1, maxLength: 25 },
    )
    .map((lines) => lines.map((make, index) => make(`w${index}w`)).join('\n'));
  await fc.assert(
    fc.asyncProperty(marked, marked, word('speckit', 'openspec'), async (work, about, tool) => {
      const tasks_ = `${work}\n- [ ] The last task\n`;
      const other = about.replaceAll(/w(\d+)w/g, 'v$1v');
      const files: Record<string, string> =
        tool === 'speckit'
          ? { 'specs/001-x/tasks.md': tasks_, 'specs/001-x/spec.md': other }
          : { 'openspec/changes/x/tasks.md': tasks_, 'openspec/changes/x/proposal.md': other };
      const { goals, account } = await thereAndBack(files, '.', 'json');
      const said = goals
        .flatMap(({ description, detail = '', acceptance = [] }) => [description, detail, ...acceptance])
        .join('\n');
      const gone = account?.left_out.map(({ text: first }) => first).join('\n') ?? '';
      const lost = [...`${tasks_}\n${other}`.matchAll(/\b[vw]\d+[vw]\b/g)]
        .map(([each]) => each)
        .filter((each) => !said.includes(each) && !gone.includes(each));
      // A run of comments is named by its lines and how it begins.
      const isNamed = (each: string) =>
        Object.entries(files).some(([name, content]) => {
          const at = content.split('\n').findIndex((each_) => each_.includes(each)) + 1;
          return account?.left_out.some(
            ({ file, first_line, last_line }) => name.endsWith(file) && first_line <= at && at <= last_line,
          );
        });
      expect(lost.filter((each) => !isNamed(each))).toEqual([]);
      for (const { lines, read, detail, file } of account?.files ?? []) {
        const left = account?.left_out.filter((each) => each.file === file) ?? [];
        const out = left.reduce((sum, { first_line, last_line }) => sum + last_line - first_line + 1, 0);
        expect(read + detail + out).toBe(lines);
      }
    }),
    { numRuns: 100 },
  );
});
