// Makes dist/: the library as tsc compiles it, and the two commands bundled over it, because a command that
// must load hundreds of small modules starts slowly (see docs/performance.md). Data files (prompts, methods)
// go beside the library's code that reads them; the commands read them there.
import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { posix } from 'node:path';

import { outputFileSync } from 'fs-extra/esm';
import o200k_base from 'gpt-tokenizer/bpeRanks/o200k_base';
import { rolldown } from 'rolldown';
import { minifySync } from 'rolldown/utils';
import { parse } from 'yaml';

import { writeOperationSchemas } from './bundle/operation-schemas.js';
import {
  dataOfLibrary,
  deferredZod,
  derivedTables,
  globalProcess,
  inAscii,
  lighterPackages,
  namesOfZod,
} from './bundle/plugins.js';

const COMMANDS = ['plan', 'frctl'];
// What commands need together is in a file of its own: what every command needs to start, what all short commands need, and
// what looking at a plan, reading the tail of its log and changing it need besides. A file more costs about as much to load
// as what most of them hold, so there are few. Each takes along what its modules import.
const TOGETHER = [
  { name: 'start', test: /\/src\/(cli\/(start|delivery)|kernel\/version)\.ts$/ },
  {
    name: 'quick',
    test: /\/src\/(bin\/(commands|run-command)|cli\/(run-command|run-command-line|run-operation|load-command|render\/reading\/list)|operations\/(library|reading\/list-plans|shared\/(context|default-environment|system-error))|storage\/file\/file-store)\.ts$/,
  },
  {
    name: 'look',
    test: /\/src\/(cli\/render\/(reading\/(status|show)|work\/next)|operations\/(reading\/(plan-status|show-goal)|work\/next-goals)|storage\/file\/(snapshot\/published-view|log\/(log-damage|find-events)))\.ts$/,
  },
  {
    name: 'tail',
    test: /\/src\/storage\/file\/log\/log-reading\.ts$/,
  },
  {
    name: 'change',
    test: /\/src\/(operations\/(work\/(claim-goal|complete-goal)|editing\/edit-goal)|cli\/(print-plan-notice|render\/(editing\/change|work\/(claim|complete)))|storage\/file\/(journal\/replica|log\/file-plan-log))\.ts$/,
  },
];

/** Names stay, for the sake of stack traces. */
const SMALL = {
  minify: { compress: true, mangle: false, codegen: true },
  comments: { legal: true, annotation: false, jsdoc: false },
};

/** Writes what the method files hold as one JSON file for each folder: reading YAML takes ten times as long. */
function writeMethods(to) {
  for (const folder of ['', '/browser']) {
    const from = `src/features/rules/methods${folder}`;
    const files = readdirSync(from).filter((file) => file.endsWith('.yaml'));
    const methods = files.sort().map((file) => parse(readFileSync(`${from}/${file}`, 'utf8')));
    outputFileSync(`${to}${folder}/all.json`, JSON.stringify(methods));
  }
}

/** What the commands of some operations take. */
async function linesOf(names) {
  const { loadedCommandLine } = await import('../dist/cli/load-command.js');
  const { operations, renderers } = (await import('../dist/bin/commands.js')).COMMANDS;
  const lines = names.map(async (name) => {
    const [operation, renderer] = await Promise.all([operations[name].load(), renderers[name]()]);
    return [name, loadedCommandLine(operation, renderer)];
  });
  return Object.fromEntries(await Promise.all(lines));
}

/** The events that are read without zod, by type. */
async function shapesOfEvents() {
  const { plainShapeOf } = await import('../dist/kernel/json/plain-shape-of.js');
  const { eventSchema } = await import('../dist/plan/events.js');
  const shapes = eventSchema.options.map((event) => [event.shape.type.value, plainShapeOf(event)]);
  return Object.fromEntries(shapes.filter(([, shape]) => shape !== null));
}

/** In which order the members of plan files and goals are written. */
async function orderOfMembers() {
  const { membersOf } = await import('../dist/plan/snapshot/plan-file.js');
  const { goalSchema, planFileSchema } = await import('../dist/plan/schema.js');
  return { plan: membersOf(planFileSchema), goal: membersOf(goalSchema) };
}

