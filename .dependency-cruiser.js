// Node's modules that touch the world.
const IO = '^(node:)?(fs|fs/promises|child_process|net|http|https|http2|dgram|tls|worker_threads|readline)$';

/** What a feature may bring: what is above the core as far as the core calls it. */
const FEATURE = '^src/feature\\.ts$';

/** What a folder of src/ may import besides itself and the kernel. */
function layer(name, below, comment, besides = []) {
  return [
    {
      name: `${name}-imports-what-is-below-it`,
      comment,
      severity: 'error',
      from: { path: `^src/${name}/` },
      to: { path: '^src/', pathNot: [`^src/(${[name, ...below, 'kernel'].join('|')})/`, ...besides] },
    },
  ];
}

const CORE = ['plan', 'host', 'llm', 'work', 'planning', 'exports', 'storage', 'operations'];

/** The features, with those that each may import. */
export const FEATURES = {
  actions: ['rules'],
  runs: ['actions'],
  kits: ['actions', 'runs'],
  rules: [],
  teams: ['actions', 'runs'],
  page: ['actions', 'runs'],
  mcp: ['actions', 'runs'],
  interop: [],
  agents: ['actions', 'runs'],
};

const feature = (name, needs) => ({
  name: `${name}-imports-the-core-and-what-it-needs`,
  comment: 'a feature is read, kept or dropped alone',
  severity: 'error',
  from: { path: `^src/features/${name}/` },
  to: {
    path: '^src/',
    pathNot: [
      `^src/(${[...CORE, 'cli', 'kernel', ...[name, ...needs].map((each) => `features/${each}`)].join('|')})/`,
      FEATURE,
    ],
  },
});

