import { expect, onTestFinished, test } from 'vitest';

import { pausePlan } from '../../src/operations/planning/pause-plan.js';
import { planWorker } from '../../src/features/teams/operations/plan-worker.js';
import { workerDiagnoses } from '../../src/features/teams/operations/diagnose-workers.js';
import { TEAM } from '../../src/features/teams/parts.js';
import { resumePlan } from '../../src/operations/planning/resume-plan.js';
import { FEATURES } from '../../src/features.js';
import { createContext } from '../../src/operations/shared/context.js';
import type { Context } from '../../src/operations/shared/context.js';
import type { InputOf } from '../../src/operations/registry.js';
import { openWorkspace } from '../../src/workspace.js';
import { startModelServer, uniformTree } from '../support/model-server.js';
import type { ModelServer, ModelServerOptions } from '../support/model-server.js';
import { inServer, newDatabase } from '../support/postgres.js';
import { leaveToWorkers, machineOf, shapeOf, workUntilDone } from '../support/teams.js';

interface Team {
  readonly url: string;
  readonly server: ModelServer;
  readonly machine: () => Context;
}

async function teamWith(options: ModelServerOptions): Promise<Team> {
  const server = await startModelServer(options);
  onTestFinished(() => server.close());
  const url = await newDatabase();
  return { url, server, machine: () => machineOf(url, { OPENAI_BASE_URL: server.baseUrl }) };
}

/** The tree that one process plans in files. */
async function plannedAlone(environment: Context['environment'], input: InputOf<'init'>): Promise<unknown> {
  const { plan } = await openWorkspace({ environment }).init(input).result;
  return shapeOf((await createContext({ features: FEATURES, environment }).store().open(plan.id)).plan);
}

const quiet = { emit: () => undefined };
const settings = { model: 'm', max_children: 3 };

test('workers plan the tree that one process plans, and ask about no goal twice', async () => {
  const tree = uniformTree(3, 3);
  const { server, machine } = await teamWith({ tree, delay: 5 });
  const { log } = await leaveToWorkers(machine(), { goal: tree.description, settings });
  expect(log.plan.header).toMatchObject({ status: 'in_progress', run: { workers: true } });
  expect(await workUntilDone([machine(), machine(), machine()])).toBe(13);
  const plan = await log.refresh();
  expect({ ...plan.counts }).toMatchObject({ total: 40, pending: 0 });
  expect(plan.header).toMatchObject({ status: 'complete', usage: { calls: 13 } });
  expect(plan.header.run).toBeUndefined();
  expect(server.count).toBe(13);
});

test('near the limit of goals the tree is the one that a single process cuts', async () => {
  const tree = uniformTree(4, 3);
  const { machine } = await teamWith({ tree, delay: (request) => (request.number % 4) * 10 });
  const input = { goal: tree.description, settings: { ...settings, max_goals: 47 } };
  const expected = await plannedAlone(machine().environment, input);
  const { log } = await leaveToWorkers(machine(), input);
  await workUntilDone([machine(), machine(), machine()], { concurrency: 3 });
  const plan = await log.refresh();
  expect(plan.counts.total).toBeLessThanOrEqual(47);
  expect(shapeOf(plan)).toEqual(expected);
});

test('a budget is never exceeded over all workers, and what is left is planned once it is raised', async () => {
  const tree = uniformTree(3, 3);
  const { server, machine } = await teamWith({ tree, delay: 5 });
  const { log, planId } = await leaveToWorkers(machine(), {
    goal: tree.description,
    settings: { ...settings, budget: { calls: 7 } },
  });
  await workUntilDone([machine(), machine(), machine()]);
  expect(server.count).toBe(7);
  expect((await log.refresh()).header).toMatchObject({ status: 'paused', paused_because: 'budget' });
  expect(log.plan.header.run).toBeUndefined();
  const resumed = resumePlan.input.parse({
    plan: planId,
    workers: true,
    settings: { budget: { calls: 13 } },
  });
  await resumePlan.run({ ...machine(), ...quiet }, resumed);
  await workUntilDone([machine(), machine()]);
  expect(server.count).toBe(13);
  expect({ ...(await log.refresh()).counts }).toMatchObject({ total: 40, pending: 0 });
});

