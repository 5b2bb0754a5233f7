import { importTypeScript } from '../../scripts/import-typescript.js';

/**
 * Starts a PostgreSQL server that waits for the disk as in real life: the one that tests use, in TypeScript.
 * @returns {Promise<{ url: string, stop: () => Promise<void> }>}
 */
export async function startPostgres() {
  const { module, close } = await importTypeScript('test/support/postgres/server.ts');
  try {
    const server = await module.newPostgresServer({ durable: true });
    return { url: server.url, stop: () => server.remove() };
  } finally {
    await close();
  }
}
