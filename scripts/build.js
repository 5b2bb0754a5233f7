// Compiles src/ to dist/ and copies the data files (prompts, methods) that the code reads beside itself.
import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, rmSync } from 'node:fs';

rmSync('dist', { recursive: true, force: true });
execFileSync(process.execPath, ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.build.json'], {
  stdio: 'inherit',
});
cpSync('src/model/prompts', 'dist/model/prompts', { recursive: true });
cpSync('src/rules/methods', 'dist/rules/methods', { recursive: true });
for (const bin of ['plan', 'frctl']) chmodSync(`dist/cli/${bin}.js`, 0o755);
