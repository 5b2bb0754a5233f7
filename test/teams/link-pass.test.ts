import { expect, onTestFinished, test } from 'vitest';

import { resumePlan } from '../../src/operations/planning/resume-plan.js';
import { expansionOf, startModelServer, uniformTree } from '../support/model-server.js';
import type { SeenRequest, TreeNode } from '../support/model-server.js';
import { newDatabase } from '../support/postgres.js';
import { leaveToWorkers, machineOf, workUntilDone } from '../support/teams.js';

const settings = { model: 'm', max_children: 3 };
/** Requests that divide the tree. */
const DIVIDING = 4;
const isLink = ({ system }: SeenRequest) => system.startsWith('You set the order of work');

async function teamWith(faults?: (request: SeenRequest) => { kind: 'status'; status: number } | undefined) {
  const tree = uniformTree(2, 3);
  const nodes = new Map<string, TreeNode>();
  for (const node of [tree, ...(tree.children ?? [])]) nodes.set(node.description, node);
  const server = await startModelServer({
    respond: (request) =>
      isLink(request)
        ? { needs: { '3.1': ['1.3'] }, missing: [] }
        : expansionOf(nodes.get(request.goal) ?? { description: request.goal, atomic: true }),
    ...(faults === undefined ? {} : { faults }),
  });
  onTestFinished(() => server.close());
  const url = await newDatabase();
  const machine = () => machineOf(url, { OPENAI_BASE_URL: server.baseUrl, FRCTL_LINK: 'true' });
  const linkRequests = () => server.requests.filter(isLink).length;
  return { tree, server, machine, linkRequests };
}

test('one of several workers asks which leaves need each other, once, and the run ends with it', async () => {
  const { tree, server, machine, linkRequests } = await teamWith();
  const { log } = await leaveToWorkers(machine(), { goal: tree.description, settings });
  await workUntilDone([machine(), machine(), machine()]);
  const plan = await log.refresh();
  expect(plan.header).toMatchObject({ status: 'complete', usage: { calls: DIVIDING + 1 } });
  expect(plan.header.run).toBeUndefined();
  expect([server.count, linkRequests()]).toEqual([DIVIDING + 1, 1]);
  const types = (await log.events()).map(({ type }) => type);
  expect(types.slice(-2)).toEqual(['dependencies_linked', 'planning_ended']);
});

test('a plan of one goal ends without it, and so does one whose answer is of no use', async () => {
  const { machine, linkRequests } = await teamWith();
  const { log } = await leaveToWorkers(machine(), { goal: 'Write a line', settings });
  await workUntilDone([machine()]);
  expect((await log.refresh()).header).toMatchObject({ status: 'complete', usage: { calls: 1 } });
  expect(linkRequests()).toBe(0);
  const broken = await teamWith((request) => (isLink(request) ? { kind: 'status', status: 400 } : undefined));
  const other = await leaveToWorkers(broken.machine(), { goal: broken.tree.description, settings });
  await workUntilDone([broken.machine(), broken.machine()]);
  expect((await other.log.refresh()).header).toMatchObject({
    status: 'complete',
    warnings: [{ code: 'not_linked' }],
  });
});

test('a budget that does not hold it pauses the plan for all, and it is all that is asked afterwards', async () => {
  const { tree, server, machine, linkRequests } = await teamWith();
  const { log, planId } = await leaveToWorkers(machine(), {
    goal: tree.description,
    settings: { ...settings, budget: { calls: DIVIDING } },
  });
  await workUntilDone([machine(), machine()]);
  expect((await log.refresh()).header).toMatchObject({
    status: 'paused',
    paused_because: 'budget',
    link_left: true,
  });
  expect([server.count, linkRequests()]).toEqual([DIVIDING, 0]);
  const input = { plan: planId, workers: true, settings: { budget: { calls: DIVIDING + 1 } } };
  await resumePlan.run({ ...machine(), emit: () => undefined }, resumePlan.input.parse(input));
  await workUntilDone([machine(), machine()]);
  expect((await log.refresh()).header).toMatchObject({ status: 'complete', paused_because: null });
  expect([server.count, linkRequests()]).toEqual([DIVIDING + 1, 1]);
});
