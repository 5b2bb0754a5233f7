// Makes dist/: the library as tsc compiles it, and the two commands bundled over it, because a command that
// must load hundreds of small modules starts slowly (see docs/performance.md). Data files (prompts, methods)
// go beside the code that reads them, once for each.
import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, rmSync } from 'node:fs';

import { build } from 'esbuild';

const COMMANDS = ['plan', 'frctl'];
// Some libraries are CommonJS and call `require`, which an ES module does not have.
const REQUIRE =
  "import { createRequire as createCommonJsRequire } from 'node:module';\nconst require = createCommonJsRequire(import.meta.url);";

rmSync('dist', { recursive: true, force: true });
execFileSync(process.execPath, ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.build.json'], {
  stdio: 'inherit',
});
cpSync('src/model/prompts', 'dist/model/prompts', { recursive: true });
cpSync('src/rules/methods', 'dist/rules/methods', { recursive: true });

rmSync('dist/cli', { recursive: true });
await build({
  entryPoints: COMMANDS.map((name) => `src/cli/${name}.ts`),
  outdir: 'dist/cli',
  // One folder below dist/, so that `../../schemas/` is where it is for the library too.
  chunkNames: '[name]-[hash]',
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20.19',
  minifySyntax: true,
  minifyWhitespace: true,
  legalComments: 'eof',
  banner: { js: REQUIRE },
  // Large tables that few commands load; in a file of their own either way.
  external: ['gpt-tokenizer', '@pydantic/genai-prices'],
  logLevel: 'warning',
});
cpSync('src/model/prompts', 'dist/cli/prompts', { recursive: true });
cpSync('src/rules/methods', 'dist/cli/methods', { recursive: true });
for (const name of COMMANDS) chmodSync(`dist/cli/${name}.js`, 0o755);
