import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { outputFileSync, readJsonSync, writeJsonSync } from 'fs-extra/esm';
import { expect, test } from 'vitest';
import * as z from 'zod';

import { errorOf, newUser } from '../support/command.js';
import type { User } from '../support/command.js';

const FIXTURE = resolve(import.meta.dirname, '../fixtures/legacy/plans');
const NO_PLANS = ['.a1b2c3d4.backup_20251130.json', 'deadbeef.json', 'index.json'];

function userWithLegacyPlans(): User & { readonly legacy: string; readonly kept: string } {
  const user = newUser();
  const legacy = join(user.folder, '.frctl', 'plans');
  cpSync(FIXTURE, legacy, { recursive: true });
  return { ...user, legacy, kept: join(user.folder, '.plans', 'backup', 'legacy') };
}

const planSchema = z.looseObject({ goals: z.record(z.string(), z.looseObject({})) });
const readPlan = (path: string) => planSchema.parse(readJsonSync(path));

test('every plan of the legacy tool is taken in without loss, and what is no plan is copied', async () => {
  const user = userWithLegacyPlans();
  const before = readdirSync(user.legacy).map((name) => readFileSync(join(user.legacy, name), 'utf8'));
  const ended = await user.run(['migrate', '--json']);
  expect(ended.status).toBe(1);
  expect(ended.json()).toMatchObject({
    plans: [
      { id: '0f9e8d7c', total_goals: 2 },
      { id: 'a1b2c3d4', total_goals: 3 },
    ],
    kept: NO_PLANS,
    skipped: [],
    problems: [{ file: join(user.legacy, 'deadbeef.json'), code: 'INVALID_PLAN' }],
  });
  for (const name of NO_PLANS) {
    expect(readFileSync(join(user.kept, name), 'utf8')).toBe(readFileSync(join(FIXTURE, name), 'utf8'));
  }
  expect(readdirSync(user.legacy).map((name) => readFileSync(join(user.legacy, name), 'utf8'))).toEqual(
    before,
  );
  expect(readFileSync(join(user.folder, '.plans', '.gitignore'), 'utf8')).toContain('backup/\n');
});

test.each(['a1b2c3d4', '0f9e8d7c'])(
  'plan %s keeps unknown fields, the text of digests, and times as they were written',
  async (id) => {
    const user = userWithLegacyPlans();
    await user.run(['migrate']);
    const {
      log: _position,
      crc: _checked,
      ...imported
    } = readPlan(join(user.folder, '.plans', `${id}.json`));
    const legacy = readPlan(join(FIXTURE, `${id}.json`));
    const goals = Object.entries(legacy.goals).map(([key, goal]) => [
      key,
      typeof goal.digest === 'string'
        ? { ...goal, digest: { summary: goal.digest, key_decisions: [], artifacts: [] } }
        : goal,
    ]);
    expect(imported).toEqual({ ...legacy, goals: Object.fromEntries(goals) as unknown });
    expect((await user.run(['validate', id])).out).toBe('valid\n');
  },
);

test('run again it passes over what is there, and makes no second copy', async () => {
  const user = userWithLegacyPlans();
  await user.run(['migrate']);
  rmSync(join(user.legacy, 'deadbeef.json'));
  const again = await user.run(['migrate', '--json']);
  expect(again.status).toBe(0);
  expect(again.json()).toMatchObject({ plans: [], skipped: ['0f9e8d7c', 'a1b2c3d4'], problems: [] });
  expect(readdirSync(user.kept)).toEqual(NO_PLANS);
});

test('a file of the same name from elsewhere overwrites no copy', async () => {
  const user = userWithLegacyPlans();
  await user.run(['migrate']);
  const other = join(user.folder, 'other');
  outputFileSync(join(other, 'index.json'), '{}');
  expect((await user.run(['migrate', 'other', '--json'])).json()).toMatchObject({ kept: ['index.json.2'] });
  expect(readFileSync(join(user.kept, 'index.json'), 'utf8')).toContain('a1b2c3d4');
});

