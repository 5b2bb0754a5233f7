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
