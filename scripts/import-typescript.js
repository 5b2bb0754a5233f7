import { resolve } from 'node:path';

import { createServer } from 'vite';

/**
 * Imports a TypeScript file of the repository. Vite's `runnerImport` would be closed by the time its functions run, and with it
 * every import() in there.
 * @param {string} file
 * @returns {Promise<{ module: any, close: () => Promise<void> }>} the module, to be used until `close`
 */
export async function importTypeScript(file) {
  const vite = await createServer({
    configFile: false,
    envDir: false,
    appType: 'custom',
    logLevel: 'warn',
    server: { middlewareMode: true, ws: false, watch: null },
    optimizeDeps: { noDiscovery: true },
  });
  const close = () => vite.close();
  try {
    return { module: await vite.environments.ssr.runner.import(resolve(file)), close };
  } catch (thrown) {
    await close();
    throw thrown;
  }
}
