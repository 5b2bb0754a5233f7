import { outputFileSync } from 'fs-extra/esm';
import { describe, expect, test } from 'vitest';

import { openWorkspace } from '../../../src/workspace.js';
import { createPostgresMaintenance } from '../../../src/features/teams/postgres/postgres-maintenance.js';
import { inServer, newDatabase } from '../../support/postgres.js';
import { newPostgresStore } from '../../support/postgres-stores.js';
import { newStamp } from '../../support/stores.js';
import { creationOf, expansionOf } from '../../support/store-contract.js';
import { temporaryFolder } from '../../support/folders.js';
import { join } from 'node:path';

const PLAN = '0398a958';
const GOAL = `${PLAN}-a`;

const TEXTS: Readonly<Record<string, string>> = {
  'a zero': 'before \u0000 after',
  'half a character': 'lone \uD800 half \uDC00',
  'a name that objects have': '__proto__ constructor',
  quotes: `'); drop table frctl_plan; -- " \\ $1 $$`,
  'escapes in the text itself': String.raw`\u0000 \ud800 \x00 E'\\000'`,
  'lines and directions': 'a\u2028b\u2029c\u0085d\u202Ee\r\nf\u{E0041}',
  'an ending': '}\n{"id":"x","crc":"00000000"}',
  megabytes: 'ä🌱'.repeat(200_000),
};

describe('texts that hurt', () => {
  test.each(Object.entries(TEXTS))('%s is there as it was written', async (_, text) => {
    const url = await newDatabase();
    const store = await newPostgresStore(url);
    const log = await store.create(creationOf(PLAN, text), [expansionOf(`${PLAN}-root`, [GOAL])]);
    const [edited] = await log.append([
      { type: 'goal_edited', goal: GOAL, fields: { description: text } },
      { type: 'goal_completed', goal: GOAL, result: { summary: text } },
    ]);
    expect(edited?.refused).toBeNull();
    await log.publish('now');
    const again = await newPostgresStore(url);
    for (const plan of [
      await again.view(PLAN),
      (await again.open(PLAN)).plan,
      (await again.open(PLAN, 'log')).plan,
    ])
      expect(plan?.goals.get(GOAL)?.description === text).toBe(true);
    expect((await again.list()).plans[0]?.description === text).toBe(true);
    expect((await again.eventsOf(PLAN, 'goal_completed', GOAL)).length).toBe(1);
    expect((await again.recentEvents(PLAN, { count: 2 })).events).toHaveLength(2);
    const found = [];
    for await (const { diagnoses } of createPostgresMaintenance(url, again, newStamp()).examine())
      found.push(...diagnoses);
    expect(found).toEqual([]);
    expect(await inServer(url, 'select count(*)::int from frctl_plan')).toEqual([{ count: 1 }]);
  });
});

test('claims hold by the clock of the database, whatever the machines say', async () => {
  const url = await newDatabase();
  const workingFolder = temporaryFolder();
  outputFileSync(join(workingFolder, '.plans/config.json'), '{"store":"postgres"}');
  const machine = (by: string, ahead: number) =>
    openWorkspace({
      environment: {
        workingFolder,
        homeFolder: workingFolder,
        variables: { FRCTL_DATABASE_URL: url, FRCTL_BY: by },
        now: () => Date.now() + ahead,
      },
    });
  const HOUR = 3_600_000;
  const [early, late] = [machine('early', -HOUR), machine('late', HOUR)];
  await early.init({ goal: 'Build a REST API with authentication' }).result;
  const { claimed } = await late.claim('1', { for: '10m' });
  const [{ now }] = (await inServer(url, 'select extract(epoch from now())::float8 * 1000 as now')) as [
    { now: number },
  ];
  const left = Date.parse(claimed.expires_at) - now;
  expect(Math.abs(left - 600_000)).toBeLessThan(60_000);
  // To the one the claim would have begun in two hours, to the other it would have ended.
  await expect(early.claim('1', {})).rejects.toMatchObject({ code: 'REFUSED' });
  await early.renew('1', { token: claimed.token, for: '20m' });
  await expect(machine('third', 2 * HOUR).claim('1', {})).rejects.toMatchObject({ code: 'REFUSED' });
});
