const IO = '^(node:)?(fs|fs/promises|child_process|net|http|https|http2|dgram|tls|worker_threads|readline)$';

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
    {
      name: 'plan-stands-on-the-kernel',
      comment: 'the model is pure and knows nothing above it',
      severity: 'error',
      from: { path: '^src/plan/' },
      to: { path: '^src/(?!plan/|kernel/)' },
    },
    {
      name: 'model-and-rules-know-the-plan-alone',
      severity: 'error',
      from: { path: '^src/(model|rules)/' },
      to: { path: '^src/', pathNot: '^src/($1|plan|kernel)/|^src/errors\\.ts$' },
    },
    {
      name: 'store-and-formats-know-the-plan-alone',
      severity: 'error',
      from: { path: '^src/(store|formats)/' },
      to: { path: '^src/', pathNot: '^src/($1|plan|kernel)/|^src/errors\\.ts$' },
    },
    {
      name: 'digest-knows-the-plan-alone',
      comment: 'measuring and extracting are pure; who asks a model for a digest is above it',
      severity: 'error',
      from: { path: '^src/digest/' },
      to: { path: '^src/', pathNot: '^src/(digest|plan|kernel)/|^src/errors\\.ts$' },
    },
    {
      name: 'planner-stands-on-model-rules-digest-actions-and-plan',
      comment: 'it yields events; what stores them is above it',
      severity: 'error',
      from: { path: '^src/planner/' },
      to: {
        path: '^src/',
        pathNot: '^src/(planner|model|rules|digest|actions|plan|kernel)/|^src/errors\\.ts$',
      },
    },
    {
      name: 'actions-know-the-plan-alone',
      comment: 'action plans are data: what runs them, stores them or asks a model for them is above',
      severity: 'error',
      from: { path: '^src/actions/' },
      to: { path: '^src/', pathNot: '^src/(actions|plan|kernel)/|^src/errors\\.ts$' },
    },
    {
      name: 'app-knows-no-front-end',
      severity: 'error',
      from: { path: '^src/app/' },
      to: { path: '^src/(cli|index)' },
    },
    {
      name: 'front-ends-use-the-app-alone',
      severity: 'error',
      from: { path: '^src/cli/' },
      to: { path: '^src/', pathNot: '^src/(cli|app|kernel)/|^src/errors\\.ts$' },
    },
    {
      name: 'io-at-the-edges',
      comment:
        'files, processes and sockets belong to store, model and cli; rules and model read their own data files',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/(store|model|cli)/|^src/rules/methods\\.ts$' },
      to: { path: IO, dependencyTypes: ['core'] },
    },
    {
      name: 'only-the-file-store-writes',
      comment: 'a model client that touches files, or a command that does, is in the wrong room',
      severity: 'error',
      from: { path: '^src/(model|cli)/', pathNot: '^src/model/prompts\\.ts$' },
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
