import { existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { expect, test } from 'vitest';

import { openWorkspace } from '../../src/workspace.js';
import { temporaryFolder } from '../support/folders.js';

test('no output is written into the store, whatever leads there', async () => {
  const folder = temporaryFolder();
  const environment = { workingFolder: folder, homeFolder: temporaryFolder(), variables: {} };
  const workspace = openWorkspace({ environment });
  const { plan } = await workspace.init({ goal: 'Bake bread', expander: 'agent' }).result;
  const log = join(folder, '.plans', `${plan.id}.events.jsonl`);
  const before = readFileSync(log, 'utf8');
  mkdirSync(join(folder, 'docs'));
  symlinkSync('../.plans', join(folder, 'docs/out'));
  const action = resolve('examples/links/plan.json');
  for (const to of ['.plans', 'docs/out']) {
    const refused = {
      code: 'INVALID_INPUT',
      message: expect.stringContaining('where plans are kept') as string,
    };
    for (const name of [`${plan.id}.events.jsonl`, 'config.json', 'new.csv'])
      await expect(workspace.export({ format: 'csv', output: `${to}/${name}` })).rejects.toMatchObject(
        refused,
      );
    await expect(workspace.export({ format: 'backlog', output: to })).rejects.toMatchObject(refused);
    await expect(
      workspace.convert({
        file: action,
        to: 'plan-lint',
        output: `${to}/${plan.id}.json`,
        force: true,
        lossy: true,
      }),
    ).rejects.toMatchObject(refused);
  }
  expect(readFileSync(log, 'utf8')).toBe(before);
  expect(existsSync(join(folder, '.plans/config.json'))).toBe(false);
});
