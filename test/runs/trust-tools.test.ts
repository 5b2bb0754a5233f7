import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { outputFileSync } from 'fs-extra/esm';
import { describe, expect, test } from 'vitest';

import { trustedToolsFile } from '../../src/features/runs/operations/trust/trusted-tools-file.js';
import { FEATURES } from '../../src/features.js';
import { createContext } from '../../src/operations/shared/context.js';
import { defaultEnvironment } from '../../src/operations/shared/default-environment.js';
import { openWorkspace } from '../../src/workspace.js';
import { newUser } from '../support/command.js';
import { temporaryFolder } from '../support/folders.js';

const TOOLS = `tools:
  - name: build
    run: { command: [make, all] }
  - name: deploy
    run: { shell: true, command: ['make deploy | tee log'] }
`;

function repository(text = TOOLS, name = '.plans/tools.yaml') {
  const folder = temporaryFolder();
  const home = temporaryFolder();
  mkdirSync(join(folder, '.plans'));
  writeFileSync(join(folder, name), text);
  const environment = { ...defaultEnvironment(), workingFolder: folder, homeFolder: home, variables: {} };
  const file = join(folder, name);
  return {
    folder,
    home,
    file,
    workspace: openWorkspace({ environment }),
    context: createContext({ features: FEATURES, environment }),
  };
}

describe('a tools file', () => {
  test('runs nothing before it is trusted; only looking at it trusts nothing', async () => {
    const { workspace, context, home } = repository();
    await expect(trustedToolsFile(context, undefined)).rejects.toMatchObject({
      code: 'E_TOOL_UNTRUSTED',
      hint: expect.stringContaining('plan tools trust'),
    });
    const shown = await workspace.tools.trust({});
    expect(shown).toMatchObject({ trusted: false, was_trusted: false, changes: null });
    expect(shown.tools).toEqual([
      { name: 'build', effects: 'once', runs: 'make all', warning: null },
      {
        name: 'deploy',
        effects: 'once',
        runs: '"make deploy | tee log"',
        warning: expect.stringContaining('shell'),
      },
    ]);
    expect(existsSync(join(home, '.config'))).toBe(false);
    await expect(workspace.tools.trust({ digest: shown.digest.slice(0, 12) })).resolves.toMatchObject({
      trusted: true,
    });
    expect((await trustedToolsFile(context, undefined)).tools).toHaveLength(2);
  });

  test('that has changed asks again, and what has changed is shown', async () => {
    const { workspace, context, file } = repository();
    const { digest } = await workspace.tools.trust({});
    await workspace.tools.trust({ digest });
    writeFileSync(file, TOOLS.replace('[make, all]', '[make, all, "EXTRA=1"]'));
    await expect(trustedToolsFile(context, undefined)).rejects.toMatchObject({
      code: 'E_TOOL_UNTRUSTED',
      message: expect.stringContaining('changed'),
    });
    const shown = await workspace.tools.trust({});
    expect(shown.changes?.map(({ sign, line, text }) => `${sign}${line} ${text.trim()}`)).toEqual([
      ' 1 tools:',
      ' 2 - name: build',
      '-3 run: { command: [make, all] }',
      '+3 run: { command: [make, all, "EXTRA=1"] }',
      ' 4 - name: deploy',
      " 5 run: { shell: true, command: ['make deploy | tee log'] }",
    ]);
    // What is trusted is what was read, not what has come in its place.
    await expect(workspace.tools.trust({ digest })).rejects.toMatchObject({ code: 'REFUSED' });
    await expect(workspace.tools.trust({ digest: shown.digest.slice(0, 4) })).rejects.toMatchObject({
      code: 'REFUSED',
    });
  });

  test('is trusted where it is, and nowhere else: its programs are others there', async () => {
    const [one, other] = [repository(), repository()];
    const { digest } = await one.workspace.tools.trust({});
    await one.workspace.tools.trust({ digest });
    const elsewhere = createContext({
      features: FEATURES,
      environment: { ...other.context.environment, homeFolder: one.home },
    });
    await expect(trustedToolsFile(elsewhere, undefined)).rejects.toMatchObject({ code: 'E_TOOL_UNTRUSTED' });
  });

  test('can lie elsewhere; one that is not there, or none, is said', async () => {
    const { workspace, context } = repository(TOOLS, 'other.yaml');
    await expect(workspace.tools.trust({})).rejects.toMatchObject({ code: 'FILE_NOT_FOUND' });
    await expect(workspace.tools.trust('other.yaml', {})).resolves.toMatchObject({ trusted: false });
    await expect(trustedToolsFile(context, 'other.yaml')).rejects.toMatchObject({ code: 'E_TOOL_UNTRUSTED' });
    writeFileSync(join(context.environment.workingFolder, 'other.yaml'), 'tools: [{name: a, run: {}}]');
    await expect(workspace.tools.trust('other.yaml', {})).rejects.toMatchObject({ code: 'INVALID_INPUT' });
  });

  test('cannot trust itself: a repository’s config says nothing of it', async () => {
    const { workspace, context, folder } = repository();
    const { digest, file } = await workspace.tools.trust({});
    writeFileSync(join(folder, '.plans/config.json'), JSON.stringify({ trusted_files: [{ file, digest }] }));
    await expect(trustedToolsFile(context, undefined)).rejects.toMatchObject({ code: 'E_TOOL_UNTRUSTED' });
  });
});

describe('plan tools trust', () => {
  test('without a terminal shows what is run and trusts nothing; with the digest it does', async () => {
    const user = newUser();
    outputFileSync(join(user.folder, '.plans/tools.yaml'), TOOLS.replace('make, all', 'make, "\\e[31mall"'));
    const shown = await user.run(['tools', 'trust']);
    expect(shown.status).toBe(4);
    expect(shown.out).toContain('  build (once)\n    run.command: ["make","\\u001b[31mall"]\n');
    expect(shown.out).not.toContain('\u001b');
    const digest = /--digest ([0-9a-f]{12})/.exec(shown.out)?.[1] ?? '';
    expect((await user.run(['tools', 'trust', '--digest', digest])).status).toBe(0);
    expect((await user.run(['tools', 'trust', '--json'])).json()).toMatchObject({ trusted: true });
    expect(statSync(join(user.home, '.config/frctl/config.json')).isFile()).toBe(true);
  });

  test.runIf(existsSync('/usr/bin/script'))(
    'asks for a yes on a terminal (needs util-linux’s script)',
    async () => {
      const user = newUser();
      outputFileSync(join(user.folder, '.plans/tools.yaml'), TOOLS);
      const answered = (answer: string) =>
        new Promise<number | null>((done) => {
          const command = `'${process.execPath}' '${resolve('dist/cli/plan.js')}' tools trust`;
          const terminal = spawn('script', ['-qec', command, '/dev/null'], {
            cwd: user.folder,
            env: { PATH: process.env.PATH, HOME: user.home, TERM: 'xterm' },
            stdio: ['pipe', 'pipe', 'ignore'],
          });
          terminal.stdout.on('data', (chunk: Buffer) => {
            if (chunk.toString().includes('Type yes')) terminal.stdin.write(`${answer}\n`);
          });
          terminal.on('exit', done);
        });
      expect(await answered('y')).toBe(4);
      expect(await answered('no')).toBe(4);
      expect(await answered('yes')).toBe(0);
      expect(readFileSync(join(user.home, '.config/frctl/config.json'), 'utf8')).toContain('tools.yaml');
    },
  );
});
