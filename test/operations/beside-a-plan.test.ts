import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { openWorkspace } from '../../src/workspace.js';
import { temporaryFolder } from '../support/folders.js';

const PLAN = {
  schema_version: '1.0',
  id: 'ap-k3f9x2w8m1',
  goal: 'Tidy up',
  workspace: '/srv/shop',
  steps: [{ id: 'a', tool: 'look', args: { path: 'x' }, verifications: [{ type: 'seen', args: {} }] }],
};

/** A plan in the form of Obsidian, with what that has no place for in a file beside it. */
async function besidePlan(plan: object) {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'plan.json'), JSON.stringify(plan));
  const environment = { workingFolder: folder, homeFolder: temporaryFolder(), variables: {} };
  const workspace = openWorkspace({ environment });
  await workspace.convert('plan.json', { to: 'obsidian', output: 'o.json', lossy: true });
  return { folder, workspace };
}

test('what is shown of a plan is what runs, also of what stands in a file beside it', async () => {
  const { workspace } = await besidePlan(PLAN);
  const [own, carried] = [await workspace.preview('plan.json'), await workspace.preview('o.json')];
  expect(carried.text).toContain('/srv/shop');
  expect(carried.text).toBe(own.text);
});

test('a plan whose file beside it cannot be read is not checked, and the error names that', async () => {
  const { folder, workspace } = await besidePlan(PLAN);
  writeFileSync(join(folder, 'o.ext.json'), '{');
  expect(await workspace.lint(['o.json'])).toMatchObject({
    clean: false,
    files: [],
    unreadable: [{ file: 'o.json', code: 'INVALID_INPUT' }],
  });
});

describe('of what stands beside a plan, which nobody named', () => {
  test('no link is followed, and nothing of where it leads is told or kept', async () => {
    const { folder, workspace } = await besidePlan(PLAN);
    const outside = join(temporaryFolder(), 'secret');
    rmSync(join(folder, 'o.ext.json'));
    symlinkSync(outside, join(folder, 'o.ext.json'));
    for (const text of ['TOPSECRET', '{"auth":"TOPSECRET"}']) {
      writeFileSync(outside, text);
      expect(await workspace.lint(['o.json'])).toMatchObject({ unreadable: [{ code: 'STORAGE_FAILED' }] });
      for (const refused of [() => workspace.preview('o.json'), () => workspace.prepare('o.json', {})])
        await expect(refused()).rejects.toMatchObject({
          code: 'STORAGE_FAILED',
          message: expect.stringContaining('o.ext.json') as string,
        });
    }
    expect(existsSync(join(folder, '.plans'))).toBe(false);
  });

  test('no pipe is waited for', async () => {
    const { folder, workspace } = await besidePlan(PLAN);
    rmSync(join(folder, 'o.ext.json'));
    execFileSync('mkfifo', [join(folder, 'o.ext.json'), join(folder, 'base.yaml')]);
    await expect(workspace.preview('o.json')).rejects.toMatchObject({ code: 'STORAGE_FAILED' });
    writeFileSync(join(folder, 'policy.yaml'), 'extends: base.yaml\n');
    await expect(workspace.lint(['plan.json'], { policy: 'policy.yaml' })).rejects.toMatchObject({
      message: expect.stringContaining('base.yaml') as string,
    });
  });

  test('what cannot be read is told as what stands beside it', async () => {
    const { folder, workspace } = await besidePlan(PLAN);
    writeFileSync(join(folder, 'o.ext.json'), 'T');
    await expect(workspace.preview('o.json')).rejects.toMatchObject({
      message: expect.stringContaining('the file *.ext.json beside it') as string,
    });
  });
});

test('a plan of the store is checked by its id, and never changed', async () => {
  const { folder, workspace } = await besidePlan(PLAN);
  mkdirSync(join(folder, '.plans', 'actions'), { recursive: true });
  writeFileSync(join(folder, '.plans', 'actions', 'ap-k3f9x2w8m1.json'), JSON.stringify(PLAN));
  expect(await workspace.lint(['ap-k3f9x2w8m1'])).toMatchObject({ clean: true, unreadable: [] });
  expect(await workspace.lint(['ap-zzzzzzzzzz'])).toMatchObject({
    clean: false,
    unreadable: [{ code: 'FILE_NOT_FOUND' }],
  });
  await expect(workspace.lint(['ap-k3f9x2w8m1'], { fix: true })).rejects.toMatchObject({ code: 'USAGE' });
});
