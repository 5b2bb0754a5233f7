import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { validatePlanFile } from '../../src/plan/invariants.js';
import { parseJsonText } from '../../src/plan/snapshot/parse-plan.js';
import { toPlanFile } from '../../src/plan/snapshot/plan-file.js';
import type { Maintenance } from '../../src/storage/maintenance.js';
import type { PlanStore } from '../../src/storage/plan-store.js';
import { temporaryFolder } from './folders.js';
import { creationOf, expansionOf } from './store-contract.js';

export type NewMaintenance = () => Promise<{
  readonly store: PlanStore;
  readonly maintenance: Maintenance;
}>;

/** What every store promises to whoever looks after it; each runs this suite. */
export function describeMaintenanceContract(name: string, newMaintenance: NewMaintenance): void {
  describe(`looking after a store, kept by ${name}`, () => {
    const planned = async () => {
      const made = await newMaintenance();
      const log = await made.store.create(creationOf('0398a958'), [
        expansionOf('0398a958-root', ['0398a958-a', '0398a958-b']),
      ]);
      await log.publish('now');
      return { ...made, log };
    };

    test('nothing is wrong with what was just stored', async () => {
      const { maintenance } = await planned();
      const found: string[] = [];
      for await (const { diagnoses } of maintenance.examine())
        found.push(...diagnoses.filter(({ severity }) => severity !== 'note').map(({ code }) => code));
      expect(found).toEqual([]);
    });

    test('a snapshot is a plan file that is valid and says what the log says', async () => {
      const { maintenance, log } = await planned();
      const parsed = parseJsonText((await maintenance.snapshot('0398a958')) ?? '');
      const { file, problems } = validatePlanFile('value' in parsed ? parsed.value : null);
      expect(problems).toEqual([]);
      const { goals } = toPlanFile(log.plan);
      expect(file).toMatchObject({ goals });
    });

    test('there is no snapshot of a plan that is not there', async () => {
      const { store, maintenance } = await planned();
      expect(await maintenance.snapshot('ffffffff')).toBeNull();
      await store.purge('0398a958');
      expect(await maintenance.snapshot('0398a958')).toBeNull();
    });

    test('a copy is kept once, or nowhere', async () => {
      const { maintenance } = await newMaintenance();
      const path = join(temporaryFolder(), 'old.json');
      writeFileSync(path, '{"a":1}');
      const kept = await maintenance.keepCopy(path, 'legacy');
      expect([null, 'old.json']).toContain(kept);
      expect(await maintenance.keepCopy(path, 'legacy')).toBe(kept);
    });
  });
}