test('one file that is no text, a folder named like a plan, or a plan under a false name stops nothing', async () => {
  const user = userWithLegacyPlans();
  writeFileSync(join(user.legacy, '00000000.json'), Buffer.from([0xff, 0xfe, 0x00]));
  mkdirSync(join(user.legacy, '11111111.json'));
  cpSync(join(user.legacy, 'a1b2c3d4.json'), join(user.legacy, '22222222.json'));
  const ended = await user.run(['migrate']);
  expect(ended.status).toBe(1);
  expect(ended.error.match(/^warning: /gm)).toHaveLength(3);
  expect(ended.out).toContain('Imported 2 plans');
  expect(readdirSync(user.kept)).toEqual(expect.arrayContaining(['00000000.json', '22222222.json']));
});

test('where there is nothing to migrate no store is made', async () => {
  const user = newUser();
  const ended = await user.run(['migrate', '--json']);
  expect([ended.status, errorOf(ended.json()).code]).toEqual([3, 'FILE_NOT_FOUND']);
  expect(readdirSync(user.folder)).toEqual([]);
});

const TIME = '2025-11-30T12:00:00Z';

/** A plan as the legacy planner leaves it: what was divided is complete, what was not is atomic or pending. */
function dividedPlan(id: string, updated_at = TIME) {
  const goal = (suffix: string, status: string, parent: string | null, children: readonly string[] = []) => ({
    id: `${id}-${suffix}`,
    description: `Goal ${suffix}`,
    status,
    parent_id: parent === null ? null : `${id}-${parent}`,
    child_ids: children.map((child) => `${id}-${child}`),
    depth: suffix.split('-').length - 1,
    created_at: TIME,
    updated_at: TIME,
    reasoning: null,
    digest: null,
    tokens_used: 10,
    dependencies: [] as string[],
    graph_node_id: null,
  });
  const goals = [
    goal('root', 'complete', null, ['root-1', 'root-2']),
    goal('root-1', 'complete', 'root', ['root-1-1', 'root-1-2']),
    goal('root-1-1', 'atomic', 'root-1'),
    goal('root-1-2', 'pending', 'root-1'),
    goal('root-2', 'atomic', 'root'),
  ];
  return {
    id,
    root_goal_id: `${id}-root`,
    goals: Object.fromEntries(goals.map((one) => [one.id, one])),
    created_at: TIME,
    updated_at,
    status: 'complete',
    total_tokens: 50,
    max_depth: 2,
  };
}

const statusesOf = (path: string) =>
  Object.fromEntries(Object.entries(readPlan(path).goals).map(([id, { status }]) => [id.slice(9), status]));
const DIVIDED = {
  root: 'decomposing',
  'root-1': 'decomposing',
  'root-1-1': 'atomic',
  'root-1-2': 'pending',
  'root-2': 'atomic',
};

function legacyUser(files: Readonly<Record<string, object | string>>): User & { readonly legacy: string } {
  const user = newUser();
  const legacy = join(user.folder, '.frctl', 'plans');
  mkdirSync(join(legacy, 'archive'), { recursive: true });
  for (const [name, content] of Object.entries(files))
    writeFileSync(
      join(legacy, name),
      typeof content === 'string' ? content : JSON.stringify(content, null, 2),
    );
  return { ...user, legacy };
}

test('goals that the legacy planner marked complete when it divided them are decomposing, and that is said', async () => {
  const user = legacyUser({ 'c0ffee01.json': dividedPlan('c0ffee01') });
  const ended = await user.run(['migrate', '--json']);
  expect(ended.status).toBe(0);
  expect(ended.json()).toMatchObject({
    plans: [
      { id: 'c0ffee01', complete_goals: 0, repaired: [expect.stringContaining('2 goals marked complete')] },
    ],
    problems: [],
  });
  expect(statusesOf(join(user.folder, '.plans', 'c0ffee01.json'))).toEqual(DIVIDED);
  expect((await user.run(['validate', 'c0ffee01'])).out).toBe('valid\n');
});

