// Node's modules that touch the world.
const IO = '^(node:)?(fs|fs/promises|child_process|net|http|https|http2|dgram|tls|worker_threads|readline)$';

/** What a folder of src/ may import besides itself and the kernel. */
function layer(name, below, comment) {
  return [
    {
      name: `${name}-imports-what-is-below-it`,
      comment,
      severity: 'error',
      from: { path: `^src/${name}/` },
      to: { path: '^src/', pathNot: `^src/(${[name, ...below, 'kernel'].join('|')})/` },
    },
  ];
}

/** The rules of docs/architecture.md: arrows point down, neighbours do not know each other, I/O at the edges. */
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
      name: 'kernel-is-the-bottom',
      comment: 'text and numbers, whatever they are of',
      severity: 'error',
      from: { path: '^src/kernel/' },
      to: { path: '^src/(?!kernel/)' },
    },
    ...layer('plan', [], 'the goal tree is pure and knows nothing above it'),
    ...layer('host', [], 'the machine: files, git, processes; it knows no plan'),
    ...layer('llm', ['plan', 'host'], 'a model behind a server; what is asked is decided above'),
    ...layer('rules', ['plan'], 'the built-in planner'),
    ...layer('exports', ['plan'], 'a pure function from a plan to a text'),
    ...layer('action-plans', ['plan'], 'action plans are data: what stores them or asks for them is above'),
    ...layer('work', ['plan', 'llm'], 'claims, context and digests; what stores them is above'),
    ...layer(
      'planning',
      ['plan', 'llm', 'rules', 'work', 'action-plans'],
      'yields events; what stores them is above',
    ),
    ...layer(
      'execution',
      ['plan', 'host', 'action-plans'],
      'runs action plans; what stores the log of a run is above',
    ),
    ...layer(
      'storage',
      ['plan', 'host', 'execution'],
      'keeps events and documents; what they are for is above',
    ),
    {
      name: 'operations-know-no-interface',
      comment: 'an operation is called by the command line, the library, MCP and HTTP alike',
      severity: 'error',
      from: { path: '^src/operations/' },
      to: { path: '^src/(interfaces|index)' },
    },
    {
      name: 'operations-use-the-ports-of-storage',
      comment: 'how plans and documents are kept is known where a store is opened, and nowhere else',
      severity: 'error',
      from: { path: '^src/operations/', pathNot: '^src/operations/shared/open-stores\\.ts$' },
      to: { path: '^src/storage/(file|postgres|workers)/' },
    },
    {
      name: 'stores-do-not-know-each-other',
      comment: 'what every store of an event log needs is in log/; workers stand on the tables of a database',
      severity: 'error',
      from: { path: '^src/storage/(file|memory|postgres)/' },
      to: { path: '^src/storage/[a-z]+/', pathNot: '^src/storage/($1|log)/' },
    },
    {
      name: 'workers-stand-on-a-database',
      comment: 'jobs, budgets and limits over all processes are rows; nothing of them is in files',
      severity: 'error',
      from: { path: '^src/storage/workers/' },
      to: { path: '^src/storage/[a-z]+/', pathNot: '^src/storage/(workers|postgres|log)/' },
    },
    {
      name: 'logs-are-below-the-stores',
      comment: 'lines, their damage and what they come to are the same wherever they are kept',
      severity: 'error',
      from: { path: '^src/storage/(log/|[^/]+$)' },
      to: { path: '^src/storage/(file|memory|postgres|workers)/' },
    },
    {
      name: 'pg-is-loaded-where-plans-are-in-a-database',
      comment: 'an optional package, which nothing else may need',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/storage/(postgres|workers)/' },
      to: { path: 'node_modules/(@types/)?(pg|graphile-worker)/' },
    },
    {
      name: 'interfaces-use-operations-alone',
      comment: 'input in, one operation, render',
      severity: 'error',
      from: { path: '^src/interfaces/', pathNot: '^src/interfaces/http/web/' },
      to: { path: '^src/', pathNot: '^src/(interfaces|operations|kernel)/' },
    },
    {
      name: 'interfaces-do-not-know-each-other',
      comment: 'what they share is in shared/; one file of the command line starts the others',
      severity: 'error',
      from: {
        path: '^src/interfaces/([a-z]+)/',
        pathNot: '^src/interfaces/cli/other-interfaces\\.ts$',
      },
      to: { path: '^src/interfaces/', pathNot: '^src/interfaces/($1|shared)/' },
    },
    {
      name: 'the-page-runs-in-a-browser',
      comment: 'what is pure runs there as well; of everything else only types are known there',
      severity: 'error',
      from: { path: '^src/interfaces/http/web/' },
      to: {
        path: '^src/',
        pathNot: '^src/(interfaces/http/web/|plan/|exports/(picture|wave-layout)\\.ts$|kernel/)',
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'nothing-else-imports-the-page',
      comment: 'it is built on its own, for the browser',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/interfaces/http/web/' },
      to: { path: '^src/interfaces/http/web/' },
    },
    {
      name: 'io-at-the-edges',
      comment: 'files, processes and sockets; the rules read their own data files',
      severity: 'error',
      from: {
        path: '^src/',
        pathNot:
          '^src/(host|storage/(file|postgres|workers)|llm|execution/runners|interfaces)/|^src/rules/methods\\.ts$',
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
        pathNot: '^src/(host/(processes|git)/|execution/runners/sandbox\\.ts$|interfaces/http/serve\\.ts$)',
      },
      to: { path: '^(node:)?child_process$', dependencyTypes: ['core'], dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'only-host-and-storage-write',
      comment: 'a model client that touches files, or a command that does, is in the wrong folder',
      severity: 'error',
      from: { path: '^src/(llm|interfaces)/', pathNot: '^src/llm/(prompts|spend/tokenizer)\\.ts$' },
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
