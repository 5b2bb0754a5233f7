// Runs the `main` that a TypeScript file exports: node scripts/run.js FILE.ts [ARGUMENT…]
import { resolve } from 'node:path';
import process from 'node:process';

import { createServer } from 'vite';

const [file, ...args] = process.argv.slice(2);
if (file === undefined) throw new Error('which file? node scripts/run.js FILE.ts [ARGUMENT…]');

// Vite's `runnerImport` would be closed by the time `main` runs, and with it every import() in there.
const vite = await createServer({
  configFile: false,
  envDir: false,
  appType: 'custom',
  logLevel: 'warn',
  server: { middlewareMode: true, ws: false, watch: null },
  optimizeDeps: { noDiscovery: true },
});
try {
  const { main } = await vite.environments.ssr.runner.import(resolve(file));
  await main(args);
} finally {
  await vite.close();
}
