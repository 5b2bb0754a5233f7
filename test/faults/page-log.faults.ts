import { existsSync } from 'node:fs';

import { expect, test } from 'vitest';
import { z } from 'zod';

import { newUser } from '../support/command.js';
import { writeLargePlan } from '../support/large-plan.js';
import { ask, readLines } from '../support/page-server.js';
import { servedApart } from '../support/serving.js';
import { scale } from './support/scale.js';

const LINES = scale(1_000_000, 10_000);
const BATCH = 5000;

const pageSchema = z.looseObject({
  events: z.array(z.looseObject({ event: z.string(), message: z.string() })),
  before: z.number().nullable(),
  checked: z.boolean(),
});

test.skipIf(!existsSync('/proc/self/status'))(
  `a log of ${LINES} lines is opened and paged, in little memory`,
  async () => {
    const user = newUser();
    const { log, plan } = await writeLargePlan(user.folder, 40, 'words');
    const goals = [...log.plan.goals.keys()].slice(1);
    for (let done = 0; done < LINES; done += BATCH)
      await log.append(
        Array.from({ length: BATCH }, (_, index) => ({
          type: 'goal_edited' as const,
          goal: goals[index % goals.length] ?? '',
          fields: { description: `Edit ${done + index}` },
        })),
      );
    await log.publish('now');

    const { port, token, megabytes, child } = await servedApart(user);
    const headers = { authorization: `Bearer ${token}` };
    expect((await ask(port, '/api/plans', { headers })).status).toBe(200);
    const before = megabytes();
    const lines = await readLines(port, `/api/plans/${plan}/stream`, token);
    const whole = await lines.next();
    expect(whole).toMatchObject({ type: 'whole', goals: { length: log.plan.goals.size } });
    expect(whole.log).toHaveLength(40);

    const seen = new Set<string>();
    let count = 0;
    const pageBefore = async (place: number | null) => {
      const path = `/api/plans/${plan}/log${place === null ? '' : `?before=${place}`}`;
      const page = pageSchema.parse((await ask(port, path, { headers })).json());
      for (const { event } of page.events) seen.add(event);
      count += page.events.length;
      return page;
    };
    let page = await pageBefore(null);
    expect(page.checked).toBe(false);
    for (let round = 0; round < 10; round += 1) page = await pageBefore(page.before);
    // One after the other: none is missing, and none is there twice.
    expect([seen.size, count]).toEqual([2200, 2200]);
    const middle = await pageBefore(Math.floor((page.before ?? 0) / 2));
    expect(middle.events).toHaveLength(200);
    const first = await pageBefore(2000);
    expect(first.before).toBeNull();

    await newUser(user.folder).start(['claim', '1.1', '--by', 'ana']).ended;
    expect(JSON.stringify((await lines.next()).log)).toContain('ana');
    expect(megabytes() - before).toBeLessThan(80);
    child.kill('SIGINT');
  },
);
