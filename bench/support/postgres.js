import { resolve } from 'node:path';

import { createServer } from 'vite';

/**
 * Starts a PostgreSQL server that waits for the disk as in real life: the one that tests use, in TypeScript.
 * @returns {Promise<{ url: string, stop: () => Promise<void> }>}
 */
export async function startPostgres() {
  const vite = await createServer({
    configFile: false,
    envDir: false,
    appType: 'custom',
    logLevel: 'warn',
    server: { middlewareMode: true, ws: false, watch: null },
    optimizeDeps: { noDiscovery: true },
  });
  const { newPostgresServer } = await vite.environments.ssr.runner.import(
    resolve('test/support/postgres/server.ts'),
  );
  const server = await newPostgresServer({ durable: true });
  await vite.close();
  return { url: server.url, stop: () => server.remove() };
}
