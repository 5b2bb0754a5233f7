import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import * as fc from 'fast-check';
import { expect, test } from 'vitest';

import { openWorkspace } from '../../src/workspace.js';
import { accountForOutline } from '../../src/planning/documents/outline-account.js';
import { readDocument } from '../../src/planning/documents/read-document.js';
import { temporaryFolder } from '../support/folders.js';

function projectWith(files: Readonly<Record<string, string>>) {
  const folder = temporaryFolder();
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), content);
  }
  return openWorkspace({
    environment: { workingFolder: folder, homeFolder: temporaryFolder(), variables: {} },
  });
}

test('init --from tasks.json keeps each member of a task, and names what it cannot read by its lines', async () => {
  const value = {
    tasks: [
      {
        id: 1,
        title: 'Dig',
        status: 'blocked',
        priority: 'high',
        complexity: 7,
        dependencies: [9],
        subtasks: [{ id: 1, title: 'Fence', status: 'in-progress', owner: 'ana' }],
      },
      { id: 2, title: 'Fill', status: 'done', subtasks: [{ id: 1, title: 'Carry', status: 'pending' }] },
      'no task',
    ],
    metadata: { created: 'yesterday' },
  };
  const text = JSON.stringify(value, null, 2);
  const workspace = projectWith({ 'tasks.json': text });
  const { account } = await workspace.init({ from: 'tasks.json', expander: 'rules' }).result;
  const [root, dig, fence, fill, carry] = (await workspace.status({ verbose: true })).goals ?? [];
  expect(root?.detail).toContain('yesterday');
  expect(dig).toMatchObject({ priority: 1, on_hold: { reason: 'blocked' } });
  expect(dig?.detail).toContain('complexity: 7');
  expect(dig?.detail).toContain('dependencies: [9]');
  expect(fence?.detail).toContain('owner: ana');
  expect(fence?.detail).toContain('status: in-progress');
  // It was said to be done over an open part.
  expect([fill?.status, carry?.status]).toEqual(['decomposing', 'atomic']);
  expect(fill?.detail).toContain('1 of 1 parts are open');
  const lines = text.split('\n');
  const at = lines.findIndex((line) => line.includes('no task')) + 1;
  expect(account?.left_out).toEqual([
    { file: 'tasks.json', first_line: at, last_line: at, text: '"no task"' },
  ]);
  // complexity, dependencies (3 lines), status, owner, metadata (3 lines)
  expect(account?.files).toEqual([
    { file: 'tasks.json', lines: lines.length, read: lines.length - 10, detail: 9 },
  ]);
});

test('a list of tasks that cannot be read wholly names the lines of what is left out', async () => {
  const text = JSON.stringify({ tasks: [{ id: 1, title: 'Dig' }, { name: 'x' }] }, null, 2);
  const { account } = await projectWith({ 'tasks.json': text }).import('tasks.json');
  expect(account?.left_out).toMatchObject([{ first_line: 7, last_line: 9 }]);
});

test('init --from a document accounts for each line, and names those that are in no goal', async () => {
  const text = [
    '# Mill',
    '',
    'Ground by water.',
    '',
    '## Tasks',
    '- [ ] Dam the stream',
    '  - [x] Buy stones',
    '- Cut the wheel [drawing](https://example.org/wheel)',
    '',
    '## Roof [plan](https://example.org/roof)',
    '- Lay tiles',
    '',
    '## Legal',
    '- Ask the county',
  ].join('\n');
  const workspace = projectWith({ 'mill.md': text });
  const { account, warnings } = await workspace.init({
    from: 'mill.md',
    expander: 'rules',
    skip: ['Legal'],
    dryRun: true,
  }).result;
  expect(account).toEqual({
    files: [{ file: 'mill.md', lines: 14, read: 9, detail: 3 }],
    left_out: [{ file: 'mill.md', first_line: 13, last_line: 14, text: '## Legal' }],
    changed: [],
  });
  // What was left out by choice is told by its heading.
  expect(warnings.map(({ message }) => message)).toEqual(['left out by choice: Legal']);
});

