import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

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
const readPlan = (path: string) => planSchema.parse(JSON.parse(readFileSync(path, 'utf8')));

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
  mkdirSync(other);
  writeFileSync(join(other, 'index.json'), '{}');
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
