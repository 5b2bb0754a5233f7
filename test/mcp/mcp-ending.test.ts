import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';

import { expect, onTestFinished, test } from 'vitest';

import { planStart } from '../../src/features/mcp/tools/plan-start.js';
import { openWorkspace } from '../../src/workspace.js';
import { newUser } from '../support/command.js';
import type { User } from '../support/command.js';
import { startMcp } from '../support/mcp-client.js';
import { startModelServer, uniformTree } from '../support/model-server.js';
import { toolWorld } from '../support/tool-world.js';

const environmentOf = ({ folder, home }: User) => ({
  workingFolder: folder,
  homeFolder: home,
  variables: { XDG_CONFIG_HOME: join(home, '.config') },
});

async function hostOf(user: User) {
  const host = await startMcp(user, '2026');
  onTestFinished(() => host.close());
  return host;
}

/** Whether there is such a process. */
function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** A user whose model answers about the first goal alone, until it is let. */
async function newModel() {
  const tree = uniformTree(3, 3);
  let isLet = false;
  const faults = ({ number }: { readonly number: number }) =>
    number > 1 && !isLet ? ({ kind: 'stall' } as const) : undefined;
  const server = await startModelServer({ tree, faults });
  onTestFinished(() => server.close());
  const user = newUser();
  for (const [name, value] of [
    ['base_url', server.baseUrl],
    ['model', 'm'],
  ] as const)
    expect((await user.run(['config', 'set', name, value, '--user'])).status).toBe(0);
  const host = await hostOf(user);
  const input = { goal: tree.description, planner: 'model' as const };
  const { document } = await host.call('plan_start', input);
  await expect.poll(() => server.count, { timeout: 20_000 }).toBeGreaterThan(1);
  return { user, host, input, plan: document.plan, server, let: () => void (isLet = true) };
}

test.each(['closed', 'killed'] as const)(
  'planning of a server that was %s is gone on with by the same call',
  async (how) => {
    const { user, host, input, plan, let: letAnswer } = await newModel();
    if (how === 'killed') process.kill(host.pid, 'SIGKILL');
    else await host.close();
    await expect.poll(() => isRunning(host.pid), { timeout: 10_000 }).toBe(false);
    const { plans } = await openWorkspace({ environment: environmentOf(user) }).list();
    expect(plans.map(({ id, status }) => [id, status])).toEqual([
      [plan, how === 'killed' ? 'in_progress' : 'paused'],
    ]);
    letAnswer();
    const next = await hostOf(user);
    expect((await next.call('plan_start', input)).document).toMatchObject({ plan, left: 3 });
    const planning = async () => (await next.call('plan_status', { plan })).document.planning;
    await expect.poll(planning, { timeout: 20_000 }).toBeNull();
  },
);

test('planning that does not begin is refused, and what ends it later is told by plan_status', async () => {
  const user = newUser();
  const host = await hostOf(user);
  const { document } = await host.call('plan_start', { goal: 'Open a bakery' });
  const input = { goal: 'Open a bakery', planner: 'model' };
  const refused = await host.call('plan_start', input);
  expect(refused.isError).toBe(true);
  expect(refused.text).toContain('INVALID_CONFIG');
  const server = await startModelServer({ faults: () => ({ kind: 'status', status: 401 }) });
  onTestFinished(() => server.close());
  for (const [name, value] of [
    ['base_url', server.baseUrl],
    ['model', 'm'],
  ] as const)
    expect((await user.run(['config', 'set', name, value, '--user'])).status).toBe(0);
  expect((await host.call('plan_start', input)).isError).toBe(false);
  const status = async () => (await host.call('plan_status', { plan: document.plan })).document;
  await expect
    .poll(async () => (await status()).problems, { timeout: 20_000 })
    .toContainEqual(expect.stringMatching(/^planning has stopped: .*401/));
  expect(await status()).toMatchObject({ planning: { by: 'nobody', left: 1 } });
});

test('the same call asks the model nothing while another server plans', async () => {
  const { user, input, plan, server } = await newModel();
  const begun: Promise<unknown>[] = [];
  const world = toolWorld(environmentOf(user), (work) => void begun.push(work));
  await expect.poll(() => server.count, { timeout: 20_000 }).toBe(4);
  expect(await planStart.run(world, planStart.input.parse(input))).toMatchObject({
    document: { plan, status: 'in_progress', left: 3 },
  });
  await Promise.all(begun);
  // It was refused within the call, and nothing goes on.
  expect([begun.length, server.count]).toEqual([0, 4]);
});

test.each(['its input is closed', 'SIGTERM'] as const)(
  'when a server ends because %s, what a step runs ends, and the run says so',
  async (why) => {
    const user = newUser();
    mkdirSync(join(user.folder, '.plans'));
    writeFileSync(
      join(user.folder, 'slow.sh'),
      'echo $$ > begun.part\nmv begun.part begun\nexec sleep 300\n',
    );
    writeFileSync(
      join(user.folder, '.plans', 'tools.yaml'),
      'tools:\n  - name: slow\n    effects: none\n    run: { command: [sh, slow.sh] }\n',
    );
    const { tools, runs } = openWorkspace({ environment: environmentOf(user) });
    const { digest } = await tools.trust({});
    await tools.trust({ digest });
    const host = await hostOf(user);
    const prepared = await host.call('action_run', {
      op: 'prepare',
      steps: [{ id: 'a', tool: 'slow', args: {} }],
    });
    const run = String(prepared.document.run);
    expect((await host.call('action_run', { op: 'run', id: run, wait_s: 1 })).isError).toBe(false);
    const begun = join(user.folder, 'begun');
    await expect.poll(() => existsSync(begun), { timeout: 20_000 }).toBe(true);
    const step = Number(readFileSync(begun, 'utf8'));
    onTestFinished(() => void (isRunning(step) && process.kill(step, 'SIGKILL')));
    if (why === 'SIGTERM') process.kill(host.pid, 'SIGTERM');
    else await host.close();
    await expect.poll(() => isRunning(host.pid), { timeout: 10_000 }).toBe(false);
    expect(isRunning(step)).toBe(false);
    const shown = await runs.show({ run });
    expect([shown.status, shown.steps[0]?.error?.code]).toEqual(['interrupted', 'CANCELLED']);
  },
);
