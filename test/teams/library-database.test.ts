import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { openWorkspace } from '../../src/workspace.js';
import { temporaryFolder } from '../support/folders.js';
import { newDatabase } from '../support/postgres.js';

function newPlace() {
  const folder = temporaryFolder();
  return { folder, environment: { workingFolder: folder, homeFolder: temporaryFolder(), variables: {} } };
}

test('a program keeps plans and runs in a database that it names, with no store in its folder', async () => {
  const databaseUrl = await newDatabase();
  const one = newPlace();
  const other = newPlace();
  const workspace = openWorkspace({ store: 'postgres', databaseUrl, environment: one.environment });
  expect(await workspace.list()).toMatchObject({ plans: [] });
  const { plan } = await workspace.init({ goal: 'Build a REST API with authentication' }).result;
  const { goal, claimed } = await workspace.claim({ goal: '1', by: 'me' });
  await workspace.complete({ goal: goal.id, token: claimed.token, summary: 'done' });
  const file = join(temporaryFolder(), 'plan.json');
  writeFileSync(
    file,
    '{"schema_version": "1.0", "steps": [{"id": "a", "tool": "agent.note", "args": {"title": "t", "content": "c"}}]}',
  );
  const { run } = await workspace.prepareRun(file);
  // What the project of another says of its store is of no account; nor is it looked for.
  mkdirSync(join(other.folder, '.plans'));
  writeFileSync(join(other.folder, '.plans/config.json'), '{"store": "files"}');
  const elsewhere = openWorkspace({ store: 'postgres', databaseUrl, environment: other.environment });
  expect((await elsewhere.show({ goal: goal.id })).goal).toMatchObject({ status: 'complete' });
  expect((await elsewhere.runs.list()).runs).toMatchObject([{ run }]);
  expect(await elsewhere.worker({ untilDone: true })).toEqual({ goals: 0, plans: [], runs: [] });
  const inFiles = openWorkspace({ environment: other.environment });
  await expect(inFiles.status(plan.id)).rejects.toMatchObject({ code: 'PLAN_NOT_FOUND' });
  expect(readdirSync(one.folder)).toEqual([]);
  // A setting of the project makes its folder.
  await workspace.config.set('max_depth', '3');
  expect((await workspace.config.show()).settings).toContainEqual(
    expect.objectContaining({ name: 'max_depth', value: 3 }),
  );
});

test('a database is named by the program or by its user, and by nobody else', async () => {
  const url = await newDatabase();
  const { environment } = newPlace();
  const without = openWorkspace({ store: 'postgres', environment });
  await expect(without.list()).rejects.toMatchObject({ code: 'INVALID_CONFIG' });
  const variables = { FRCTL_DATABASE_URL: url };
  const own = openWorkspace({ store: 'postgres', environment: { ...environment, variables } });
  expect(await own.list()).toMatchObject({ plans: [] });
  const wrong = openWorkspace({ store: 'postgres', databaseUrl: 'nonsense', environment });
  await expect(wrong.list()).rejects.toMatchObject({ code: 'INVALID_CONFIG' });
  for (const store of [undefined, 'files', 'memory'] as const)
    expect(() => openWorkspace({ store, databaseUrl: url, environment })).toThrow(/databaseUrl/);
});
