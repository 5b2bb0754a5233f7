import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { agree, carryOut, newPlace } from '../support/approving.js';
import type { Place } from '../support/approving.js';

const PLAN = {
  schema_version: '1.0',
  title: 'Look twice',
  goal: 'Look twice',
  steps: [{ id: 'l', tool: 'look', args: {}, verifications: [{ type: 'seen', args: {} }] }],
};

interface Sidecar {
  'x-frctl': { steps?: Record<string, { at: string }[]> };
}

/** The plan as Obsidian’s, whose `*.ext.json` has lost the verifications and says so. */
async function asObsidian(place: Place) {
  const { losses } = await place.workspace.convert('plan.json', {
    to: 'obsidian',
    lossy: true,
    output: 'o.json',
  });
  expect(losses.length).toBeGreaterThan(0);
  const path = join(place.folder, 'o.ext.json');
  const sidecar = JSON.parse(readFileSync(path, 'utf8')) as Sidecar;
  const steps = sidecar['x-frctl'].steps ?? {};
  sidecar['x-frctl'].steps = { l: (steps.l ?? []).filter(({ at }) => at !== '/verifications') };
  writeFileSync(path, JSON.stringify(sidecar));
  return path;
}

describe('an Obsidian plan that lost something', () => {
  test('says so when it is prepared, approved and run, and when it is converted back', async () => {
    const place = await newPlace(PLAN);
    await asObsidian(place);
    const prepared = await place.workspace.prepare('o.json', {});
    expect(prepared.requires_approval).toBe(true);
    expect(prepared.losses.join('\n')).toContain('l: verification');
    const code = prepared.approval?.code ?? '';
    expect((await place.workspace.approve({ code, dryRun: true })).losses).toEqual(prepared.losses);
    await agree(place.workspace, code);
    expect(await carryOut(place.workspace, prepared.run)).toMatchObject({ status: 'succeeded' });
    await place.workspace.convert('o.json', { to: 'frctl', output: 'back.json', lossy: true });
    expect((await place.workspace.prepare('back.json', {})).losses).toEqual(prepared.losses);
  });

  test('is another one when what is beside it was changed or taken away after it was prepared', async () => {
    const place = await newPlace(PLAN);
    const beside = await asObsidian(place);
    const { run, approval } = await place.workspace.prepare('o.json', {});
    await agree(place.workspace, approval?.code ?? '');
    writeFileSync(beside, '{}');
    await expect(carryOut(place.workspace, run)).rejects.toMatchObject({
      code: 'E_PLAN_HASH_MISMATCH',
      message: expect.stringContaining('o.ext.json'),
    });
    const report = await place.workspace.run(run, { snapshot: true }).result;
    expect(report).toMatchObject({ status: 'succeeded' });
  });
});
