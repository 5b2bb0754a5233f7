import { readFileSync } from 'node:fs';

import { expect, onTestFinished, test } from 'vitest';

import { addGoal } from '../../src/operations/editing/add-goal.js';
import { planWorker } from '../../src/features/teams/operations/plan-worker.js';
import { workerDiagnoses } from '../../src/features/teams/operations/diagnose-workers.js';
import { TEAM } from '../../src/features/teams/parts.js';
import { startModelServer, uniformTree } from '../support/model-server.js';
import { inServer, newDatabase } from '../support/postgres.js';
import { leaveToWorkers, machineOf, workUntilDone } from '../support/teams.js';
import { databaseUser } from '../support/worker-processes.js';
import type { Context } from '../../src/operations/shared/context.js';

const tree = uniformTree(2, 3);
const settings = { model: 'm', max_children: 3 };
const quiet = { emit: () => undefined };

const newServer = async () => {
  const server = await startModelServer({ tree, delay: 5 });
  onTestFinished(() => server.close());
  return { OPENAI_BASE_URL: server.baseUrl };
};

const addTo = (machine: Context, plan: string) =>
  addGoal.run(
    { ...machine, ...quiet },
    addGoal.input.parse({ description: 'One more', composite: true, plan }),
  );

test('plans that came from a backup without the tables of the engine are changed, looked at and planned', async () => {
  const url = await newDatabase();
  const variables = await newServer();
  const machine = () => machineOf(url, variables);
  const { log, planId } = await leaveToWorkers(machine(), { goal: tree.description, settings });
  await inServer(url, 'drop schema graphile_worker cascade');
  await addTo(machine(), planId);
  const [missing] = await workerDiagnoses(machine());
  expect(missing).toMatchObject({
    code: 'GOALS_WITHOUT_JOB',
    message: expect.stringMatching(/^1 /) as string,
  });
  await missing?.mend?.();
  expect(await workerDiagnoses(machine())).toEqual([]);
  await inServer(url, 'drop schema graphile_worker cascade');
  await workUntilDone([machine()]);
  expect({ ...(await log.refresh()).counts }).toMatchObject({ pending: 0, failed: 0 });
});

test('counting jobs changes none of them, and finds those of a plan without reading the others', async () => {
  const url = await newDatabase();
  const machine = machineOf(url, await newServer());
  const { planId } = await leaveToWorkers(machine, { goal: tree.description, settings });
  await inServer(
    url,
    `select graphile_worker.add_job('frctl_goal public', job_key => current_schema() || ' 0000' || number, run_at => now() + interval '1 hour')
     from generate_series(1, 3000) number`,
  );
  await inServer(
    url,
    `update graphile_worker._private_jobs set run_at = now() + interval '1 hour', attempts = 3`,
  );
  await inServer(url, 'analyze graphile_worker._private_jobs');
  const team = await machine.partIfAny(TEAM);
  expect(await team?.jobsOf(planId)).toEqual({ inHand: 0, waiting: 1 });
  const later = `select count(*)::int as count from graphile_worker._private_jobs
    where attempts = 3 and run_at > now() + interval '1 minute'`;
  expect(await inServer(url, later)).toEqual([{ count: 3001 }]);
  const scans = `select idx_scan > 0 as used from pg_stat_user_indexes where indexrelname = 'frctl_job_key'`;
  while ((await inServer(url, scans))[0]?.used !== true)
    await new Promise((resolve) => setTimeout(resolve, 50));
  await team?.hasten(planId);
  expect(await inServer(url, later)).toEqual([{ count: 3000 }]);
});

let roles = 0;

/** A role of the server that may connect. @returns its name, and the URL with which it does */
async function newRole(url: string, options = ''): Promise<{ readonly name: string; readonly url: string }> {
  roles += 1;
  const name = `frctl_test_role_${process.pid}_${Date.now().toString(36)}_${roles}`;
  await inServer(url, `create role ${name} login password 'p' ${options}`);
  onTestFinished(async () => {
    await inServer(url, `drop owned by ${name} cascade`);
    await inServer(url, `drop role ${name}`);
  });
  const own = new URL(url);
  own.username = name;
  own.password = 'p';
  return { name, url: own.href };
}