/** Removes the declarations that no type of the library leads to; most modules are in them for their code alone. */
function removeUnusedTypes() {
  const used = new Set();
  const open = ['index.d.ts'];
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    if (used.has(name)) continue;
    used.add(name);
    const text = readFileSync(`dist/${name}`, 'utf8');
    for (const [, path] of text.matchAll(/(?:from|import)\s*\(?\s*['"](\.[^'"]+)\.js['"]/g))
      open.push(posix.join(posix.dirname(name), `${path}.d.ts`));
  }
  for (const found of readdirSync('dist', { recursive: true, encoding: 'utf8' })) {
    const name = found.replaceAll('\\', '/');
    if (name.endsWith('.d.ts') && !used.has(name)) rmSync(`dist/${name}`);
  }
}

/** Takes the comments out of the library's code; they stand in its declarations. Lines stay, for the sake of stack traces. */
function removeComments() {
  const files = readdirSync('dist', { recursive: true, encoding: 'utf8' }).map((name) => `dist/${name}`);
  for (const path of files.filter((name) => name.endsWith('.js'))) {
    const { code, errors } = minifySync(path, readFileSync(path, 'utf8'), {
      module: true,
      compress: false,
      mangle: false,
      codegen: { removeWhitespace: false },
    });
    if (errors.length > 0) throw new Error(`${path}: ${errors[0].message}`);
    writeFileSync(path, code);
  }
}

/** What has a large package in it, as far as it is used, once for the library and both commands. */
const LIBRARY_FILES = ['llm/spend/tokenizer', 'llm/openai/official-client'];
const MCP_SERVER = ['@modelcontextprotocol/server', '@modelcontextprotocol/server/stdio'];

rmSync('dist', { recursive: true, force: true });
execFileSync(process.execPath, ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.build.json'], {
  stdio: 'inherit',
});
removeComments();
cpSync('src/llm/prompts', 'dist/llm/prompts', { recursive: true });
// A project without a feature builds what is left (scripts/without.js).
const has = (feature) => existsSync(`src/features/${feature}`);
if (has('rules')) writeMethods('dist/features/rules/methods');

for (const file of LIBRARY_FILES) {
  const own = await rolldown({
    input: `src/${file}.ts`,
    platform: 'node',
    transform: { target: 'node20.19' },
    logLevel: 'warn',
  });
  await own.write({ file: `dist/${file}.js`, format: 'esm', ...SMALL });
  await own.close();
}
// The tokens of the one encoding that is used, as a table that is read as it is.
const { rankTableOf } = await import('../dist/llm/spend/rank-table.js');
writeFileSync('dist/llm/spend/o200k_base.ranks', rankTableOf(o200k_base));
rmSync('dist/llm/spend/rank-table.js');
cpSync('node_modules/gpt-tokenizer/LICENSE', 'dist/llm/spend/tokenizer.LICENSE');
cpSync('node_modules/openai/LICENSE', 'dist/llm/openai/official-client.LICENSE');