test('tokens are reserved before they are used, and what is reported counts', async () => {
  const tree = uniformTree(3, 3);
  const { server, machine } = await teamWith({
    tree,
    usage: () => ({ prompt_tokens: 1000, completion_tokens: 500 }),
  });
  const { log } = await leaveToWorkers(machine(), {
    goal: tree.description,
    settings: { ...settings, budget: { tokens: 12_000 } },
  });
  await workUntilDone([machine(), machine(), machine()]);
  expect(server.reportedTokens).toBeLessThanOrEqual(12_000);
  expect((await log.refresh()).header).toMatchObject({ paused_because: 'budget' });
});

test('anybody pauses a plan of workers, nobody plans beside them, and one process may go on after', async () => {
  const tree = uniformTree(3, 3);
  const { server, machine } = await teamWith({ tree, delay: 30 });
  const { log, planId } = await leaveToWorkers(machine(), { goal: tree.description, settings });
  const resume = () => resumePlan.run({ ...machine(), ...quiet }, resumePlan.input.parse({ plan: planId }));
  await expect(resume()).rejects.toMatchObject({ code: 'PLANNER_BUSY', details: { workers: true } });
  const over = new AbortController();
  const worker = planWorker.run({ ...machine(), ...quiet, signal: over.signal }, { concurrency: 1 });
  while (server.count < 3) await new Promise((resolve) => setTimeout(resolve, 10));
  await pausePlan.run({ ...machine(), ...quiet }, { plan: planId });
  // The run ends when nobody asks any more.
  while ((await log.refresh()).header.run !== undefined)
    await new Promise((resolve) => setTimeout(resolve, 20));
  expect(log.plan.header).toMatchObject({ status: 'paused', paused_because: 'user' });
  expect(log.plan.header.usage?.calls).toBe(server.count);
  await resume();
  over.abort();
  await worker;
  expect({ ...(await log.refresh()).counts }).toMatchObject({ total: 40, pending: 0 });
  expect(server.count).toBe(13);
});

test('a run that is resumed before any worker has ended it counts from when it was left to them to the pause', async () => {
  const { machine } = await teamWith({ tree: uniformTree(1, 1) });
  const { log, planId } = await leaveToWorkers(machine(), { goal: 'g', settings });
  const { id, started_at } = log.plan.header.run ?? { id: '', started_at: '' };
  // No worker is there.
  await pausePlan.run({ ...machine(), ...quiet }, { plan: planId });
  const resumed = resumePlan.input.parse({ plan: planId, workers: true });
  await resumePlan.run({ ...machine(), ...quiet }, resumed);
  const plan = await log.refresh();
  const paused = (await log.events()).findLast(({ type }) => type === 'plan_paused');
  const ran = (Date.parse(paused?.at ?? '') - Date.parse(started_at)) / 1000;
  expect(ran).toBeGreaterThan(0);
  expect(plan.header.usage?.seconds).toBeCloseTo(ran, 3);
  expect(plan.header.run).toMatchObject({ workers: true });
  expect(plan.header.run?.id).not.toBe(id);
});

test('a goal that lost its job gets another, and a job of a goal that is planned already does nothing', async () => {
  const tree = uniformTree(2, 3);
  const { url, server, machine } = await teamWith({ tree });
  const { log, planId } = await leaveToWorkers(machine(), { goal: tree.description, settings });
  await inServer(url, 'delete from graphile_worker._private_jobs');
  expect(await workerDiagnoses(machine())).toMatchObject([{ code: 'GOALS_WITHOUT_JOB' }]);
  await (await workerDiagnoses(machine()))[0]?.mend?.();
  expect(await workerDiagnoses(machine())).toEqual([]);
  await inServer(url, 'delete from graphile_worker._private_jobs');
  await workUntilDone([machine()]);
  expect((await log.refresh()).header.status).toBe('complete');
  const team = await machine().partIfAny(TEAM);
  await team?.offer([{ plan: planId, goal: log.plan.header.root_goal_id, turn: 0 }]);
  await workUntilDone([machine()]);
  expect(server.count).toBe(4);
});

