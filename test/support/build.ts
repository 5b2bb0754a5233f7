import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';

import { rolldown } from 'rolldown';

/** The workers of `test/faults/workers`; what they do needs none of the data files of the built code. */
const WORKERS = ['append', 'claim-all', 'claims', 'read', 'run', 'work'];
const BUILT_WORKERS = 'node_modules/.cache/frctl-workers';

/** Builds dist/ before the tests when a source file, or what builds it, is newer: tests of the command run what a user runs. */
export default async function setup(): Promise<void> {
  const built = 'dist/cli/plan.js';
  if (isOlder(built, 'src') || isOlder(built, 'scripts'))
    execFileSync(process.execPath, ['scripts/build.js'], { stdio: 'inherit' });
  const worker = `${BUILT_WORKERS}/${WORKERS[0]}.js`;
  if (isOlder(worker, 'test/faults/workers') || statSync(worker).mtimeMs < statSync(built).mtimeMs)
    await buildWorkers();
}

function isOlder(built: string, folder: string): boolean {
  if (!existsSync(built)) return true;
  const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) =>
    join(folder, name),
  );
  return statSync(built).mtimeMs < Math.max(...sources.map((file) => statSync(file).mtimeMs));
}

/** Bundled they start in half the time, and hundreds of them are started. */
async function buildWorkers(): Promise<void> {
  const bundle = await rolldown({
    input: Object.fromEntries(WORKERS.map((name) => [name, `test/faults/workers/${name}.js`])),
    platform: 'node',
    external: ['pg', 'graphile-worker', /^@modelcontextprotocol\/client/],
    logLevel: 'warn',
  });
  await bundle.write({ dir: BUILT_WORKERS, format: 'esm', cleanDir: true });
  await bundle.close();
}
