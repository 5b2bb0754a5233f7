import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { openWorkspace } from '../../src/operations/workspace.js';
import { temporaryFolder } from '../support/folders.js';

function newPlace() {
  const folder = temporaryFolder();
  const store = join(folder, '.plans');
  mkdirSync(store);
  const environment = { workingFolder: folder, homeFolder: temporaryFolder(), variables: {} };
  return { folder, store, workspace: openWorkspace({ dir: store, environment }) };
}

const PLAN = JSON.stringify({ goal: 'Clean up', steps: [{ id: 'a', tool: 'db.query', args: {} }] });

test('commands of two words are functions that stand together', async () => {
  const { store, workspace } = newPlace();
  expect(await workspace.config.set('max_depth', '3')).toEqual({
    name: 'max_depth',
    file: join(store, 'config.json'),
  });
  const { settings } = await workspace.config.show();
  expect(settings.find(({ name }) => name === 'max_depth')).toMatchObject({ value: 3, source: 'project' });
  await workspace.config.unset({ name: 'max_depth' });
  expect(JSON.parse(readFileSync(join(store, 'config.json'), 'utf8'))).toEqual({});
});

test('standard input of a command is a text of the library’s caller', async () => {
  const { folder, workspace } = newPlace();
  writeFileSync(join(folder, 'plan.json'), PLAN);
  const { digest } = await workspace.hash('plan.json');
  expect((await workspace.hash('-', { input: PLAN })).digest).toBe(digest);
  expect((await workspace.preview({ plan: '-', input: PLAN, detail: 'quiet' })).text).toBe('1. [PENDING]\n');
  expect(await workspace.lint(['-'], { input: PLAN })).toMatchObject({ files: [{ file: '<stdin>' }] });
  await expect(workspace.lint(['-'])).rejects.toMatchObject({ code: 'USAGE' });
});

test('lint describes a rule, or all of them', async () => {
  const { workspace } = newPlace();
  expect(await workspace.lint({ explain: 'raw_secret' })).toMatchObject({ rule: 'RAW_SECRET' });
  const all = await workspace.lint({ listRules: true });
  expect('rules' in all ? all.rules : []).toHaveLength(15);
});

test('a member that an operation does not have, or has not so, is refused with its name', async () => {
  const { workspace } = newPlace();
  const given = { plan: '0398', purged: true };
  await expect(workspace.delete(given)).rejects.toMatchObject({
    code: 'INVALID_INPUT',
    message: 'there is no "purged"',
  });
  // @ts-expect-error which is what a caller in JavaScript might give
  await expect(workspace.doctor({ keep: 'both' })).rejects.toMatchObject({
    code: 'INVALID_INPUT',
    message: 'keep must be file or log, not "both"',
  });
});
