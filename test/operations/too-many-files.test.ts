import { expect, test } from 'vitest';

import { storageError } from '../../src/host/files/storage-error.js';
import { deletePlan } from '../../src/operations/maintenance/delete-plan.js';
import { parseInput } from '../../src/operations/parse-input.js';
import { listPlans } from '../../src/operations/reading/list-plans.js';
import { FEATURES } from '../../src/features.js';
import { createContext } from '../../src/operations/shared/context.js';
import { defaultEnvironment } from '../../src/operations/shared/default-environment.js';
import type { PlanStore } from '../../src/storage/plan-store.js';
import { creationOf } from '../support/store-contract.js';
import { temporaryFolder } from '../support/folders.js';
import { newFileStore } from '../support/stores.js';

/** A store of plans in files on a machine where only so many can be open at once. */
async function crampedStore(plans: number, mostOpen: number) {
  const real = await newFileStore();
  const ids = Array.from({ length: plans }, (_, index) => `0398a9${(index + 16).toString(16)}`);
  for (const id of ids) await real.create(creationOf(id), []);
  let open = 0;
  const store: PlanStore = {
    ...real,
    view: async () => null,
    async open(...named) {
      open += 1;
      try {
        if (open > mostOpen)
          throw storageError('read', real.location, Object.assign(new Error('EMFILE'), { code: 'EMFILE' }));
        return await real.open(...named);
      } finally {
        open -= 1;
      }
    },
  };
  const environment = {
    ...defaultEnvironment(),
    workingFolder: temporaryFolder(),
    homeFolder: temporaryFolder(),
    variables: {},
  };
  const context = createContext({ features: FEATURES, environment, store: () => store });
  return { real, ids, context: { ...context, emit: () => undefined } };
}

test('a plan that cannot be opened for now is not deleted for good', async () => {
  const { real, ids, context } = await crampedStore(1, 0);
  const input = parseInput(deletePlan.input, { plan: ids[0], purge: true });
  await expect(deletePlan.run(context, input)).rejects.toMatchObject({ code: 'STORAGE_FAILED' });
  expect(await real.ids()).toEqual(ids);
});

test('a listing opens a few plans at once, and hides none that cannot be opened for now', async () => {
  const input = parseInput(listPlans.input, { text: 'plan' });
  const enough = await crampedStore(30, 8);
  await expect(listPlans.run(enough.context, input)).resolves.toMatchObject({ plans: expect.any(Array) });
  const tooFew = await crampedStore(30, 4);
  await expect(listPlans.run(tooFew.context, input)).rejects.toMatchObject({ code: 'STORAGE_FAILED' });
});
