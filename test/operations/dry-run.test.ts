import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { openWorkspace } from '../../src/workspace.js';
import { temporaryFolder } from '../support/folders.js';

async function newPlace() {
  const folder = temporaryFolder();
  const environment = {
    workingFolder: folder,
    homeFolder: folder,
    variables: { XDG_CONFIG_HOME: join(folder, 'config'), FRCTL_BY: 'me' },
  };
  const workspace = openWorkspace({ dir: join(folder, '.plans'), environment });
  const { plan } = await workspace.init('Paint the fence and water the roses and mow the lawn').result;
  const log = () => readFileSync(join(folder, '.plans', `${plan.id}.events.jsonl`), 'utf8');
  return { workspace, log };
}

test('a dry run of remove, move and merge tells exactly the goals that the change then changes, and writes nothing', async () => {
  for (const act of ['remove', 'move', 'merge'] as const) {
    const { workspace, log } = await newPlace();
    const run = (dryRun: boolean) => {
      if (act === 'remove') return workspace.remove({ goal: '2', dryRun });
      if (act === 'move') return workspace.move({ goal: '3', under: '1', dryRun });
      return workspace.merge({ goals: ['1', '2'], dryRun });
    };
    const before = log();
    const shown = await run(true);
    expect(shown.dry_run).toBe(true);
    expect(log()).toBe(before);
    const done = await run(false);
    expect(done).not.toHaveProperty('dry_run');
    // A goal that is new gets another id each time.
    const told = ({ changes }: typeof done) =>
      changes.map(({ goal, number, before: was }) => [was === null ? 'new' : goal, number]);
    expect(told(shown)).toEqual(told(done));
    expect(log()).not.toBe(before);
  }
});

test('a dry run of what would be refused is refused', async () => {
  const { workspace, log } = await newPlace();
  await workspace.claim('1', { by: 'ann' });
  const before = log();
  await expect(workspace.remove({ goal: '1', dryRun: true })).rejects.toMatchObject({ code: 'REFUSED' });
  expect(log()).toBe(before);
});

test('several goals are claimed, all or none, and undone as one', async () => {
  const { workspace, log } = await newPlace();
  const { goal, others } = await workspace.claim({ goal: '1', others: ['2', '2'] });
  expect([goal.number, ...(others ?? []).map((each) => each.goal.number)]).toEqual(['1', '2']);
  expect(new Set([goal.claim?.token, ...(others ?? []).map((each) => each.claimed.token)]).size).toBe(2);
  await workspace.undo();
  expect((await workspace.show('1')).goal.claim).toBeUndefined();
  expect((await workspace.show('2')).goal.claim).toBeUndefined();

  await workspace.claim('3', { by: 'ann' });
  const before = log();
  await expect(workspace.claim({ goal: '1', others: ['3'] })).rejects.toMatchObject({
    code: 'REFUSED',
    details: { claimed_by: 'ann' },
  });
  await expect(workspace.claim({ goal: '1', others: ['nowhere'] })).rejects.toMatchObject({
    code: 'GOAL_NOT_FOUND',
  });
  expect(log()).toBe(before);
});
