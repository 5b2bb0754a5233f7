import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';

import { expect, test } from 'vitest';

import { temporaryFolder } from '../support/folders.js';
import { inServer, newDatabase } from '../support/postgres.js';
import { databaseUser } from '../support/worker-processes.js';

/** Says in the end which files of the bundle were loaded. */
const TELL_LOADED = `process.on('exit', () => process.stderr.write(Object.keys(require.cache).join('\\n') + '\\n'));`;

test('a worker that has joined has loaded what it asks and stores with', async () => {
  const url = await newDatabase();
  const preload = join(temporaryFolder(), 'tell-loaded.cjs');
  writeFileSync(preload, TELL_LOADED);
  const { process, ended } = databaseUser().start(['worker'], {
    FRCTL_DATABASE_URL: url,
    NODE_OPTIONS: `--require=${preload}`,
  });
  const joined = async () => {
    const [row] = await inServer(url, `select to_regclass('frctl_worker') is not null as made`);
    return row?.['made'] === true && (await inServer(url, 'select from frctl_worker')).length > 0;
  };
  while (!(await joined())) await setTimeout(50);
  process.kill('SIGTERM');
  const { error } = await ended;
  for (const part of ['client', 'limiter', 'model-expander', 'postgres-log'])
    expect(error).toMatch(new RegExp(`/cli/${part}-[^/]*$`, 'm'));
});
