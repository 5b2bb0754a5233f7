import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { newPlace } from '../support/approving.js';

const TEN = ['Größe', 'What? "Why"', 'a/b', '日本語', 'five', 'six', 'seven', 'eight', 'nine', 'five'];

const PLAN = {
  version: '1.0',
  goal: 'Make a note of each selected bullet, and link to them from where the bullets were',
  riskLevel: 'writes',
  contextRequests: [{ kind: 'selection' }],
  steps: [
    { id: 'parse', tool: 'util.parseMarkdownBullets', args: { text: '$vars.selection.text' } },
    {
      id: 'names',
      tool: 'util.fileName',
      args: { title: '{bullet.text}' },
      foreach: { from: '$steps.parse.items', itemName: 'bullet' },
    },
    {
      id: 'notes',
      tool: 'vault.createFile',
      args: {
        path: 'Ideas/{entry.name}',
        content: '# {entry.name}\n',
        collisionStrategy: 'create-unique',
      },
      foreach: { from: '$steps.names', itemName: 'entry' },
    },
    { id: 'links', tool: 'util.wikilinks', args: { notes: '$steps.notes' } },
    {
      id: 'replace',
      tool: 'vault.patchFile',
      args: { path: '$vars.selection.filePath', find: '$vars.selection.text', text: '$steps.links.text' },
    },
  ],
};

test('ten selected bullets become ten notes, and links to them in their place', async () => {
  const place = await newPlace(PLAN, 'kits:\n  vault: {}\n');
  const at = (name: string) => join(place.folder, name);
  mkdirSync(at('Daily'));
  const day = ['# Day', ...TEN.map((one) => `- ${one}`), 'after', ''].join('\r\n');
  writeFileSync(at('Daily/today.md'), day);
  const { workspace } = place;
  const prepared = await workspace.prepare('plan.json', { selection: 'Daily/today.md:2-11' });
  expect(prepared.tools.find(({ name }) => name === 'vault.createFile')).toMatchObject({ effects: 'once' });
  const code = prepared.approval?.code ?? '';
  const { shown } = await workspace.approve({ code, dryRun: true });
  await workspace.approve({ code, agreed: { via: 'terminal', shown } });
  expect(await workspace.run(prepared.run, {}).result).toMatchObject({ status: 'succeeded' });
  expect(readdirSync(at('Ideas'))).toHaveLength(10);
  expect(readFileSync(at('Daily/today.md'), 'utf8')).toBe(
    [
      '# Day',
      '- [[Größe]]',
      '- [[What Why]]',
      '- [[a b]]',
      '- [[日本語]]',
      ...['five', 'six', 'seven', 'eight', 'nine', 'five 1'].map((name) => `- [[${name}]]`),
      'after',
      '',
    ].join('\r\n'),
  );
});

test('a path that can never be is refused before anything runs', async () => {
  const steps = [{ id: 'a', tool: 'vault.readFile', args: { path: '.obsidian/app.json' } }];
  const place = await newPlace({ schema_version: '1.0', goal: 'g', steps }, 'kits:\n  vault: {}\n');
  await expect(place.workspace.prepare('plan.json', {})).rejects.toMatchObject({
    message: expect.stringContaining('HIDDEN_PATH'),
  });
});

/** Prepares with values of the host, approves and runs. */
async function edited(
  steps: readonly object[],
  note: string,
  host: object,
  between?: (path: string) => void,
) {
  const place = await newPlace({ schema_version: '1.0', goal: 'g', steps }, 'kits:\n  vault: {}\n');
  const path = join(place.folder, 'day.md');
  writeFileSync(path, note);
  const { workspace } = place;
  const prepared = await workspace.prepare('plan.json', host);
  const code = prepared.approval?.code ?? '';
  const { shown } = await workspace.approve({ code, dryRun: true });
  await workspace.approve({ code, agreed: { via: 'terminal', shown } });
  between?.(path);
  const { status } = await workspace.run(prepared.run, {}).result;
  const { steps: done, outputs } = await workspace.runs.show(prepared.run, { outputs: true });
  return {
    status,
    outputs,
    errors: done.flatMap(({ error }) => error?.code ?? []),
    text: readFileSync(path, 'utf8'),
  };
}

test('a selection is replaced, and what is inserted next stands where that left the cursor', async () => {
  const steps = [
    { id: 'look', tool: 'editor.getSelection', args: {} },
    { id: 'put', tool: 'editor.replaceSelection', args: { text: 'one\ntwo', preserveIndent: true } },
    { id: 'more', tool: 'editor.insertAtCursor', args: { text: '!' } },
  ];
  const { status, text, outputs } = await edited(steps, 'a\r\n  old text\r\nz\r\n', {
    selection: 'day.md:2:3-2:6',
  });
  expect(status).toBe('succeeded');
  expect(text).toBe('a\r\n  one\r\n  two! text\r\nz\r\n');
  expect(outputs).toMatchObject({
    look: { text: 'old', filePath: 'day.md', isEmpty: false },
    put: { cursorAfter: { line: 2, ch: 5 } },
    more: { cursorAfter: { line: 2, ch: 6 } },
  });
});

test.each([
  ['editor.replaceSelection', { selection: 'day.md:1-1' }],
  ['editor.insertAtCursor', { cursor: 'day.md:1:2' }],
])('%s leaves a file alone that has changed since the place was named', async (tool, host) => {
  const steps = [{ id: 's', tool, args: { text: 'new' } }];
  const { status, errors, text } = await edited(steps, 'mine\n', host, (path) =>
    writeFileSync(path, 'theirs\n'),
  );
  expect({ status, errors, text }).toEqual({ status: 'failed', errors: ['CONFLICT'], text: 'theirs\n' });
});

test('where nothing is selected nothing is replaced', async () => {
  const { errors } = await edited(
    [{ id: 's', tool: 'editor.replaceSelection', args: { text: 'x' } }],
    'a',
    {},
  );
  expect(errors).toEqual(['NO_SELECTION']);
});