test('import says what it repaired, and validate takes the file of the legacy planner', async () => {
  const user = newUser();
  const plan = dividedPlan('c0ffee02');
  const [one, two] = [plan.goals['c0ffee02-root-1-1'], plan.goals['c0ffee02-root-1-2']];
  one?.dependencies.push('c0ffee02-root-1-2', 'step 1', 'c0ffee02-gone');
  two?.dependencies.push('c0ffee02-root-1-1');
  writeJsonSync(join(user.folder, 'plan.json'), plan);
  expect((await user.run(['validate', './plan.json'])).status).toBe(0);
  const ended = await user.run(['import', 'plan.json']);
  expect(ended.status).toBe(0);
  expect(ended.error.match(/^repaired: /gm)).toHaveLength(3);
  expect((await user.run(['validate', 'c0ffee02'])).out).toBe('valid\n');
});

test('what is wrong with a plan of this format is no slip of the legacy planner', async () => {
  const user = newUser();
  writeJsonSync(join(user.folder, 'own.json'), { ...dividedPlan('c0ffee03'), schema_version: '1.0' });
  const ended = await user.run(['import', 'own.json', '--json']);
  expect([ended.status, errorOf(ended.json()).code]).toEqual([2, 'INVALID_PLAN']);
});

test('its archive becomes archived plans, and plans under other names are taken under their ids', async () => {
  const user = legacyUser({
    'index.json': '{}',
    '.c0ffee04.backup_20251130_120000.json': dividedPlan('c0ffee04'),
    'c0ffee04.json': dividedPlan('c0ffee04'),
    'my-export.json': dividedPlan('c0ffee05'),
    'settings.json': { theme: 'dark' },
    'archive/c0ffee06_20251130_120000.json': { ...dividedPlan('c0ffee06'), description: 'older' },
    'archive/c0ffee06_20251201_120000.json': {
      ...dividedPlan('c0ffee06', '2025-12-01T12:00:00Z'),
      description: 'newer',
    },
    'archive/c0ffee04_20251129_120000.json': dividedPlan('c0ffee04'),
  });
  const ended = await user.run(['migrate', '--json']);
  expect(ended.status).toBe(0);
  expect(ended.json()).toMatchObject({
    plans: [{ id: 'c0ffee04' }, { id: 'c0ffee05' }, { id: 'c0ffee06', description: 'newer' }],
    kept: [
      '.c0ffee04.backup_20251130_120000.json',
      'c0ffee04_20251129_120000.json',
      'c0ffee06_20251130_120000.json',
      'index.json',
      'settings.json',
    ],
    problems: [],
  });
  expect(statusesOf(join(user.folder, '.plans', 'c0ffee06.json'))).toEqual(DIVIDED);
  const listed = z.object({ plans: z.array(z.object({ id: z.string() })) });
  const idsOf = async (...flags: readonly string[]) =>
    listed
      .parse((await user.run(['list', '--json', ...flags])).json())
      .plans.map(({ id }) => id)
      .toSorted();
  expect(await idsOf()).toEqual(['c0ffee04', 'c0ffee05']);
  expect(await idsOf('--archived')).toEqual(['c0ffee06']);
  const again = await user.run(['migrate', '--json']);
  expect(again.json()).toMatchObject({
    plans: [],
    skipped: ['c0ffee04', 'c0ffee05', 'c0ffee06'],
    problems: [],
  });
});

test('a copy that stands for the file of a plan that cannot be read is told as that', async () => {
  const user = userWithLegacyPlans();
  const text = readFileSync(join(user.legacy, 'a1b2c3d4.json'), 'utf8');
  const [named, copy] = ['a1b2c3d4.json', 'copy of a1b2c3d4.json'].map((name) => join(user.legacy, name));
  outputFileSync(copy ?? '', text);
  outputFileSync(join(user.legacy, 'archive', '0f9e8d7c.json'), '{');
  outputFileSync(named ?? '', text.slice(0, -10));
  const ended = await user.run(['migrate', '--json']);
  expect(ended.status).toBe(1);
  expect(ended.json()).toMatchObject({ plans: [{ id: '0f9e8d7c' }, { id: 'a1b2c3d4' }] });
  const told = JSON.stringify(ended.json());
  expect(told).toContain(`plan a1b2c3d4 is taken from ${copy}, since ${named} cannot be read`);
  // What comes after it anyway is no better.
  expect(told).not.toContain('plan 0f9e8d7c is taken');
});
