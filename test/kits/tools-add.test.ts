import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';

import { toolLines } from '../../src/features/actions/draft/model-drafter.js';
import { toolsFrom } from '../../src/features/actions/operations/tools-from.js';
import { FEATURES } from '../../src/features.js';
import { createContext } from '../../src/operations/shared/context.js';
import { withKitInText } from '../../src/features/kits/operations/kit-in-file.js';
import { defaultEnvironment } from '../../src/operations/shared/default-environment.js';
import { openWorkspace } from '../../src/workspace.js';
import { temporaryFolder } from '../support/folders.js';

function newFolder(tools?: string) {
  const [folder, home] = [temporaryFolder(), temporaryFolder()];
  if (tools !== undefined) {
    mkdirSync(join(folder, '.plans'));
    writeFileSync(join(folder, '.plans/tools.yaml'), tools);
  }
  const variables = { PATH: process.env.PATH };
  const environment = { ...defaultEnvironment(), workingFolder: folder, homeFolder: home, variables };
  const at = (name: string) => join(folder, name);
  return { folder, at, workspace: openWorkspace({ environment }) };
}

const OWN = `# what we run
tools:
  - name: vault.readFile # ours
    effects: none
    run: { command: [cat, notes] }
`;

describe('a kit', () => {
  test('that starts a browser by a name, which a repository could bring, is refused in words', async () => {
    const { workspace } = newFolder();
    await expect(
      workspace.tools.add('browser', { origins: ['http://localhost:1'], chromium: './chromium' }),
    ).rejects.toMatchObject({
      message: expect.stringContaining('kits.browser.chromium: not an absolute path') as string,
    });
  });

  test('is added to a tools file that says it as before, and is trusted with its digest alone', async () => {
    const { workspace, at } = newFolder(OWN);
    const added = await workspace.tools.add('vault', {});
    expect(added).toMatchObject({ kit: 'vault', trusted: false, unbound: [] });
    expect(added.added).toContain('vault.createFile');
    // The file's own tool outranks that of the kit.
    expect(added.added).not.toContain('vault.readFile');
    expect(readFileSync(at('.plans/tools.yaml'), 'utf8')).toBe(`${OWN}kits:\n  vault: {}\n`);
    expect(await workspace.tools.add('vault', { digest: added.digest })).toMatchObject({ trusted: true });
    const { tools } = await workspace.tools.list({});
    expect(tools.find(({ name }) => name === 'vault.readFile')).toMatchObject({ from: 'file' });
    expect(tools.find(({ name }) => name === 'vault.delete')).toMatchObject({
      from: 'vault',
      effects: 'once',
      input_schema: { required: ['path'], additionalProperties: false },
      output_schema: { type: 'object', additionalProperties: false },
    });
  });

  test('is added where there is no tools file, nor a store', async () => {
    const { workspace, at } = newFolder();
    await workspace.tools.add('vault', { root: 'my notes' });
    expect(parse(readFileSync(at('.plans/tools.yaml'), 'utf8'))).toEqual({
      kits: { vault: { root: 'my notes' } },
    });
  });

  test('that is unknown, or has an option that is wrong, is refused, and nothing is written', async () => {
    const { workspace, at } = newFolder();
    await expect(workspace.tools.add('volt', {})).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      hint: expect.stringContaining('vault'),
    });
    await expect(workspace.tools.add('vault', { root: '../..' })).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      message: expect.stringContaining('kits.vault.root'),
    });
    await expect(workspace.tools.add('vault', { origins: ['http://x'] })).rejects.toMatchObject({
      code: 'INVALID_INPUT',
    });
    expect(existsSync(at('.plans'))).toBe(false);
    const wrong = newFolder('kits: { vault: { rot: x } }\n');
    await expect(wrong.workspace.tools.list({})).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      message: expect.stringContaining('kits.vault'),
    });
  });

  test('says which names of a plan stay unbound', async () => {
    const { workspace, at } = newFolder();
    const steps = [
      { id: 'a', tool: 'vault.readFile', args: { path: 'a' } },
      { id: 'b', tool: 'dataview.query', args: {}, verifications: [{ type: 'seen', args: {} }] },
    ];
    writeFileSync(at('plan.json'), JSON.stringify({ schema_version: '1.0', goal: 'g', steps }));
    const { unbound } = await workspace.tools.add('vault', { for: at('plan.json') });
    expect(unbound).toEqual(['dataview.query', 'seen']);
  });
});

