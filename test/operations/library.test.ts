import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { expect, test } from 'vitest';
import * as z from 'zod';

import { RULE_IDS } from '../../src/features/actions/lint/rule-ids.js';
import { openWorkspace } from '../../src/workspace.js';
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
    changed: true,
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
  expect('rules' in all ? all.rules : []).toHaveLength(RULE_IDS.length);
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

test('a member of a setting may have dots in its name, and taking away what is not there changes nothing', async () => {
  const { store, workspace } = newPlace();
  const stored = (): unknown => JSON.parse(readFileSync(join(store, 'config.json'), 'utf8'));
  const user = { user: true } as const;
  await workspace.config.set('prices.gpt-4.1', '{"input":2,"output":8}', user);
  await workspace.config.set('prices.gpt-4', '{"input":30,"output":60}', user);
  await workspace.config.unset('prices.gpt-4.1', user);
  const { settings } = await workspace.config.show();
  expect(settings.find(({ name }) => name === 'prices')?.value).toEqual({
    'gpt-4': { input: 30, output: 60 },
  });
  await workspace.config.set('max_depth', '3');
  await workspace.config.unset('budget.usd');
  await workspace.config.unset('max_depth.x');
  expect(stored()).toEqual({ max_depth: 3 });
});

test('what the user should know is told to the caller of a run as well', async () => {
  const { workspace } = newPlace();
  const notices: string[] = [];
  await workspace.init({ goal: 'Open a bakery', onNotice: (message) => notices.push(message) }).result;
  expect(notices).toEqual([expect.stringContaining('Planned by the built-in rules')]);
});

test('a plan file of the legacy tool that can be imported can be compared too', async () => {
  const { folder, workspace } = newPlace();
  const file = resolve('test/fixtures/legacy/plans/a1b2c3d4.json');
  const legacy = z.looseObject({ goals: z.record(z.string(), z.looseObject({})) });
  const plan = legacy.parse(JSON.parse(readFileSync(file, 'utf8')));
  const [first = ''] = Object.keys(plan.goals).toReversed();
  const goals = { ...plan.goals, [first]: { ...plan.goals[first], dependencies: ['a1b2c3d4-zzzzzz'] } };
  writeFileSync(join(folder, 'dangling.json'), JSON.stringify({ ...plan, goals }));
  expect((await workspace.validate('./dangling.json')).valid).toBe(true);
  const { added, removed } = await workspace.diff('./dangling.json', file);
  expect([added, removed]).toEqual([[], []]);
});
