import { expect, test } from 'vitest';

import { PlanError } from '../../src/kernel/errors.js';
import { announcedPlans } from '../../src/features/teams/operations/announced-plans.js';
import type { PlanLog } from '../../src/storage/plan-store.js';

/** Plans that workers have begun and plan no more, with what reading each comes to. */
function announcing(reads: Readonly<Record<string, () => PlanLog | null>>) {
  const said: string[] = [];
  const plans = announcedPlans({
    team: { plans: async () => [] },
    read: async (planId) => reads[planId]?.() ?? null,
    say: (message) => said.push(message),
  });
  for (const planId of Object.keys(reads)) plans.begun(planId);
  said.length = 0;
  return { plans, said };
}

const failing = (code: 'STORE_DAMAGED' | 'STORAGE_FAILED', message: string) => () => {
  throw new PlanError(code, message);
};

test('a plan that cannot be read is told of once, and hides the end of no other', async () => {
  const { plans, said } = announcing({
    aaaaaaaa: failing('STORE_DAMAGED', 'line 3 is damaged'),
    bbbbbbbb: () => null,
  });
  await plans.look();
  await plans.look();
  expect(said).toEqual([
    'Workers no longer plan aaaaaaaa, and how it ended cannot be read: line 3 is damaged',
    'bbbbbbbb was deleted.',
  ]);
});

test('where the database does not answer, the end is told when it does', async () => {
  let read: () => PlanLog | null = failing('STORAGE_FAILED', 'no connection');
  const { plans, said } = announcing({ aaaaaaaa: () => read() });
  await expect(plans.look()).rejects.toMatchObject({ code: 'STORAGE_FAILED' });
  expect(said).toEqual([]);
  read = () => null;
  await plans.look();
  expect(said).toEqual(['aaaaaaaa was deleted.']);
});
