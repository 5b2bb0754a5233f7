import { expect, onTestFinished, test } from 'vitest';

import { goalOf } from '../../src/plan/plan.js';
import type { Plan } from '../../src/plan/plan.js';
import { cutProxyTo } from '../support/cut-proxy.js';
import { startModelServer } from '../support/model-server.js';
import type { ModelServer } from '../support/model-server.js';
import { newPostgresServer } from '../support/postgres/server.js';
import { newDatabase } from '../support/postgres.js';
import { leaveToWorkers, machineOf, workUntilDone } from '../support/teams.js';
import { scale } from './support/scale.js';
import { TEAM_GOALS, TEAM_QUESTIONS, TEAM_SETTINGS, TEAM_TREE } from './support/team-tree.js';

/** A restart takes long on a busy machine. */
const LONGEST_MS = scale(3_600_000, 180_000);

async function newServer(): Promise<ModelServer> {
  const server = await startModelServer({ tree: TEAM_TREE, delay: 60 });
  onTestFinished(() => server.close());
  return server;
}

async function reached(server: ModelServer, count: number): Promise<void> {
  while (server.count < count) await new Promise((resolve) => setTimeout(resolve, 5));
}

function firstAreDivided(plan: Plan): boolean {
  const first = goalOf(plan, plan.header.root_goal_id).child_ids;
  return first.length > 0 && first.every((id) => goalOf(plan, id).child_ids.length > 0);
}

test(
  'PostgreSQL is restarted in the middle: the tree is exact, and at most the calls in flight are paid twice',
  async () => {
    const postgres = await newPostgresServer();
    onTestFinished(() => postgres.remove());
    const server = await newServer();
    const machine = () => machineOf(postgres.url, { OPENAI_BASE_URL: server.baseUrl });
    const { log } = await leaveToWorkers(machine(), { goal: TEAM_TREE.description, settings: TEAM_SETTINGS });
    const working = workUntilDone([machine(), machine(), machine()]);
    const restarts = scale(3, 1);
    for (let restart = 1; restart <= restarts; restart += 1) {
      await reached(server, Math.floor((TEAM_QUESTIONS * restart) / (restarts + 1)));
      await postgres.stop();
      await postgres.start();
    }
    await working;
    expect({ ...(await log.refresh()).counts }).toMatchObject({ total: TEAM_GOALS, pending: 0, failed: 0 });
    expect(log.plan.header.run).toBeUndefined();
    expect(server.count).toBeLessThanOrEqual(TEAM_QUESTIONS + 6 * restarts);
    expect(log.plan.header.usage?.calls).toBe(server.count);
  },
  LONGEST_MS,
);

test(
  'a worker that is cut off loses its goals to another, and what it brings when it is back is refused and counted',
  async () => {
    const server = await newServer();
    const url = await newDatabase();
    const proxy = await cutProxyTo(url);
    onTestFinished(() => proxy.close());
    const here = machineOf(url, { OPENAI_BASE_URL: server.baseUrl });
    const far = machineOf(proxy.url, { OPENAI_BASE_URL: server.baseUrl });
    const { log } = await leaveToWorkers(here, { goal: TEAM_TREE.description, settings: TEAM_SETTINGS });
    const working = workUntilDone([far]);
    await reached(server, 4);
    proxy.cut();
    const helping = workUntilDone([here]);
    // The first goals are those that were asked about; after 20 seconds a reply would be given up.
    while (!firstAreDivided(await log.refresh())) await new Promise((resolve) => setTimeout(resolve, 50));
    proxy.mend();
    await Promise.all([working, helping]);
    expect({ ...(await log.refresh()).counts }).toMatchObject({ total: TEAM_GOALS, pending: 0, failed: 0 });
    expect(server.count).toBeLessThanOrEqual(TEAM_QUESTIONS + 2);
    expect(log.plan.header.usage?.calls).toBe(server.count);
  },
  LONGEST_MS,
);