test('users who act as one role work together, and one from whom jobs are hidden is told so', async () => {
  const url = await newDatabase();
  const database = new URL(url).pathname.slice(1);
  const owner = await newRole(url);
  const [ada, ben] = [
    await newRole(url, `in role ${owner.name}`),
    await newRole(url, `in role ${owner.name}`),
  ];
  await inServer(url, `alter database ${database} owner to ${owner.name}`);
  onTestFinished(async () => {
    await inServer(url, `alter database ${database} owner to current_user`);
  });
  for (const { name } of [ada, ben])
    await inServer(url, `alter role ${name} in database ${database} set role = ${owner.name}`);
  const variables = await newServer();
  const { log, planId } = await leaveToWorkers(machineOf(ada.url, variables), {
    goal: tree.description,
    settings,
  });

  const guest = await newRole(url);
  for (const schema of ['public', 'graphile_worker'])
    await inServer(
      url,
      `grant usage on schema ${schema} to ${guest.name}; grant all on all tables in schema ${schema} to ${guest.name};
       grant all on all sequences in schema ${schema} to ${guest.name}; grant execute on all functions in schema ${schema} to ${guest.name}`,
    );
  const asGuest = machineOf(guest.url, variables);
  await addTo(asGuest, planId);
  expect(await workerDiagnoses(asGuest)).toMatchObject([{ code: 'JOBS_HIDDEN' }]);
  await expect(planWorker.run({ ...asGuest, ...quiet }, {})).rejects.toMatchObject({
    code: 'INVALID_CONFIG',
    hint: expect.stringContaining('Several users of the database') as string,
  });

  await workUntilDone([machineOf(ben.url, variables)]);
  expect({ ...(await log.refresh()).counts }).toMatchObject({ pending: 0, failed: 0 });
  const tables = await inServer(
    url,
    `select distinct pg_get_userbyid(relowner) as owner from pg_class where relname like 'frctl%'`,
  );
  expect(tables).toEqual([{ owner: owner.name }]);
});

test('a user who is granted the tables of plans alone leaves nothing to workers, and is told why', async () => {
  const url = await newDatabase();
  const variables = await newServer();
  await leaveToWorkers(machineOf(url, variables), { goal: tree.description, settings });
  const guest = await newRole(url);
  await inServer(url, `grant all on all tables in schema public to ${guest.name}`);
  const refused = {
    code: 'INVALID_CONFIG',
    hint: expect.stringContaining('Several users of the database') as string,
  };
  const asGuest = machineOf(guest.url, variables);
  await expect(planWorker.run({ ...asGuest, ...quiet }, {})).rejects.toMatchObject(refused);
  await expect(leaveToWorkers(asGuest, { goal: tree.description, settings })).rejects.toMatchObject(refused);
  const user = databaseUser();
  const environment = { FRCTL_DATABASE_URL: guest.url };
  expect(await user.run(['init', 'Build a shop', '--workers'], environment)).toMatchObject({ status: 2 });
  const { out, status } = await user.run(['doctor'], environment);
  expect(status).toBe(0);
  expect(out).toContain('JOBS_HIDDEN');
  expect(out).not.toContain('The store is healthy');
});

test('what the superuser of a server has made is handed over as the docs say', async () => {
  const url = await newDatabase();
  const variables = await newServer();
  const { planId } = await leaveToWorkers(machineOf(url, variables), { goal: tree.description, settings });
  const database = new URL(url).pathname.slice(1);
  const owner = await newRole(url);
  const ada = await newRole(url, `in role ${owner.name}`);
  await inServer(url, `alter database ${database} owner to ${owner.name}`);
  onTestFinished(async () => {
    await inServer(url, `alter database ${database} owner to current_user`);
  });
  await inServer(url, `alter role ${ada.name} in database ${database} set role = ${owner.name}`);
  await expect(inServer(url, `reassign owned by current_user to ${owner.name}`)).rejects.toThrow(
    'required by',
  );
  const [handing = ''] = /do \$\$[\s\S]*?end \$\$;/.exec(readFileSync('docs/teams.md', 'utf8')) ?? [];
  await inServer(url, handing.replaceAll('owner to frctl', `owner to ${owner.name}`));
  const asAda = machineOf(ada.url, variables);
  expect(await workerDiagnoses(asAda)).toEqual([]);
  await workUntilDone([asAda]);
  expect((await asAda.store().open(planId)).plan.header.status).toBe('complete');
});

test('a user who may not make the tables of workers is told so where there are none', async () => {
  const url = await newDatabase();
  const variables = await newServer();
  await leaveToWorkers(machineOf(url, variables), { goal: tree.description, settings });
  // As plans of people who have no workers are: only their own tables are there.
  await inServer(url, 'drop schema graphile_worker cascade');
  const guest = await newRole(url);
  await inServer(url, `grant all on all tables in schema public to ${guest.name}`);
  const asGuest = machineOf(guest.url, variables);
  await expect(planWorker.run({ ...asGuest, ...quiet }, {})).rejects.toMatchObject({
    code: 'INVALID_CONFIG',
    hint: expect.stringContaining('Several users of the database') as string,
  });
});
