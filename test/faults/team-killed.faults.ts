import { expect, onTestFinished, test } from 'vitest';

import { scale } from './support/scale.js';
import { startModelServer, uniformTree } from '../support/model-server.js';
import type { ModelServer } from '../support/model-server.js';
import { newDatabase } from '../support/postgres.js';
import { leaveToWorkers, machineOf, shapeOf, workUntilDone } from '../support/teams.js';
import { startWorker } from '../support/worker-processes.js';

const WORKERS = scale(4, 3);
/** How many are killed at a time. */
const AT_A_TIME = scale(2, 1);
/** Processes take long to start on a busy machine. */
const LONGEST_MS = scale(3_600_000, 180_000);

/** How often each goal was asked about. */
function askedOf({ requests }: ModelServer): readonly number[] {
  const asked = new Map<string, number>();
  for (const { goal } of requests) asked.set(goal, (asked.get(goal) ?? 0) + 1);
  return [...asked.values()];
}

test(
  `of ${WORKERS} workers ${AT_A_TIME} at a time are killed again and again: the tree is exact, and only calls in flight are paid twice`,
  async () => {
    const depth = scale(6, 3);
    const tree = uniformTree(depth, 3);
    const goals = (3 ** (depth + 1) - 1) / 2;
    const questions = (3 ** depth - 1) / 2;
    const server = await startModelServer({ tree, delay: 100 });
    onTestFinished(() => server.close());
    const url = await newDatabase();
    const environment = { FRCTL_DATABASE_URL: url, OPENAI_BASE_URL: server.baseUrl };
    const machine = machineOf(url, environment);
    const settings = { model: 'm', max_children: 3, max_goals: 10_000 };
    const { log } = await leaveToWorkers(machine, { goal: tree.description, settings });

    const workers = Array.from({ length: WORKERS }, () => startWorker(environment));
    let killed = 0;
    const every = scale(40, 5);
    for (let next = every; next < questions; next += every) {
      while (server.count < next) await new Promise((resolve) => setTimeout(resolve, 5));
      for (let number = 0; number < AT_A_TIME; number += 1) {
        const index = killed % WORKERS;
        workers[index]?.process.kill('SIGKILL');
        workers[index] = startWorker(environment);
        killed += 1;
      }
    }
    while ((await log.refresh()).header.run !== undefined)
      await new Promise((resolve) => setTimeout(resolve, 50));
    await Promise.all(workers.map(({ ended }) => ended));

    expect({ ...log.plan.counts }).toMatchObject({ total: goals, pending: 0, failed: 0 });
    expect(log.plan.header.usage?.calls).toBeGreaterThanOrEqual(questions);
    // Two calls were in flight in each process that was killed.
    expect(server.count).toBeLessThanOrEqual(questions + 2 * killed);
    expect(askedOf(server)).toHaveLength(questions);
    const other = machineOf(await newDatabase(), environment);
    const { log: expected } = await leaveToWorkers(other, { goal: tree.description, settings });
    await workUntilDone([other], { concurrency: 8 });
    expect(shapeOf(log.plan)).toEqual(shapeOf(await expected.refresh()));
  },
  LONGEST_MS,
);
