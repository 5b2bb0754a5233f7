import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { outputFileSync } from 'fs-extra/esm';
import { expect, test } from 'vitest';

import { agree, newPlace } from '../support/approving.js';

/** Every member of the schema of Obsidian's plans, and each kind of context. */
const MEMBERS =
  'version goal assumptions riskLevel contextRequests kind options defaults onError retry maxAttempts backoffMs steps id tool args preview dependsOn foreach from itemName indexName concurrency captureAs timeoutMs tags outputs showCreatedFiles showModifiedFiles showCommandRuns uiHints title summary'.split(
    ' ',
  );
const KINDS = 'activeFilePath selection cursor workspaceContext commandList vaultFileList'.split(' ');

const PLAN = {
  version: '1.0',
  goal: 'Make a note of each selected bullet',
  assumptions: ['Bullets are selected'],
  riskLevel: 'writes',
  contextRequests: [
    ...KINDS.filter((kind) => kind !== 'vaultFileList').map((kind) => ({ kind })),
    { kind: 'vaultFileList', options: { limit: 5 } },
  ],
  defaults: { onError: 'stop', retry: { maxAttempts: 2, backoffMs: 1 } },
  steps: [
    {
      id: 'parse',
      tool: 'util.parseMarkdownBullets',
      args: { text: '$vars.selection.text' },
      preview: 'Read the bullets',
      captureAs: 'bullets',
      timeoutMs: 5000,
      tags: ['read'],
    },
    {
      id: 'notes',
      tool: 'vault.createFile',
      args: { path: 'Ideas/{n} {bullet.text}', content: '{bullet.text} of ${$vars.activeFilePath}' },
      dependsOn: ['parse'],
      foreach: { from: '$vars.bullets.items', itemName: 'bullet', indexName: 'n', concurrency: 2 },
      onError: 'retry',
      retry: { maxAttempts: 3, backoffMs: 1 },
    },
    {
      id: 'log',
      tool: 'vault.writeFile',
      args: {
        path: 'log',
        content:
          '${$vars.cursor.line} ${$vars.commandList.0} ${$vars.workspaceContext} ${$vars.vaultFileList}',
      },
      onError: 'skip',
    },
    { id: 'last', tool: 'util.wikilinks', args: { notes: '$steps.notes' } },
  ],
  outputs: { showCreatedFiles: false, showModifiedFiles: false, showCommandRuns: false },
  uiHints: { title: 'Notes', summary: 'A note of each bullet' },
};

/** The names of all members within a value, but those of arguments, which are the tools' own. */
function* membersIn(value: unknown): Generator<string> {
  if (typeof value !== 'object' || value === null) return;
  for (const [name, member] of Object.entries(value)) {
    if (!Array.isArray(value)) yield name;
    if (name !== 'args' && name !== 'options') yield* membersIn(member);
  }
}

test('a plan with every member that Obsidian’s schema has runs, and each has its effect', async () => {
  expect(new Set(membersIn(PLAN))).toEqual(new Set(MEMBERS));
  const place = await newPlace(PLAN, 'kits:\n  vault: {}\n');
  const { folder, workspace } = place;
  outputFileSync(join(folder, 'day.md'), '# Day\n- one\n- two\n');
  const given = { commandList: ['editor:save'] };
  outputFileSync(join(folder, 'vars.json'), JSON.stringify(given));
  const prepared = await workspace.prepare('plan.json', {
    selection: 'day.md:2-3',
    cursor: 'day.md:3:1',
    activeFile: 'day.md',
    vars: 'vars.json',
  });
  expect(Object.keys(prepared.vars?.values ?? {}).toSorted()).toEqual(KINDS.toSorted());
  await agree(workspace, prepared.approval?.code ?? '');
  const report = await workspace.run(prepared.run, {}).result;
  expect(report).toMatchObject({ status: 'succeeded', warnings: [] });
  expect(report.outputs).toMatchObject({ last: { links: ['[[0 one]]', '[[1 two]]'] } });
  expect(report.done.created).toEqual(['Ideas/0 one.md', 'Ideas/1 two.md', 'log.md']);
  // What it does not want shown is done all the same.
  expect([...report.presented]).toEqual([]);
  expect(readdirSync(join(folder, 'Ideas'))).toEqual(['0 one.md', '1 two.md']);
  expect(readFileSync(join(folder, 'Ideas/0 one.md'), 'utf8')).toBe('one of day.md');
  expect(readFileSync(join(folder, 'log.md'), 'utf8')).toMatch(
    /^2 editor:save \{.*day\.md.*\} \[.*day\.md.*\]$/,
  );
});
