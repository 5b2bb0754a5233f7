import { describe, expect, onTestFinished, test } from 'vitest';

import { startModelServer } from '../support/model-server.js';
import { newFarMachine, whyNoFarMachine } from '../support/network.js';
import type { Loss } from '../support/network.js';
import { newPostgresServer } from '../support/postgres/server.js';
import { inServer } from '../support/postgres.js';
import { leaveToWorkers, machineOf, workUntilDone } from '../support/teams.js';
import { databaseUser } from '../support/worker-processes.js';
import { scale } from './support/scale.js';
import { TEAM_GOALS, TEAM_QUESTIONS, TEAM_SETTINGS, TEAM_TREE } from './support/team-tree.js';

const LONGEST_MS = scale(3_600_000, 180_000);

/** What an administrator sets whose machines are to be missed sooner. */
const SOON = ['tcp_keepalives_idle = 1', 'tcp_keepalives_interval = 1', 'tcp_keepalives_count = 1']
  .concat('tcp_user_timeout = 2000')
  .map((setting) => `alter database postgres set ${setting};`)
  .join('\n');

/** A database and a model here, and a worker on a machine that reaches each by a cable of its own. */
async function farWorker() {
  const machine = newFarMachine();
  onTestFinished(() => machine.remove());
  const [toDatabase, toModel] = [machine.connect(), machine.connect()];
  const postgres = await newPostgresServer({ also: toDatabase.here });
  onTestFinished(() => postgres.remove());
  if (scale(false, true)) await inServer(postgres.url, SOON);
  const server = await startModelServer({ tree: TEAM_TREE, delay: 60, host: toModel.here });
  onTestFinished(() => server.close());
  const url = new URL(postgres.url);
  url.hostname = toDatabase.here;
  const here = machineOf(postgres.url, { OPENAI_BASE_URL: server.baseUrl });
  const start = () => {
    const { process, ended } = databaseUser(machine.within).start(['worker', '--concurrency', '2'], {
      FRCTL_DATABASE_URL: url.href,
      OPENAI_BASE_URL: server.baseUrl,
    });
    onTestFinished(() => void process.kill('SIGKILL'));
    return { process, ended };
  };
  return { here, server, cable: toDatabase, start };
}

/** How long is waited for what comes soon, so that what does not come is named. */
const PATIENCE = { timeout: 50_000, interval: 20 };

const WHY_NOT = whyNoFarMachine();

describe.skipIf(WHY_NOT !== null)(
  `a worker on a machine whose network is cut without a word${WHY_NOT === null ? '' : `: ${WHY_NOT}`}`,
  () => {
    test.each(scale<readonly Loss[]>(['everything', 'what is sent from here'], ['everything']))(
      'loses its goals to another when %s is lost; what it brings late is refused and counted, and it joins again',
      async (lost) => {
        const { here, server, cable, start } = await farWorker();
        const { log } = await leaveToWorkers(here, { goal: TEAM_TREE.description, settings: TEAM_SETTINGS });
        const { process, ended } = start();
        await expect.poll(() => server.count, PATIENCE).toBeGreaterThanOrEqual(4);
        cable.cut(lost);
        expect(await workUntilDone([here])).toBeGreaterThan(0);
        expect({ ...(await log.refresh()).counts }).toMatchObject({
          total: TEAM_GOALS,
          pending: 0,
          failed: 0,
        });
        expect(process.exitCode).toBeNull();
        cable.mend();
        // What was in flight when the cable was cut was asked twice at most.
        expect(server.count).toBeLessThanOrEqual(TEAM_QUESTIONS + 2);
        await expect.poll(async () => (await log.refresh()).header.usage?.calls, PATIENCE).toBe(server.count);
        const next = await leaveToWorkers(here, { goal: TEAM_TREE.description, settings: TEAM_SETTINGS });
        await expect.poll(async () => (await next.log.refresh()).header.run, PATIENCE).toBeUndefined();
        expect({ ...next.log.plan.counts }).toMatchObject({ total: TEAM_GOALS, pending: 0, failed: 0 });
        process.kill('SIGTERM');
        const { status, error } = await ended;
        expect(error).toContain(`Planning ${next.planId}`);
        expect(status).toBe(0);
      },
      LONGEST_MS,
    );
  },
);
