import { mkdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { openWorkspace } from '../../src/workspace.js';
import { temporaryFolder } from '../support/folders.js';

/** A store with two plans; the log of the newer one is spoiled. */
async function twoPlans(spoil: (log: string) => void) {
  const folder = temporaryFolder();
  const variables = { XDG_CONFIG_HOME: join(folder, 'config'), FRCTL_BY: 'me' };
  const environment = { workingFolder: folder, homeFolder: folder, variables };
  const workspace = openWorkspace({ dir: join(folder, '.plans'), environment });
  const older = (await workspace.init('Paint the fence and water the roses').result).plan.id;
  const newer = (await workspace.init('Feed the cat and walk the dog').result).plan.id;
  const paths = [`${newer}.events.jsonl`, `${newer}.json`].map((name) => join(folder, '.plans', name));
  const [log = '', planFile = ''] = paths;
  rmSync(planFile);
  // As in a clone: nothing is waited for that somebody may be writing just now.
  rmSync(join(folder, '.plans', 'journal'), { recursive: true });
  spoil(log);
  return { workspace, older, newer, log };
}

const SPOILT = {
  damaged: (log: string) => writeFileSync(log, readFileSync(log, 'latin1').replaceAll('"', '?')),
  'a folder': (log: string) => {
    rmSync(log);
    mkdirSync(log);
  },
};

for (const [what, spoil] of Object.entries(SPOILT)) {
  test(`while the newest plan cannot be read, its log being ${what}, no other is taken for it`, async () => {
    const { workspace, older, log } = await twoPlans(spoil);
    const { plan } = await workspace.status(older);
    const refused = { code: 'AMBIGUOUS_NAME', message: expect.stringContaining(log.slice(0, -13)) as string };
    await expect(workspace.undo()).rejects.toMatchObject(refused);
    await expect(workspace.add({ description: 'Mow the lawn' })).rejects.toMatchObject(refused);
    await expect(workspace.claim('1')).rejects.toMatchObject(refused);
    await expect(workspace.archive()).rejects.toMatchObject(refused);
    await expect(workspace.tree()).rejects.toMatchObject(refused);
    await expect(workspace.status()).rejects.toMatchObject(refused);
    expect((await workspace.status(older)).plan).toEqual(plan);
  });
}

test('a plan that could not be read for longer than the newest is there is in nobody’s way', async () => {
  const { workspace, older, log } = await twoPlans(SPOILT.damaged);
  utimesSync(log, 1000, 1000);
  expect((await workspace.status()).plan.id).toBe(older);
  expect((await workspace.list()).problems).toHaveLength(1);
});
