import { spawn } from 'node:child_process';
import { join, resolve } from 'node:path';
import process from 'node:process';

import { outputFileSync } from 'fs-extra/esm';
import pg from 'pg';

/**
 * A folder whose plans are in a database, and the built command run in it.
 * @param {string} folder
 * @param {{ url: string, baseUrl: string, errors: 'inherit' | 'ignore' }} place where plans are, whom to ask, and what becomes of standard error
 * @returns {(args: string[]) => import('node:child_process').ChildProcess}
 */
export function commandOnDatabase(folder, { url, baseUrl, errors }) {
  outputFileSync(join(folder, '.plans', 'config.json'), '{"store": "postgres"}');
  return (args) =>
    spawn(process.execPath, [resolve('dist/cli/plan.js'), ...args], {
      cwd: folder,
      env: {
        PATH: process.env.PATH,
        HOME: folder,
        FRCTL_DATABASE_URL: url,
        OPENAI_BASE_URL: baseUrl,
        OPENAI_MODEL: 'm',
      },
      stdio: ['ignore', 'ignore', errors],
    });
}

/** What a statement gives. @param {string} url @param {string} sql @returns {Promise<any[]>} */
export async function query(url, sql) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}