// What the commands that must start fastest take, as their schemas say.
const lines = await linesOf([
  'list',
  'status',
  'next',
  'show',
  'tree',
  'claim',
  'release',
  'complete',
  'edit',
]);
const [plainEvents, memberOrder] = await Promise.all([shapesOfEvents(), orderOfMembers()]);
await writeOperationSchemas();
// What draws or answers is bundled below; the library has no use for it.
for (const folder of ['bin', 'cli']) rmSync(`dist/${folder}`, { recursive: true });
for (const feature of existsSync('dist/features') ? readdirSync('dist/features') : []) {
  const ofCommands = ['page', 'mcp'].includes(feature)
    ? readdirSync(`dist/features/${feature}`).filter((name) => !name.startsWith('registry.'))
    : ['render', 'commands.js', 'commands.d.ts'];
  for (const name of ofCommands) rmSync(`dist/features/${feature}/${name}`, { recursive: true, force: true });
}
// A module of types alone is imported by declarations only.
for (const name of readdirSync('dist', { recursive: true, encoding: 'utf8' })) {
  const file = `dist/${name}`;
  if (name.endsWith('.js') && readFileSync(file, 'utf8').trim() === 'export {};') rmSync(file);
}
removeUnusedTypes();
const bundle = await rolldown({
  input: Object.fromEntries([...COMMANDS, 'run-command'].map((name) => [name, `src/bin/${name}.ts`])),
  platform: 'node',
  transform: { target: 'node20.19' },
  // Large tables that few commands load; in a file of their own either way.
  external: [
    '@pydantic/genai-prices',
    'pg',
    'graphile-worker',
    'playwright-core',
    /^@modelcontextprotocol\/client/,
  ],
  plugins: [
    deferredZod(),
    derivedTables({
      'src/cli/input/known-lines.ts': lines,
      'src/plan/events/plain-events.ts': plainEvents,
      'src/plan/snapshot/member-order.ts': memberOrder,
    }),
    lighterPackages(),
    globalProcess(),
    dataOfLibrary(),
    inAscii(),
    {
      name: 'mcp-server-in-a-file',
      resolveId: (source) => (MCP_SERVER.includes(source) ? { id: './mcp-server.js', external: true } : null),
    },
    {
      name: 'files-of-the-library',
      resolveId: (source) =>
        LIBRARY_FILES.filter((file) => source === `./${posix.basename(file)}.js`).map((file) => ({
          id: `../${file}.js`,
          external: 'relative',
        }))[0],
    },
  ],
  // Some modules are imported both at once and when they are needed; bundled or not, that is no fault.
  checks: { ineffectiveDynamicImport: false },
  logLevel: 'warn',
});
await bundle.write({
  dir: 'dist/cli',
  // CommonJS, which Node loads in half the time: an ES module makes it read every member of each of Node's
  // own modules.
  format: 'cjs',
  // All in one folder below dist/, so that `../../schemas/` is where it is for the library too.
  chunkFileNames: '[name]-[hash].js',
  codeSplitting: {
    groups: TOGETHER.map(({ name, test }, index) => ({
      name,
      test: (id) => test.test(id.replaceAll('\\', '/')),
      // What two of them need is in the first.
      priority: TOGETHER.length - index,
    })),
  },
  ...SMALL,
});
await bundle.close();

// What serves plans over MCP. Its package is seven megabytes, most of them for other places and other formats.
if (has('mcp')) {
  const server = await rolldown({
    input: 'mcp-server-in-use',
    platform: 'node',
    transform: { target: 'node20.19' },
    plugins: [
      {
        name: 'mcp-server-in-use',
        resolveId: (source) => (source === 'mcp-server-in-use' ? source : null),
        load: (id) =>
          id === 'mcp-server-in-use' ? MCP_SERVER.map((name) => `export * from '${name}';`).join('\n') : null,
      },
    ],
    logLevel: 'warn',
  });
  await server.write({ file: 'dist/cli/mcp-server.js', format: 'cjs', ...SMALL });
  await server.close();
  cpSync('node_modules/@modelcontextprotocol/server/LICENSE', 'dist/cli/mcp-server.LICENSE');
}

// What the commands take of zod, which they load when they first need it.
const zod = await rolldown({
  input: 'zod-in-use',
  platform: 'node',
  transform: { target: 'node20.19' },
  plugins: [
    {
      name: 'zod-in-use',
      resolveId: (source) => (source === 'zod-in-use' ? source : null),
      load: (id) => (id === 'zod-in-use' ? `export { ${namesOfZod().join(', ')} } from 'zod';` : null),
    },
  ],
  logLevel: 'warn',
});
await zod.write({ file: 'dist/cli/zod.js', format: 'cjs', ...SMALL });
await zod.close();
// The page of `plan serve`, with the library that it is made with.
if (has('page')) {
  const page = await rolldown({
    input: 'src/features/page/web/page.tsx',
    platform: 'browser',
    transform: { target: 'es2022' },
    logLevel: 'warn',
  });
  await page.write({
    file: 'dist/web/page.js',
    format: 'esm',
    minify: true,
    comments: { legal: true, annotation: false, jsdoc: false },
  });
  await page.close();
  for (const name of ['index.html', 'page.css', 'favicon.svg'])
    cpSync(`src/features/page/web/${name}`, `dist/web/${name}`);
  cpSync('node_modules/preact/LICENSE', 'dist/web/preact.LICENSE');
}

writeFileSync('dist/cli/known-lines.json', JSON.stringify(lines));
writeFileSync('dist/cli/package.json', '{ "type": "commonjs" }\n');
for (const name of COMMANDS) chmodSync(`dist/cli/${name}.js`, 0o755);
writeFileSync('dist/plan.1', execFileSync(process.execPath, ['dist/cli/plan.js', 'help', '--man']));
