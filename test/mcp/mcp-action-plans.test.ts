import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { actionRun } from '../../src/features/mcp/runs/action-run.js';
import { temporaryFolder } from '../support/folders.js';
import { toolWorld } from '../support/tool-world.js';

const CLEAN = { schema_version: '1.0', goal: 'Look', steps: [{ id: 'a', tool: 'look', args: {} }] };
const SECRET = {
  schema_version: '1.0',
  goal: 'Leak',
  steps: [{ id: 'a', tool: 'look', args: { key: 'ghp_0123456789abcdefghijABCDEFGHIJ012345' } }],
};

/** The tool in a folder whose store holds two action plans, and which has a file that is one. */
function newPlace() {
  const folder = temporaryFolder();
  const actions = join(folder, '.plans', 'actions');
  mkdirSync(actions, { recursive: true });
  writeFileSync(join(actions, 'ap-clean00001.json'), JSON.stringify(CLEAN));
  writeFileSync(join(actions, 'ap-secret0001.json'), JSON.stringify(SECRET));
  writeFileSync(join(folder, 'clean.json'), JSON.stringify(CLEAN));
  const environment = { workingFolder: folder, homeFolder: temporaryFolder(), variables: {} };
  const world = toolWorld(environment);
  const call = async (input: object) => actionRun.run(world, actionRun.input.parse(input));
  return { folder, call };
}

test('a stored plan is checked by its id, and what was not read is not clean', async () => {
  const { folder, call } = newPlace();
  expect(await call({ op: 'check', id: 'ap-clean00001' })).toMatchObject({
    document: { clean: true, findings: [] },
  });
  expect(await call({ op: 'check', id: 'ap-secret0001' })).toMatchObject({
    document: { clean: false, findings: [{ rule: 'RAW_SECRET' }] },
  });
  await expect(call({ op: 'check', id: 'ap-abcdefghij' })).rejects.toMatchObject({ code: 'FILE_NOT_FOUND' });
  writeFileSync(join(folder, '.plans', 'actions', 'ap-broken0001.json'), '{');
  await expect(call({ op: 'check', id: 'ap-broken0001' })).rejects.toMatchObject({ code: 'INVALID_INPUT' });
});

test.each(['/etc/passwd', '../elsewhere.json', 'clean.json', '*.json', '-', ''])(
  'the path %j is not the id of a stored plan, to check or to prepare',
  async (id) => {
    const { folder, call } = newPlace();
    for (const op of ['check', 'prepare'])
      await expect(call({ op, id })).rejects.toMatchObject({ code: 'INVALID_INPUT' });
    expect(readdirSync(join(folder, '.plans'))).toEqual(['actions']);
  },
);