/** Lines of a document, each with a word of its own. */
const lines = fc
  .array(
    fc.constantFrom(
      (word: string) => `Prose ${word} stands here.`,
      (word: string) => `- item ${word}`,
      (word: string) => `  - nested ${word} [link ${word}](https://example.org/${word})`,
      (word: string) => `1. [ ] number ${word} <!-- why ${word} -->`,
      (word: string) => `# Title ${word}`,
      (word: string) => `## Section ${word} [link](https://example.org/${word})`,
      (word: string) => `## ${word} ![picture](https://example.org/${word}.png)`,
      () => `### Acceptance criteria`,
      () => `## Background`,
      () => `## Out of scope`,
      () => `## Tasks`,
      () => `## Steps to reproduce`,
      (word: string) => `**Given** ${word} **then** so`,
      (word: string) => `> quoted ${word}`,
      (word: string) => `\`\`\`sh\nrun ${word}\n\`\`\``,
      (word: string) => `\n| ID | Requirement |\n|---|---|\n| R1 | It must ${word} |\n`,
      (word: string) => `<details><summary>More ${word}</summary>`,
      () => `<context>`,
      (word: string) => `[^1]: note ${word}`,
      (word: string) => `TBD: ${word}`,
      () => '',
    ),
    { minLength: 1, maxLength: 25 },
  )
  .map((makes) => makes.map((make, index) => make(`w${index}w`)).join('\n'));

test('each word of a document is in a goal, or its line is named', () => {
  fc.assert(
    fc.property(lines, (text) => {
      const { outline } = readDocument(text, 'd.md');
      const said = JSON.stringify(outline);
      const { files, left_out } = accountForOutline(text, outline, 'd.md');
      const isNamed = (line: number) =>
        left_out.some(({ first_line, last_line }) => first_line <= line && line <= last_line);
      for (const [index, line] of text.split('\n').entries())
        for (const [word] of line.matchAll(/w\d+w/g))
          expect(said.includes(word) || isNamed(index + 1)).toBe(true);
      const [{ lines: all, read, detail } = { lines: 0, read: 0, detail: 0 }] = files;
      const out = left_out.reduce((sum, { first_line, last_line }) => sum + last_line - first_line + 1, 0);
      expect(read + detail + out).toBe(all);
    }),
    { numRuns: 300 },
  );
});

test('a requirement of which something is undecided comes on hold, and is not offered', async () => {
  const text = '# Shop\n\n## Tasks\n- [ ] Pay by [NEEDS CLARIFICATION: which bank]\n- [ ] List wares\n';
  const workspace = projectWith({ 'shop.md': text });
  await workspace.init({ from: 'shop.md', expander: 'rules' }).result;
  const { goals } = await workspace.next();
  expect(goals.map(({ description }) => description)).toEqual(['List wares']);
});

test('migrate accounts for each plan file: what is mended is changed, and what is dropped is left out', async () => {
  const at = '2025-01-02T03:04:05Z';
  const goal = (id: string, given: object) => ({
    id: `0398a958-${id}`,
    description: id,
    status: 'atomic',
    parent_id: '0398a958-root',
    child_ids: [],
    depth: 1,
    created_at: at,
    updated_at: at,
    reasoning: null,
    digest: null,
    tokens_used: 0,
    dependencies: [],
    graph_node_id: null,
    ...given,
  });
  const goals = [
    goal('root', { status: 'complete', parent_id: null, depth: 0, child_ids: ['0398a958-one00'] }),
    goal('one00', { dependencies: ['step 1'], owner: 'ana' }),
  ];
  const plan = {
    id: '0398a958',
    root_goal_id: '0398a958-root',
    description: 'root',
    status: 'complete',
    created_at: at,
    updated_at: at,
    total_tokens: 0,
    max_depth: 1,
    goals: Object.fromEntries(goals.map((each) => [each.id, each])),
  };
  const text = JSON.stringify(plan, null, 2);
  const { account } = await projectWith({ '.frctl/plans/0398a958.json': text }).migrate();
  const lineOf = (words: string) => text.split('\n').findIndex((line) => line.includes(words)) + 1;
  // The status of the root goal stands after that of the plan.
  const statusLine = text.split('\n').findLastIndex((line) => line.includes('"status": "complete"')) + 1;
  const [first] = account.files;
  expect(first).toMatchObject({
    lines: text.split('\n').length,
    read: text.split('\n').length - 1,
    detail: 0,
  });
  expect(account.left_out).toMatchObject([{ first_line: lineOf('step 1'), text: '"step 1"' }]);
  expect(account.changed).toMatchObject([
    {
      line: statusLine,
      goal: '0398a958-root',
      member: 'status',
      was: 'complete',
      is: 'decomposing',
    },
  ]);
});