test.each([
  ['', 'kits:\n  vault: {"root":"n"}\n'],
  ['# only words', '# only words\nkits:\n  vault: {"root":"n"}\n'],
  ['kits: # mine\n    http: {} # web\n', 'kits: # mine\n    vault: {"root":"n"}\n    http: {} # web\n'],
  [
    'kits:\n  vault: { root: old } # notes\n  http: {}\n',
    'kits:\n  vault: {"root":"n"} # notes\n  http: {}\n',
  ],
  ['kits:\n  vault:\n    root: old\ntools: []\n', 'kits:\n  vault: {"root":"n"}\ntools: []\n'],
])('in %j a kit is put, and all else stays', (before, after) => {
  expect(withKitInText(before, 'vault', { root: 'n' }, 't.yaml')).toBe(after);
  expect(withKitInText(after, 'vault', { root: 'n' }, 't.yaml')).toBe(after);
});

test.each([
  '{ "tools": [] }',
  'kits: { http: {} }',
  'kits:\n',
  '{kits: {vault: {root: o}}}',
  'kits:\n  vault:\n',
])('in %j a kit is put however it is written', (before) => {
  const after = withKitInText(before, 'vault', { root: 'n' }, 't.yaml');
  expect(parse(after)).toMatchObject({ kits: { vault: { root: 'n' } } });
});

test('where there is no tools file, listing leads to a kit', async () => {
  const { workspace } = newFolder();
  await expect(workspace.tools.list({})).rejects.toMatchObject({
    code: 'FILE_NOT_FOUND',
    hint: expect.stringContaining('plan tools add'),
  });
});

test('plan lint holds steps against the arguments and effects of kit tools', async () => {
  const { workspace, at } = newFolder('kits: { vault: {} }\n');
  const steps = [
    { id: 'a', tool: 'vault.readFile', args: { path: 'a', pth: 'b' } },
    { id: 'b', tool: 'dataview.query', args: {} },
    { id: 'c', tool: 'vault.writeFile', args: { path: 'a', content: 'x' } },
  ];
  writeFileSync(at('plan.json'), JSON.stringify({ schema_version: '1.0', goal: 'g', steps }));
  const found = async (more: object) => {
    const report = await workspace.lint([at('plan.json')], more);
    return 'files' in report ? report.files.flatMap(({ findings }) => findings) : [];
  };
  expect(await found({})).toEqual([]);
  expect(await found({ tools: at('.plans/tools.yaml') })).toEqual([
    expect.objectContaining({ rule: 'UNUSED_OUTPUT', severity: 'note', step: 'a' }),
    expect.objectContaining({ rule: 'SCHEMA_INVALID', step: 'a', message: expect.stringContaining('pth') }),
    expect.objectContaining({ rule: 'SCHEMA_INVALID', step: 'b', pointer: '/steps/1/tool' }),
  ]);
});

test('a model that drafts is told what kit tools bring and do to the world', async () => {
  const { at } = newFolder('kits: { vault: {} }\n');
  const environment = { ...defaultEnvironment(), workingFolder: at('.'), homeFolder: at('.') };
  const tools = await toolsFrom(createContext({ features: FEATURES, environment }), '.plans/tools.yaml');
  const lines = toolLines(tools ?? [])
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as object);
  expect(lines.find((line) => 'name' in line && line.name === 'vault.delete')).toMatchObject({
    effects: 'once',
    output: { properties: { trashPath: {} } },
  });
});
