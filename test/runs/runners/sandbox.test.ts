import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

import { outputFileSync } from 'fs-extra/esm';
import { describe, expect, onTestFinished, test } from 'vitest';

import type { CommandBinding } from '../../../src/features/actions/tools/bindings.js';
import { readToolsFile } from '../../../src/features/actions/tools/read-tools-file.js';
import { callCommand } from '../../../src/features/runs/runners/command.js';
import { guardWorkspace } from '../../../src/features/runs/runners/sandbox/guard.js';
import { findSandbox } from '../../../src/features/runs/runners/sandbox/sandbox.js';
import { openToolbox } from '../../../src/features/runs/runners/toolbox.js';
import { asUser, IS_ROOT } from '../../faults/support/as-user.js';
import { callWith, newWorkplace } from '../../support/workplace.js';
import type { TestWorkplace } from '../../support/workplace.js';

const sandboxes = (await findSandbox(process.env, '/nowhere')) !== null;
const SERVER = resolve(import.meta.dirname, '../../support/mcp/server.mjs');

/** Runs a script in a sandbox that may write the workspace. */
const inSandbox = (place: TestWorkplace, script: string, more: Partial<CommandBinding> = {}) =>
  callCommand({ command: [script], shell: true, sandbox: 'workspace', ...more }, callWith({}), place);

/** A workspace whose user lives elsewhere. */
const newPlace = (variables: Readonly<Record<string, string>> = {}) =>
  newWorkplace({ HOME: '/nowhere/home', ...variables });

function put(folder: string, path: string, text = ''): string {
  const file = join(folder, path);
  outputFileSync(file, text);
  return file;
}

function putHook(root: string, name: string, text: string): string {
  const hook = put(root, `.git/hooks/${name}`, `#!/bin/sh\n${text}\n`);
  chmodSync(hook, 0o755);
  return hook;
}

function git(folder: string, ...args: readonly string[]): void {
  const config = ['-c', 'user.name=a', '-c', 'user.email=a@b.c', '-c', 'protocol.file.allow=always'];
  execFileSync('git', [...config, ...args], { cwd: folder, stdio: 'pipe' });
}

/** A bubblewrap of a stranger, which tells that it was run. */
function plantSandbox(root: string): { readonly folder: string; readonly wasRun: () => boolean } {
  const told = join(dirname(root), 'told');
  const file = put(root, 'bin/bwrap', `#!/bin/sh\necho "$0" >> '${told}'\nexit 0\n`);
  chmodSync(file, 0o755);
  return { folder: dirname(file), wasRun: () => existsSync(told) };
}

describe.runIf(sandboxes)('the program that confines (needs bubblewrap)', () => {
  test.each([
    ['the binding’s PATH', (bin: string) => ({ own: {}, bound: { PATH: `${bin}:${process.env.PATH}` } })],
    ['a relative PATH of the binding', () => ({ own: {}, bound: { PATH: `bin:./bin:${process.env.PATH}` } })],
    [
      'the workspace, which is on the user’s PATH',
      (bin: string) => ({ own: { PATH: `${bin}:${process.env.PATH}` }, bound: {} }),
    ],
    [
      'a relative or empty part of the user’s PATH',
      () => ({ own: { PATH: `bin::./bin:${process.env.PATH}` }, bound: {} }),
    ],
  ])('is none of %s, of commands and of servers', async (_what, paths) => {
    const { root } = newPlace();
    const { folder, wasRun } = plantSandbox(root);
    const { own, bound } = paths(folder);
    const place = { ...newPlace(own), root };
    const script = 'echo x > /etc/frctl-was-here; echo confined';
    expect(await inSandbox(place, script, { env: bound })).toMatchObject({ output: { text: 'confined\n' } });
    const server = {
      command: [process.execPath, SERVER, 'good'],
      sandbox: 'workspace',
      env: bound,
      tools: ['echo'],
      read: [dirname(SERVER), resolve('node_modules')],
    };
    const file = readToolsFile(JSON.stringify({ servers: { s: server } }), 'tools.json');
    const needed = { tools: ['echo'], conditions: [] };
    const box = await openToolbox({ file, needed, environment: place, run: `run-${process.pid}` });
    onTestFinished(() => box.close());
    expect(await box.tools.get('echo')?.call(callWith({ text: 'x' }))).toMatchObject({
      outcome: 'succeeded',
    });
    expect(wasRun()).toBe(false);
    expect(existsSync('/etc/frctl-was-here')).toBe(false);
  });

  test('gets no variable of the binding, and tells no secret in the list of processes', async () => {
    const place = newPlace({ TOKEN: 'a-very-secret-token' });
    const env = { TOKEN: '${env:TOKEN}', PLAIN: 'plain-value' };
    const script =
      'tr "\\0" "\\n" < /proc/1/environ; echo =; tr "\\0" " " < /proc/1/cmdline; echo =; echo "$PLAIN ${#TOKEN}"';
    const outcome = await inSandbox(place, script, { env });
    const [environ = '', line = '', own] = JSON.stringify(outcome).split('=\\n').slice(-3);
    expect(environ).toContain('FRCTL_ATTEMPT');
    for (const name of ['TOKEN', 'PLAIN', 'PATH=', 'HOME=']) expect(environ).not.toContain(name);
    expect(line).toContain('bwrap');
    for (const value of ['[secret]', 'plain-value'])
      expect(line.slice(0, line.indexOf(' -- '))).not.toContain(value);
    expect(own).toContain('plain-value 19');
  });
});