/** The rules of docs/architecture.md: arrows point down, features do not know each other, I/O at the edges. */
export default {
  forbidden: [
    {
      name: 'no-cycles',
      comment: 'a cycle makes two files one',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'no-feature-below',
      comment: 'the core calls a feature through what the feature brings, and by no name',
      severity: 'error',
      from: { path: '^src/(?!features/|bin/|(features|index|workspace)\\.ts$)' },
      to: { path: '^src/features/' },
    },
    {
      name: 'kernel-is-the-bottom',
      comment: 'text and numbers, whatever they are of',
      severity: 'error',
      from: { path: '^src/kernel/' },
      to: { path: '^src/(?!kernel/)' },
    },
    ...layer('plan', [], 'the goal tree is pure and knows nothing above it'),
    ...layer('host', [], 'the machine: files, git, processes; it knows no plan'),
    ...layer('llm', ['plan', 'host'], 'a model behind a server; what is asked is decided above'),
    ...layer('exports', ['plan'], 'a pure function from a plan to a text'),
    ...layer('work', ['plan', 'llm'], 'claims, context and digests; what stores them is above'),
    ...layer('planning', ['plan', 'llm', 'work'], 'yields events; what stores them is above'),
    ...layer('storage', ['plan', 'host'], 'keeps events and documents; what they are for is above'),
    ...layer('operations', CORE, 'an operation is called by every interface alike'),
    ...layer('cli', ['operations'], 'input in, one operation, render', [FEATURE]),
    ...Object.entries(FEATURES).map(([name, needs]) => feature(name, needs)),
    {
      name: 'the-library-does-not-reach-the-command-line',
      comment: 'its declarations would bring the whole command line along',
      severity: 'error',
      from: {
        path: '^src/(feature|features|index|workspace)\\.ts$|^src/features/[a-z]+/(?!render/|commands\\.ts$)',
        pathNot: '^src/features/(page|mcp)/',
      },
      to: { path: '^src/(cli/|bin/|features/[a-z]+/(render/|commands\\.ts$))' },
    },
    {
      name: 'another-feature-is-named-in-a-folder-of-its-name',
      comment:
        'a feature without the other is the same feature without this folder; runs are nothing without actions',
      severity: 'error',
      from: {
        path: '^src/features/(actions|rules|teams|page|mcp|interop)/',
        pathNot: '^src/features/[a-z]+/(rules|runs)/',
      },
      to: { path: '^src/features/', pathNot: '^src/features/$1/' },
    },
    {
      name: 'operations-use-the-ports-of-storage',
      comment: 'how plans and documents are kept is known where a store is opened, and nowhere else',
      severity: 'error',
      from: { path: '^src/operations/', pathNot: '^src/operations/shared/open-files\\.ts$' },
      to: { path: '^src/(storage/file|features/[a-z]+/storage|features/teams/(postgres|workers))/' },
    },
    {
      name: 'stores-do-not-know-each-other',
      comment: 'what every store of an event log needs is in log/',
      severity: 'error',
      from: { path: '^src/storage/(file|memory)/' },
      to: { path: '^src/storage/[a-z]+/', pathNot: '^src/storage/($1|log)/' },
    },
    {
      name: 'workers-stand-on-a-database',
      comment: 'jobs, budgets and limits over all processes are rows; nothing of them is in files',
      severity: 'error',
      from: { path: '^src/features/teams/(workers|postgres)/' },
      to: { path: '^src/storage/(file|memory)/' },
    },
    {
      name: 'logs-are-below-the-stores',
      comment: 'lines, their damage and what they come to are the same wherever they are kept',
      severity: 'error',
      from: { path: '^src/storage/(log/|[^/]+$)' },
      to: { path: '^src/storage/(file|memory)/' },
    },
    {
      name: 'pg-is-loaded-where-plans-are-in-a-database',
      comment: 'an optional package, which nothing else may need',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/features/teams/' },
      to: { path: 'node_modules/(@types/)?(pg|graphile-worker)/' },
    },
    {
      name: 'the-client-of-the-api-is-bundled',
      comment: 'the build makes one file of it; elsewhere it is known by its types',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/llm/openai/official-client\\.ts$' },
      to: { path: 'node_modules/openai/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'the-page-runs-in-a-browser',
      comment: 'what is pure runs there as well; of everything else only types are known there',
      severity: 'error',
      from: { path: '^src/features/page/web/' },
      to: {
        path: '^src/',
        pathNot: '^src/(features/page/web/|plan/|exports/(picture|wave-layout)\\.ts$|kernel/)',
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'nothing-else-imports-the-page',
      comment: 'it is built on its own, for the browser',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/features/page/web/' },
      to: { path: '^src/features/page/web/' },
    },
    {
      name: 'io-at-the-edges',
      comment: 'files, processes and sockets; the rules read their own data files',
      severity: 'error',
      from: {
        path: '^src/',
        pathNot:
          '^src/(host|storage/file|llm|cli)/|^src/features/(teams/(postgres|workers|copy)|agents/attempt|runs/(runners|storage|operations/approving)|page/server|mcp|kits)/|^src/features/rules/methods\\.ts$',
      },
      to: { path: IO, dependencyTypes: ['core'] },
    },
    {
      name: 'programs-are-started-in-host',
      comment:
        'one way to start, to bound and to end them; git, `ps`, the sandbox that is looked for and the browser are asked once and by Node itself',
      severity: 'error',
      from: {
        path: '^src/',
        pathNot:
          '^src/(host/(processes|git)/|features/runs/runners/sandbox/sandbox\\.ts$|features/page/server/serve\\.ts$)',
      },
      to: { path: '^(node:)?child_process$', dependencyTypes: ['core'], dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'only-host-and-storage-write',
      comment: 'a model client that touches files, or a command that does, is in the wrong folder',
      severity: 'error',
      from: {
        path: '^src/(llm|cli|features/(page|mcp))/',
        pathNot: '^src/(llm/(prompts|spend/tokenizer)|features/page/server/opening-file)\\.ts$',
      },
      to: { path: '^(node:)?fs', dependencyTypes: ['core'] },
    },
  ],
  options: {
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default'],
    },
  },
};