test('a server that refuses everything pauses the plan, one that refuses a goal marks that for review', async () => {
  const tree = uniformTree(2, 3);
  const refused =
    (status: number, all: boolean): NonNullable<ModelServerOptions['faults']> =>
    (request) =>
      all || request.goal.endsWith('part 2') ? { kind: 'status', status } : undefined;
  const all = await teamWith({ tree, faults: refused(400, true) });
  const one = await teamWith({ tree, faults: refused(400, false) });
  const paused = await leaveToWorkers(all.machine(), { goal: tree.description, settings });
  await workUntilDone([all.machine(), all.machine()]);
  expect((await paused.log.refresh()).header).toMatchObject({ status: 'paused', paused_because: 'model' });
  const marked = await leaveToWorkers(one.machine(), { goal: tree.description, settings });
  await workUntilDone([one.machine()]);
  expect({ ...(await marked.log.refresh()).counts }).toMatchObject({ pending: 0, failed: 1, total: 10 });
});

test('the rules plan by workers as well, and clocks that are hours off change nothing', async () => {
  const { machine } = await teamWith({});
  const late = machine();
  const environment = { ...late.environment, now: () => Date.now() + 3_600_000 };
  const goal = 'Build a REST API with authentication';
  const { log } = await leaveToWorkers(machine(), { goal, expander: 'rules' });
  await workUntilDone([{ ...late, environment }, machine()]);
  const expected = await plannedAlone(late.environment, { goal, expander: 'rules' });
  expect(shapeOf(await log.refresh())).toEqual(expected);
});

test('a worker that cannot ask a plan’s model says why, and leaves it to others', async () => {
  const tree = uniformTree(1, 3);
  const { url, machine } = await teamWith({ tree });
  const { log } = await leaveToWorkers(machine(), { goal: tree.description, settings });
  const notices: string[] = [];
  await workUntilDone([machineOf(url), machine()], { notices });
  expect((await log.refresh()).header.status).toBe('complete');
  expect(notices.filter((notice) => notice.includes('cannot plan')).length).toBeLessThanOrEqual(1);
});

test('workers go on when the database has columns, events and jobs of a later version, and stop when it takes the plan over', async () => {
  const tree = uniformTree(3, 3);
  const { url, server, machine } = await teamWith({ tree, delay: 20 });
  const { log, planId } = await leaveToWorkers(machine(), { goal: tree.description, settings });
  await inServer(url, `alter table frctl_planning add column novelty text not null default 'x'`);
  await inServer(url, `alter table frctl_held add column novelty int`);
  await inServer(
    url,
    `select graphile_worker.add_job('frctl_novelty', '{}'::json),
      graphile_worker.add_job('frctl_goal public', json_build_object('plan', '${planId}', 'goal', '${planId}-zzzzzz', 'turn', 0, 'novelty', 1))`,
  );
  const working = workUntilDone([machine(), machine()]);
  while (server.count < 3) await new Promise((resolve) => setTimeout(resolve, 10));
  // As an older version does that takes the run for that of a process which is gone.
  await log.append([
    {
      type: 'planning_started',
      run: { id: 'other', host: 'h', pid: 1, started_at: new Date().toISOString() },
      replaces: (await log.refresh()).header.run?.id ?? null,
    },
  ]);
  await working;
  expect((await log.refresh()).header.run?.id).toBe('other');
  expect(log.plan.header.usage?.calls).toBe(server.count);
  expect(log.plan.counts.pending).toBeGreaterThan(0);
});