/** Tries to have a hook of a repository, or what stands for one, at a path. */
const TRY = (path: string) =>
  `mkdir -p "$(dirname ${path})"; echo evil > ${path}; rm -rf ${path}; echo evil > ${path}`;

describe.runIf(sandboxes)('what runs by its name later (needs bubblewrap)', () => {
  test('is as it was after a command that may write the workspace', async () => {
    const place = newPlace();
    const { root } = place;
    git(root, 'init', '-q', '.');
    mkdirSync(join(root, 'deep/er/nested'), { recursive: true });
    git(join(root, 'deep/er/nested'), 'init', '-q', '.');
    git(root, 'init', '-q', '--bare', 'bare.git');
    git(root, 'init', '-q', '--separate-git-dir=kept-elsewhere', 'separate');
    git(root, 'config', 'core.hooksPath', 'my-hooks');
    git(root, 'config', 'core.fsmonitor', './watch.sh --fast');
    const kept = [
      '.git/config',
      '.git/hooks/pre-commit',
      'deep/er/nested/.git/hooks/pre-commit',
      'deep/er/nested/.vscode/tasks.json',
      'bare.git/hooks/post-update',
      'separate/.git',
      'kept-elsewhere/config',
      'my-hooks/pre-push',
      'watch.sh',
      'linked-hook.sh',
      '.envrc',
      '.vscode/tasks.json',
      '.husky/pre-commit',
      '.claude/settings.json',
      'lefthook.yml',
      'my.code-workspace',
    ];
    for (const path of kept) if (!existsSync(join(root, path))) put(root, path, 'good');
    symlinkSync('../../linked-hook.sh', join(root, '.git/hooks/post-commit'));
    const before = kept.map((path) => readFileSync(join(root, path), 'utf8'));
    const moves =
      'mv deep/er/nested/.git x; mv deep/er/nested y; mv deep/er y; mv deep y; mv .git z; mv bare.git z';
    // Who is root on the machine is none in the sandbox.
    const script = `umount .git deep/er/nested/.git bare.git .husky .envrc deep; ${[...kept, '.git/hooks/new'].map(TRY).join('; ')}; ${moves}; echo fine > own; mkdir -p deep/er/src; echo fine > deep/er/src/own; mv deep/er/src/own deep/er/src/own2`;
    // `mv` copies what it cannot move: a copy is another repository.
    expect(await inSandbox(place, script)).toMatchObject({
      outcome: 'failed',
      error: { message: expect.stringContaining('x/HEAD (now x/HEAD.set-aside-1)') as string },
    });
    expect(kept.map((path) => readFileSync(join(root, path), 'utf8'))).toEqual(before);
    expect(existsSync(join(root, '.git/hooks/new'))).toBe(false);
    expect(readFileSync(join(root, 'own'), 'utf8')).toBe('fine\n');
    expect(readFileSync(join(root, 'deep/er/src/own2'), 'utf8')).toBe('fine\n');
  });

  test('cannot be made at the top of a workspace that has none of it, and nothing stays that held its place', async () => {
    const place = newPlace();
    const names = ['.git', '.envrc', '.vscode', '.husky', '.idea', '.devcontainer', '.claude', '.mcp.json'];
    const tries = names.map(
      (name) =>
        `echo x > ${name}/x; rm -rf ${name}; echo x > ${name}; test -f ${name} && echo "made ${name}"`,
    );
    const outcome = await inSandbox(place, `${tries.join('; ')}; git init -q .; git status; true`);
    expect(outcome).toMatchObject({ outcome: 'succeeded' });
    expect(JSON.stringify(outcome)).not.toContain('made ');
    expect(readdirSync(place.root)).toEqual(['.plans']);
  });

  test.each<readonly [string, string, string]>([
    ['includes', '[include]\n\tpath = ../shared.cfg\n', ''],
    ['has in one line', '[core] hooksPath = hooks of mine\n', ''],
    ['continues', '[core]\n\thooksPath = "hooks \\\nof mine"\n', ''],
    ['has in his home', '', '[core]\n\thooksPath = hooks of mine\n'],
  ])('is nothing that a setting names which the user %s', async (_how, ofRepository, ofUser) => {
    const home = newWorkplace().root;
    const place = newPlace({ HOME: home });
    const { root } = place;
    git(root, 'init', '-q', '.');
    appendFileSync(join(root, '.git/config'), ofRepository);
    put(home, '.gitconfig', ofUser);
    put(root, 'shared.cfg', '[core]\n\thooksPath = hooks of mine\n');
    const hook = put(root, 'hooks of mine/pre-commit', 'good');
    await inSandbox(place, 'echo evil > "hooks of mine/pre-commit"; mv "hooks of mine" y');
    expect(readFileSync(hook, 'utf8')).toBe('good');
  });

  test.each([true, false])('is no file that an included file includes, there before: %s', async (isThere) => {
    const place = newPlace();
    const { root } = place;
    git(root, 'init', '-q', '.');
    git(root, 'config', 'include.path', '../cfg/main.conf');
    put(root, 'cfg/main.conf', '[include]\n\tpath = extra.conf\n');
    if (isThere) put(root, 'cfg/extra.conf', '# good\n');
    const outcome = await inSandbox(
      place,
      'printf "[core]\\n\\tfsmonitor = touch evil\\n" > cfg/extra.conf; echo fine > extra.conf',
    );
    git(root, 'status');
    expect(existsSync(join(root, 'evil'))).toBe(false);
    expect(existsSync(join(root, 'extra.conf'))).toBe(true);
    expect(outcome).toMatchObject({ outcome: isThere ? 'succeeded' : 'failed' });
  });

  test('is no program that a hook starts, and no folder of hooks that is only named', async () => {
    const place = newPlace();
    git(place.root, 'init', '-q', '.');
    putHook(place.root, 'pre-commit', 'exec ./scripts/check.sh');
    const script = put(place.root, 'scripts/check.sh', 'good');
    await inSandbox(place, 'echo evil > scripts/check.sh');
    expect(readFileSync(script, 'utf8')).toBe('good');
    git(place.root, 'config', 'core.hooksPath', 'not/there');
    expect(await inSandbox(place, 'mkdir -p not/there; echo evil > not/there/pre-push')).toMatchObject({
      outcome: 'failed',
      error: { message: expect.stringContaining('not/there (now not/there.set-aside-1)') as string },
    });
    expect(existsSync(join(place.root, 'not/there'))).toBe(false);
  });

  test('is no file that a command which git or a hook runs would find, and nothing that they only mention', async () => {
    const place = newPlace();
    const { root } = place;
    git(root, 'init', '-q', '.');
    for (const [key, value] of [
      ['alias.rebuild', '!rm -rf dist/ out/here && make'],
      ['alias.go', '!./run/it --fast'],
      ['init.defaultBranch', 'work/main'],
      ['commit.template', 'notes/commit.txt'],
    ])
      git(root, 'config', key ?? '', value ?? '');
    putHook(
      root,
      'pre-commit',
      '# see notes/hook.sh\nnode src/build.js\nexec "$(git rev-parse --show-toplevel)/run/hook"',
    );
    const mine = ['dist/x', 'out/here/x', 'work/main/x', 'notes/commit.txt', 'notes/hook.sh', 'build.js'];
    const makes = (paths: readonly string[]) =>
      paths.map((path) => `mkdir -p ${dirname(path)}; echo x > ${path}`).join('; ');
    expect(await inSandbox(place, makes(mine))).toMatchObject({ outcome: 'succeeded' });
    const theirs = ['run/it', 'run/hook', 'src/build.js'];
    const outcome = await inSandbox(place, makes(theirs));
    for (const path of theirs) expect(JSON.stringify(outcome)).toContain(`${path} (now ${path}.set-aside-1)`);
    expect([...mine, ...theirs].filter((path) => existsSync(join(root, path)))).toEqual(mine);
  });

  test('is no link to nothing that was there, which stays, and nothing where it leads', async () => {
    const place = newPlace();
    const { root } = place;
    git(root, 'init', '-q', '.');
    git(root, 'config', 'core.fsmonitor', './watch.sh');
    symlinkSync('next', join(root, 'watch.sh'));
    symlinkSync('made/by/me', join(root, 'next'));
    symlinkSync('../../hook', join(root, '.git/hooks/pre-push'));
    expect(await inSandbox(place, 'true')).toMatchObject({ outcome: 'succeeded' });
    const outcome = await inSandbox(place, 'mkdir -p made/by; echo evil > made/by/me; echo evil > hook');
    for (const path of ['made/by/me', 'hook'])
      expect(JSON.stringify(outcome)).toContain(`${path} (now ${path}.set-aside-1)`);
    expect(lstatSync(join(root, 'watch.sh')).isSymbolicLink()).toBe(true);
    const workspace = { root, skip: [], home: '/nowhere/home', variables: place.variables };
    const guard = await guardWorkspace(workspace, []);
    rmSync(join(root, 'watch.sh'));
    put(root, 'watch.sh', 'evil');
    expect(await guard.release()).toEqual([{ from: 'watch.sh', to: 'watch.sh.set-aside-1' }]);
  });

  test.each([
    ['the repository', []],
    ['a repository around that', ['init', '-q', '.']],
  ])('is also what %s around the workspace names', async (_what, init) => {
    const place = newPlace();
    if (init.length > 0) git(place.root, ...init);
    const top = dirname(place.root);
    git(top, 'init', '-q', '.');
    putHook(top, 'pre-commit', 'exec sh workspace/lint.sh');
    git(top, 'config', 'diff.external', 'workspace/diff.sh');
    put(place.root, 'lint.sh', 'good');
    const outcome = await inSandbox(place, 'echo evil > lint.sh; echo evil > diff.sh');
    expect(outcome).toMatchObject({ outcome: 'failed', error: { code: 'POLICY_DENIED' } });
    expect(readFileSync(join(place.root, 'lint.sh'), 'utf8')).toBe('good');
    expect(existsSync(join(place.root, 'diff.sh'))).toBe(false);
  });

  test('is found in folders that were closed meanwhile, and not in those that were closed before', async () => {
    const { root, variables } = newPlace();
    const put0 = (path: string) => put(root, path, 'x');
    git(root, 'init', '-q', '.');
    git(root, 'config', 'include.path', '../extra/more.cfg');
    const before = ['shut', 'swapped', 'in/shut'].map((path) => join(root, path));
    for (const path of before) put(path, '.git/config');
    const modes = [0o000, 0o300, 0o400, 0o500, 0o600];
    const made = modes.map((mode) => `made-${mode.toString(8)}`);
    const nobody = 65_534;
    if (IS_ROOT) execFileSync('chown', ['-R', `${nobody}:${nobody}`, dirname(root)]);
    const asOwner: <T>(act: () => Promise<T>) => Promise<T> = IS_ROOT
      ? (act) => asUser({ uid: nobody }, act)
      : (act) => act();
    const renamed = await asOwner(async () => {
      for (const path of before) chmodSync(path, 0o000);
      chmodSync(join(root, 'in'), 0o600);
      const guard = await guardWorkspace({ root, skip: [], home: '/nowhere/home', variables }, []);
      for (const [index, path] of made.entries()) {
        put0(`${path}/in/.git/config`);
        chmodSync(join(root, path, 'in'), 0o000);
        put0(`${path}/.git/config`);
        chmodSync(join(root, path), modes[index] ?? 0);
      }
      put0('extra/more.cfg');
      chmodSync(join(root, 'extra'), 0o000);
      chmodSync(join(root, 'swapped'), 0o700);
      chmodSync(join(root, 'swapped'), 0o000);
      return guard.release();
    });
    const expected = [...made.flatMap((path) => [path, `${path}/in`]), 'swapped'].map(
      (path) => `${path}/.git`,
    );
    expect(renamed.map(({ from }) => from).toSorted()).toEqual([...expected, 'extra/more.cfg'].toSorted());
    expect(renamed.filter(({ to }) => to === null)).toEqual([]);
    expect([...before, join(root, 'in')].map((path) => lstatSync(path).mode % 0o1000)).toEqual([
      0, 0o700, 0, 0o600,
    ]);
  });

  test('is no folder that a path with a blank ends in', async () => {
    const place = newPlace();
    git(place.root, 'init', '-q', '.');
    git(place.root, 'config', 'core.hooksPath', 'my src');
    const [own, hook] = [put(place.root, 'src/x'), put(place.root, 'my src/pre-commit', 'good')];
    await inSandbox(place, 'echo new > src/x; echo evil > "my src/pre-commit"; true');
    expect([own, hook].map((path) => readFileSync(path, 'utf8'))).toEqual(['new\n', 'good']);
  });

  test.each([
    '"$(git rev-parse --show-toplevel)/scripts/lint.sh"',
    '$PWD/scripts/lint.sh',
    'sh "`pwd`/scripts/lint.sh"',
  ])('is no program that a hook starts as %s', async (named) => {
    const place = newPlace();
    git(place.root, 'init', '-q', '.');
    putHook(place.root, 'pre-commit', `exec ${named} || exit 1`);
    const script = put(place.root, 'scripts/lint.sh', 'good');
    await inSandbox(place, 'echo evil > scripts/lint.sh; echo fine > lint.sh');
    expect(readFileSync(script, 'utf8')).toBe('good');
    expect(existsSync(join(place.root, 'lint.sh'))).toBe(true);
  });

  test('is no program that a hook names which git does not run', async () => {
    const place = newPlace();
    git(place.root, 'init', '-q', '.');
    putHook(place.root, 'pre-push.sample', 'exec ./check.sh');
    chmodSync(putHook(place.root, 'pre-commit', 'exec ./check.sh'), 0o644);
    const script = put(place.root, 'check.sh', 'old');
    await inSandbox(place, 'echo new > check.sh');
    expect(readFileSync(script, 'utf8')).toBe('new\n');
  });

  test('in a worktree and a submodule leads to a repository that cannot be written', async () => {
    const place = newPlace();
    const elsewhere = join(dirname(place.root), 'main');
    mkdirSync(elsewhere);
    git(elsewhere, 'init', '-q', '.');
    git(elsewhere, 'commit', '-q', '--allow-empty', '-m', 'one');
    git(elsewhere, 'worktree', 'add', '-q', '--detach', join(place.root, 'tree'));
    git(place.root, 'init', '-q', '.');
    git(place.root, 'submodule', '--quiet', 'add', elsewhere, 'sub');
    const pointers = ['tree/.git', 'sub/.git'].map((path) => join(place.root, path));
    const before = pointers.map((path) => readFileSync(path, 'utf8'));
    const hooks = [
      join(elsewhere, '.git/hooks/pre-commit'),
      join(elsewhere, '.git/worktrees/tree/config.worktree'),
      join(place.root, '.git/modules/sub/hooks/pre-commit'),
    ];
    const script = `${[...hooks, 'tree/.git', 'sub/.git'].map(TRY).join('; ')}; mv sub other; mv tree other; echo 'gitdir: /tmp' > sub/.git; true`;
    expect(await inSandbox(place, script)).toMatchObject({ outcome: 'succeeded' });
    expect(pointers.map((path) => readFileSync(path, 'utf8'))).toEqual(before);
    expect(hooks.filter((path) => existsSync(path))).toEqual([]);
    git(join(place.root, 'tree'), 'status');
  });

  test.each([
    ['a repository in a new folder', 'git init -q new/one', 'new/one/.git'],
    ['one deep in folders that were there', 'git init -q node_modules/there', 'node_modules/there/.git'],
    ['a file that names a repository', 'mkdir w; echo "gitdir: ../src" > w/.git', 'w/.git'],
    [
      'a link to one',
      'mkdir -p r w; git init -q r/x; mv r/x/.git repository; ln -s ../repository w/.git',
      'w/.git',
    ],
    ['a bare repository', 'git init -q --bare b', 'b/HEAD'],
    ['the workspace as a bare repository', 'git init -q --bare b; mv b/* .', 'HEAD'],
    ['a repository of Mercurial', 'mkdir m; mkdir m/.hg', 'm/.hg'],
    ['what a shell or an editor runs at the top', 'echo x > .nvim.lua', '.nvim.lua'],
  ])(
    'and that a command makes gets another name once it has ended, and the step has failed: %s',
    async (_what, script, path) => {
      const place = newPlace();
      mkdirSync(join(place.root, 'node_modules/there'), { recursive: true });
      const outcome = await inSandbox(place, `${script}; echo done`);
      expect(outcome).toMatchObject({
        outcome: 'failed',
        error: {
          code: 'POLICY_DENIED',
          retryable: false,
          message: expect.stringContaining(`${path} (now ${path}.set-aside-1)`) as string,
        },
        output: { text: 'done\n' },
      });
      expect(lstatSync(join(place.root, path), { throwIfNoEntry: false })).toBeUndefined();
      expect(lstatSync(join(place.root, `${path}.set-aside-1`), { throwIfNoEntry: false })).toBeDefined();
      expect(
        execFileSync('sh', [
          '-c',
          'cd "$1"; git rev-parse --git-dir 2>/dev/null || true',
          'sh',
          dirname(join(place.root, path)),
        ]).toString(),
      ).toBe('');
    },
  );

  test('and was swapped behind a link gets another name too; what was there before stays', async () => {
    const place = newPlace();
    put(place.root, 'real/config', 'good');
    symlinkSync('real', join(place.root, '.vscode'));
    const outcome = await inSandbox(
      place,
      'echo evil > real/config; rm .vscode; mkdir .vscode; echo evil > .vscode/tasks.json',
    );
    expect(outcome).toMatchObject({ outcome: 'failed', error: { code: 'POLICY_DENIED' } });
    expect(readFileSync(join(place.root, 'real/config'), 'utf8')).toBe('good');
    expect(existsSync(join(place.root, '.vscode'))).toBe(false);
  });

  test('is kept also for a user whose home is the workspace: nothing with a dot there is written or made', async () => {
    const { root } = newPlace();
    const place = { ...newWorkplace({ HOME: root }), root };
    put(root, '.bashrc', 'good');
    put(root, '.config/git/config', 'good');
    const outcome = await inSandbox(
      place,
      'echo evil > .bashrc; echo evil > .config/git/config; echo evil > .profile; echo fine > own',
    );
    expect(outcome).toMatchObject({
      outcome: 'failed',
      error: { message: expect.stringContaining('.profile') as string },
    });
    expect(
      readFileSync(join(root, '.bashrc'), 'utf8') + readFileSync(join(root, '.config/git/config'), 'utf8'),
    ).toBe('goodgood');
    expect(existsSync(join(root, '.profile'))).toBe(false);
    expect(existsSync(join(root, 'own'))).toBe(true);
  });

  test('is kept by each of several commands at once, and a killed one leaves nothing that stays', async () => {
    const place = newPlace();
    // As a process leaves it that is killed.
    mkdirSync(join(place.root, '.vscode'));
    execFileSync('touch', ['-d', '@0', join(place.root, '.vscode')]);
    const commands = [0.1, 0.5, 0.9].map((seconds) =>
      inSandbox(place, `sleep ${seconds}; echo x > .git/x; mkdir .git; echo x > .vscode/x; true`),
    );
    await wait(300);
    expect(readdirSync(place.root)).toContain('.git');
    for (const outcome of await Promise.all(commands))
      expect(outcome).toMatchObject({ outcome: 'succeeded' });
    expect(readdirSync(place.root)).toEqual(['.plans']);
  });

  test('and that a server makes gets another name when it has ended', async () => {
    const place = newPlace();
    const server = {
      command: ['sh', '-c', `git init -q made; exec "$0" "$@"`, process.execPath, SERVER, 'good'],
      sandbox: 'workspace',
      tools: ['echo'],
      read: [dirname(SERVER), resolve('node_modules')],
    };
    const file = readToolsFile(JSON.stringify({ servers: { s: server } }), 'tools.json');
    const needed = { tools: ['echo'], conditions: [] };
    const box = await openToolbox({ file, needed, environment: place, run: `run-${process.pid}` });
    await box.close();
    expect(readdirSync(join(place.root, 'made'))).toEqual(['.git.set-aside-1']);
    expect(readdirSync(place.root).toSorted()).toEqual(['.plans', 'made']);
  });
});
