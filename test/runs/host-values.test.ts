import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { agree, carryOut, newPlace } from '../support/approving.js';
import type { Place } from '../support/approving.js';

const TOOLS = JSON.stringify({ tools: [{ name: 'write', run: { file: 'write' } }] });
const NOTE = '# Plan\r\n\r\n- eins\r\n- zwei 😀 drei\r\n';

const obsidian = (text: string, requests: readonly object[] = [], more: object = {}) => ({
  version: '1.0',
  goal: 'Use what is selected',
  riskLevel: 'writes',
  contextRequests: requests,
  steps: [{ id: 'w', tool: 'write', args: { path: 'out.txt', text }, ...more }],
});

async function place(plan: object): Promise<Place> {
  const made = await newPlace(plan, TOOLS);
  mkdirSync(join(made.folder, 'Notes/.hidden'), { recursive: true });
  for (const name of ['Notes/a.md', 'Notes/B.md', 'Notes/.hidden/x.md'])
    writeFileSync(join(made.folder, name), NOTE);
  return made;
}
type Options = NonNullable<Parameters<Place['workspace']['prepare']>[1]>;
const refused = ({ workspace }: Place, options: Options) =>
  workspace.prepare('plan.json', options).then(
    () => 'prepared',
    ({ code, details }: { readonly code: string; readonly details?: { readonly rule?: string } }) =>
      `${code} ${details?.rule ?? ''}`.trim(),
  );
async function written(plan: object, options: Options): Promise<string> {
  const made = await place(plan);
  const { run, approval, vars } = await made.workspace.prepare('plan.json', options);
  expect(vars?.sha256).toMatch(/^[0-9a-f]{64}$/);
  await agree(made.workspace, approval?.code ?? '');
  expect(await carryOut(made.workspace, run)).toMatchObject({ status: 'succeeded' });
  return readFileSync(join(made.folder, 'out.txt'), 'utf8');
}

describe('values of the host', () => {
  test.each<[string, Options, string, string]>([
    ['lines', { selection: 'Notes/a.md:3-4' }, '$vars.selection.text', '- eins\r\n- zwei 😀 drei'],
    ['columns', { selection: 'Notes/a.md:4:3-4:10' }, '$vars.selection.text', 'zwei 😀'],
    [
      'where it is',
      { selection: 'Notes/a.md:3-3' },
      'at ${$vars.selection.range}',
      'at {"start":{"line":2,"ch":0},"end":{"line":2,"ch":6}}',
    ],
    ['the file of a selection', { selection: './Notes/a.md:1-1' }, '$vars.activeFilePath', 'Notes/a.md'],
    ['the cursor', { cursor: 'Notes/a.md:3:2' }, '${$vars.cursor.line}, ${$vars.cursor.ch}', '2, 1'],
    ['an open file', { activeFile: 'Notes/B.md' }, '$vars.activeFilePath', 'Notes/B.md'],
    ['a value', { var: ['folder=A=B'] }, 'in ${$vars.folder}', 'in A=B'],
  ])('%s can be named', async (_what, options, text, expected) => {
    expect(await written(obsidian(text), options)).toBe(expected);
  });

  test('of a file keep their types, and a foreach runs over them', async () => {
    const made = await place(obsidian('$vars.it', [], {}));
    const plan = obsidian('${it.n}', [], {
      args: { path: '${it.n}.txt', text: '${it.n}' },
      foreach: { from: '$vars.notes', itemName: 'it' },
    });
    writeFileSync(join(made.folder, 'plan.json'), JSON.stringify(plan));
    writeFileSync(join(made.folder, 'values.yaml'), 'notes: [{ n: one }, { n: two }]\n');
    const { run, approval } = await made.workspace.prepare('plan.json', {
      vars: join(made.folder, 'values.yaml'),
    });
    // What was prepared counts, whatever the file says by then.
    writeFileSync(join(made.folder, 'values.yaml'), 'notes: []\n');
    await agree(made.workspace, approval?.code ?? '');
    await carryOut(made.workspace, run);
    expect(readFileSync(join(made.folder, 'two.txt'), 'utf8')).toBe('two');
  });

  test('that a plan asks for are given as it asks, the files of the folder by themselves', async () => {
    const plan = obsidian('${$vars.vaultFileList.0} of ${$vars.workspaceContext.activeFilePath}', [
      { kind: 'vaultFileList' },
      { kind: 'workspaceContext' },
    ]);
    expect(await written(plan, { activeFile: 'Notes/a.md' })).toBe('Notes/B.md of Notes/a.md');
  });

  test('are shown to whoever approves, and part of what he agrees to', async () => {
    const made = await place(obsidian('$vars.selection.text'));
    const { approval } = await made.workspace.prepare('plan.json', { selection: 'Notes/a.md:3-3' });
    const { parts } = await made.workspace.approve({ code: approval?.code ?? '', dryRun: true });
    expect(JSON.stringify(parts)).toContain('$vars.selection');
    expect(JSON.stringify(parts)).toContain('eins');
  });
});

describe('what is refused when it is prepared', () => {
  test.each(['selection', 'cursor', 'activeFilePath', 'workspaceContext', 'commandList'])(
    'a request for %s that nobody answers',
    async (kind) => {
      expect(await refused(await place(obsidian('x', [{ kind }])), {})).toBe('INVALID_INPUT MISSING_VALUE');
    },
  );

  test('a name that the plan has itself, and one that is given twice', async () => {
    const made = await place(obsidian('x', [], { captureAs: 'folder' }));
    expect(await refused(made, { var: ['folder=x'] })).toBe('INVALID_INPUT');
    expect(await refused(made, { var: ['a=x', 'a=y'] })).toBe('INVALID_INPUT');
    expect(await refused(made, { var: ['a'] })).toBe('INVALID_INPUT');
  });

  test.each<[Options]>([
    [{ selection: 'Notes/a.md' }],
    [{ selection: 'Notes/a.md:4-3' }],
    [{ selection: 'Notes/a.md:1-99' }],
    [{ selection: 'Notes/a.md:1:50-1:60' }],
    [{ cursor: 'Notes/a.md:0' }],
    [{ selection: '../a.md:1-1' }],
    [{ selection: 'out/a.md:1-1' }],
    [{ activeFile: 'gone.md' }],
    [{ selection: 'Notes/a.md:1-1', activeFile: 'Notes/B.md' }],
  ])('a place that there is not, or outside: %j', async (options) => {
    const made = await place(obsidian('x'));
    symlinkSync('/etc', join(made.folder, 'out'));
    expect(await refused(made, options)).toMatch(/^(?:INVALID_INPUT|USAGE|REFUSED|FILE_NOT_FOUND)$/);
  });
});
