import { execFile } from 'node:child_process';
import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';
import process from 'node:process';
import { promisify } from 'node:util';

import ts from 'typescript';
import { beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';

import { sharedFolder, temporaryFolder } from './support/folders.js';

const run = promisify(execFile);
const REPOSITORY = resolve(import.meta.dirname, '..');

/** Most megabytes that the files of the package and of all it needs have. */
const MOST_MEGABYTES = 45;

let installed = '';
let home = '';

/** As a user does: the packed package installed in an empty folder, from the registry or npm's cache. */
beforeAll(async () => {
  installed = sharedFolder();
  home = sharedFolder();
  // The scripts would build what the tests' set-up has built already.
  const packed = await run('npm', ['pack', '--ignore-scripts', '--json', '--pack-destination', installed], {
    cwd: REPOSITORY,
  });
  const [{ filename }] = z.tuple([z.looseObject({ filename: z.string() })]).parse(JSON.parse(packed.stdout));
  writeFileSync(join(installed, 'package.json'), '{ "name": "someone", "private": true }\n');
  await run('npm', ['install', '--prefer-offline', '--no-audit', '--no-fund', `./${filename}`], {
    cwd: installed,
  });
});

describe('the packed package, installed in an empty folder', () => {
  test('runs both commands, by rules and with what the package brings', async () => {
    const folder = temporaryFolder();
    const version = await command('plan', ['--version'], folder);
    expect((await command('frctl', ['--version'], folder)).stdout).toBe(version.stdout);
    const made = await command('frctl', ['plan', 'init', 'Build a REST API with authentication'], folder);
    expect(made.stdout).toContain('Add authentication to the API');
    const context = await command('plan', ['context', '1', '--max-tokens', '500', '--json'], folder);
    expect(z.looseObject({ tokens: z.number() }).parse(JSON.parse(context.stdout)).tokens).toBeGreaterThan(
      50,
    );
    const html = await command('plan', ['export', '--format', 'html'], folder);
    expect(html.stdout).toMatch(/^<!doctype html>/i);
    const schema = await command('plan', ['schema', 'plan-v1'], folder);
    expect(JSON.parse(schema.stdout)).toHaveProperty('$id');
  });

  test('has the pages and the files that they name', () => {
    const root = join(installed, 'node_modules/frctl');
    const pages = ['README.md', ...readdirSync(join(root, 'docs')).map((name) => join('docs', name))].map(
      (name) => readFileSync(join(root, name), 'utf8'),
    );
    const named = pages.flatMap((page) => page.match(/\bexamples\/[\w./-]*\w/g) ?? []);
    expect(named.length).toBeGreaterThan(3);
    for (const path of named) expect([path, existsSync(join(root, path))]).toEqual([path, true]);
  });

  test('is a library with its types', async () => {
    const folder = temporaryFolder();
    writeFileSync(join(installed, 'script.mts'), SCRIPT);
    const { stdout } = await run(process.execPath, ['--import', dataOf(installed), '-e', ''], {
      cwd: folder,
    });
    expect(stdout).toBe('13 atomic goals\n');
    expect(faultsOfTypes(join(installed, 'script.mts'))).toEqual([]);
  });

  test(`takes at most ${MOST_MEGABYTES} MB with all that it needs`, () => {
    expect(bytesBelow(join(installed, 'node_modules')) / 2 ** 20).toBeLessThan(MOST_MEGABYTES);
  });
});

describe('examples/', () => {
  test('agents: two agents at once work a plan off', async () => {
    const folder = temporaryFolder();
    const goals = ['Write the menu', 'Print the menu', 'Hang up the menu', 'Tell the guests'];
    writeFileSync(join(folder, 'goals.md'), `# Menu\n\n${goals.map((goal) => `- ${goal}\n`).join('')}`);
    await command('plan', ['init', '--from', join(folder, 'goals.md')], folder);
    const agent = join(REPOSITORY, 'examples/agents/work-off.mjs');
    const agents = ['agent-1', 'agent-2'].map((name) =>
      run(process.execPath, [agent, '--by', name], { cwd: folder, env: environment() }),
    );
    const done = (await Promise.all(agents)).flatMap(({ stdout }) => stdout.trim().split('\n'));
    expect(new Set(done.map((line) => line.split(' did ')[1])).size).toBe(goals.length);
    const { stdout } = await command('plan', ['status', '--json'], folder);
    expect(JSON.parse(stdout)).toMatchObject({
      plan: { complete_goals: goals.length, atomic_goals: goals.length },
    });
  });

  test('ci: passes for a plan of the requirements, and fails when a line is not covered', async () => {
    const folder = temporaryFolder();
    const requirements = join(folder, 'requirements.md');
    writeFileSync(requirements, '# Shop\n\n- Sell apples by weight\n- Print a receipt\n');
    await command('plan', ['init', '--from', requirements], folder);
    const check = (): Promise<{ stdout: string }> =>
      run('bash', [join(REPOSITORY, 'examples/ci/check.sh'), requirements, policy], {
        cwd: folder,
        env: environment(),
      });
    const policy = join(REPOSITORY, 'examples/ci/policy.yaml');
    await check();
    writeFileSync(
      requirements,
      `${readFileSync(requirements, 'utf8')}- Refund a customer by bank transfer\n`,
    );
    await expect(check()).rejects.toMatchObject({ code: 1 });
    writeFileSync(requirements, '# Shop\n\n- Sell apples by weight\n- Print a receipt\n');
    mkdirSync(join(folder, '.plans/actions'), { recursive: true });
    writeFileSync(
      join(folder, '.plans/actions/ap-sweep0.json'),
      JSON.stringify({ goal: 'Sweep', steps: [{ id: 's1', tool: 'shell.rm', args: { path: 'build' } }] }),
    );
    await expect(check()).rejects.toMatchObject({ code: 1 });
  });

  test('library: prints what can start in every plan', async () => {
    const folder = temporaryFolder();
    await command('plan', ['init', 'Build a REST API with authentication'], folder);
    writeFileSync(
      join(installed, 'what-can-start.mjs'),
      readFileSync(join(REPOSITORY, 'examples/library/what-can-start.mjs')),
    );
    const { stdout } = await run(process.execPath, [
      join(installed, 'what-can-start.mjs'),
      join(folder, '.plans'),
    ]);
    expect(stdout).toMatch(/^[0-9a-f]{8}\t1\tList the resources/);
  });
});

const SCRIPT = `import { openWorkspace, PlanError, type Workspace } from 'frctl';
const workspace: Workspace = openWorkspace({ store: 'memory', environment: { variables: {} } });
openWorkspace({ store: 'postgres', databaseUrl: 'postgres://127.0.0.1:1/none' });
try {
  const { plan } = await workspace.init({ goal: 'Build a REST API with authentication' }).result;
  console.log(\`\${plan.atomic_goals} atomic goals\`);
} catch (error) {
  if (error instanceof PlanError) console.log(error.code);
}
`;

/**
 * What TypeScript finds wrong in a script and in the first page of our declarations, and what any other of them imports in
 * vain: that each is right in itself was found when it was made.
 */
function faultsOfTypes(script: string): readonly string[] {
  const program = ts.createProgram([script], {
    target: ts.ScriptTarget.ES2023,
    lib: ['lib.es2023.d.ts'],
    module: ts.ModuleKind.NodeNext,
    strict: true,
    noEmit: true,
    types: ['node'],
    typeRoots: [join(REPOSITORY, 'node_modules/@types')],
  });
  const ours = program.getSourceFiles().filter(({ fileName }) => fileName.includes('/node_modules/frctl/'));
  expect(ours.length).toBeGreaterThan(20);
  const inVain = ours.flatMap(({ fileName, text }) =>
    ts
      .preProcessFile(text)
      .importedFiles.filter(({ fileName: name }) => {
        const options = program.getCompilerOptions();
        return (
          !name.startsWith('node:') &&
          ts.resolveModuleName(name, fileName, options, ts.sys, undefined, undefined, ts.ModuleKind.ESNext)
            .resolvedModule === undefined
        );
      })
      .map(({ fileName: name }) => `${fileName} imports ${name}`),
  );
  const read = [script, join(installed, 'node_modules/frctl/dist/index.d.ts')].flatMap(
    (name) => program.getSourceFile(name) ?? [],
  );
  expect(read).toHaveLength(2);
  const said = [
    ...program.getOptionsDiagnostics(),
    ...program.getGlobalDiagnostics(),
    ...read.flatMap((file) => [
      ...program.getSyntacticDiagnostics(file),
      ...program.getSemanticDiagnostics(file),
    ]),
  ].map(({ file, messageText }) => `${file?.fileName}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`);
  return [...said, ...inVain];
}

/** The script without its types, as a module that Node runs before anything else. */
function dataOf(folder: string): string {
  const plain = SCRIPT.replace(', type Workspace', '').replace(': Workspace', '');
  const path = join(folder, 'script.mjs');
  writeFileSync(path, plain);
  return path;
}

function command(
  name: 'plan' | 'frctl',
  args: readonly string[],
  cwd: string,
): Promise<{ stdout: string; stderr: string }> {
  return run(join(installed, 'node_modules/.bin', name), args, { cwd, env: environment() });
}

function environment(): Record<string, string> {
  const bin = join(installed, 'node_modules/.bin');
  return { PATH: [bin, process.env.PATH ?? ''].join(delimiter), HOME: home };
}

/** What `du` says: each file takes whole blocks. */
function bytesBelow(folder: string): number {
  // Not the blocks of the disk: of a file that was just written there are none yet.
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => lstatSync(join(entry.parentPath, entry.name)).size)
    .reduce((sum, bytes) => sum + bytes, 0);
}
