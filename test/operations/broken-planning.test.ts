import { existsSync, renameSync } from 'node:fs';
import { join } from 'node:path';

import { expect, onTestFinished, test } from 'vitest';

import { openWorkspace } from '../../src/workspace.js';
import type { Workspace } from '../../src/workspace.js';
import { temporaryFolder } from '../support/folders.js';
import { startModelServer, uniformTree } from '../support/model-server.js';

const GOAL = 'Build a blog with comments, tags and search';

/** A plan that is to be planned by rules, in a library that stays open. */
async function waitingPlan() {
  const workingFolder = temporaryFolder();
  const environment = { workingFolder, homeFolder: temporaryFolder(), variables: {} };
  const workspace = openWorkspace({ environment });
  const { plan } = await workspace.init({ goal: GOAL, expander: 'rules', decompose: false }).result;
  return { workspace, log: join(workingFolder, '.plans', `${plan.id}.events.jsonl`) };
}

/** Plans, and has the log be gone from the first goal on. */
async function planWithoutLog(workspace: Workspace, log: string): Promise<unknown> {
  const run = workspace.resume({});
  for await (const event of run)
    if (event.type === 'expansion_started' && existsSync(log)) renameSync(log, `${log}.away`);
  return run.result;
}

test('planning that broke off because nothing could be stored holds no plan, in the same process', async () => {
  const { workspace, log } = await waitingPlan();
  await expect(planWithoutLog(workspace, log)).rejects.toMatchObject({ code: 'STORAGE_FAILED' });
  renameSync(`${log}.away`, log);
  const resumed = await workspace.resume({}).result;
  expect(resumed).toMatchObject({ stopped: null, plan: { status: 'complete', pending_goals: 0 } });
});

test('such a plan can be archived, and another process of this machine is not kept out', async () => {
  const { workspace, log } = await waitingPlan();
  await planWithoutLog(workspace, log).catch(() => undefined);
  renameSync(`${log}.away`, log);
  await expect(workspace.archive({})).resolves.toMatchObject({ archived_at: expect.any(String) });
});

test('a plan that a process plans is planned by nobody else in it, and put away by nobody', async () => {
  const tree = uniformTree(2, 2);
  const server = await startModelServer({ tree, delay: 200 });
  onTestFinished(() => server.close());
  const environment = {
    workingFolder: temporaryFolder(),
    homeFolder: temporaryFolder(),
    variables: { OPENAI_API_KEY: 'k' },
  };
  const workspace = openWorkspace({ environment });
  const settings = { model: 'm', base_url: server.baseUrl };
  const run = workspace.init({ goal: tree.description, settings });
  for await (const event of run) {
    if (event.type !== 'expansion_started') continue;
    await expect(workspace.archive({})).rejects.toMatchObject({ code: 'PLANNER_BUSY' });
    await expect(openWorkspace({ environment }).resume({}).result).rejects.toMatchObject({
      code: 'PLANNER_BUSY',
    });
    break;
  }
  expect(await run.result).toMatchObject({ stopped: null, plan: { status: 'complete' } });
});
