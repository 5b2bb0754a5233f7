import { setTimeout as wait } from 'node:timers/promises';

import { describe, expect, onTestFinished, test } from 'vitest';

import { newUser } from '../support/command.js';
import type { User } from '../support/command.js';
import { startModelServer, uniformTree } from '../support/model-server.js';
import { newDatabase } from '../support/postgres.js';
import { databaseUser } from '../support/worker-processes.js';

const BUDGET = 16;
const TREE = uniformTree(4, 3);
const WORDS = ['--model', 'm', '--max-children', '3', '--concurrency', '4', '--budget-calls', String(BUDGET)];

/** A server that answers the first request, and the others once it is told to. */
async function heldServer() {
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const server = await startModelServer({
    tree: TREE,
    until: async ({ number }) => (number === 1 ? undefined : held),
  });
  onTestFinished(() => server.close());
  return { server, release };
}

/** What a plan says of its calls. */
async function told(user: User, environment: Readonly<Record<string, string>>) {
  const { plan } = (await user.run(['status', '--json'], environment)).json() as {
    plan: { usage: { calls: number; estimated_calls?: number }; paused_because: string | null };
  };
  return { calls: plan.usage.calls, estimated: plan.usage.estimated_calls ?? 0, paused: plan.paused_because };
}

test('a budget of time counts what a process that was killed has not told of', async () => {
  const user = newUser();
  const { server } = await heldServer();
  const environment = { OPENAI_BASE_URL: server.baseUrl };
  const words = ['--model', 'm', '--concurrency', '1', '--budget-seconds', '3'];
  const running = user.start(['init', TREE.description, ...words], environment);
  while (server.count < 2) await wait(20);
  await wait(3500);
  running.process.kill('SIGKILL');
  await running.ended;
  const resumed = await user.run(['resume'], environment);
  expect(resumed).toMatchObject({ status: 6, error: expect.stringContaining('--budget-seconds') });
  expect(server.count).toBe(2);
  // Time that passed since then is no time of planning.
  expect((await user.run(['resume'], environment)).status).toBe(6);
  const { plan } = (await user.run(['status', '--json'], environment)).json() as {
    plan: { usage: { seconds: number } };
  };
  expect(plan.usage.seconds).toBeLessThan(60);
});

describe.each([
  ['files', async () => ({ user: newUser(), url: null })],
  ['a database', async () => ({ user: databaseUser(), url: await newDatabase() })],
])('a budget of a plan in %s', (_, made) => {
  test('is hard however often the process that plans is killed, and what is told agrees with the server', async () => {
    const { user, url } = await made();
    const { server, release } = await heldServer();
    const environment = {
      OPENAI_BASE_URL: server.baseUrl,
      ...(url === null ? {} : { FRCTL_DATABASE_URL: url }),
    };
    for (const [words, count] of [
      [['init', TREE.description, ...WORDS], 4],
      [['resume'], 7],
      [['resume'], 10],
    ] as const) {
      const running = user.start([...words], environment);
      while (server.count < count) await wait(20);
      running.process.kill('SIGKILL');
      await running.ended;
      expect(await told(user, environment)).toEqual({ calls: count, estimated: count - 1, paused: null });
    }
    release();
    const last = await user.run(['resume'], environment);
    expect(last.error).toContain('--budget-calls');
    expect(server.count).toBe(BUDGET);
    expect(await told(user, environment)).toEqual({ calls: BUDGET, estimated: 9, paused: 'budget' });
    const status = (await user.run(['status'], environment)).out;
    expect(status).toContain('9 without a reply');
    expect((await user.run(['log'], environment)).out).toContain('of a process that has ended');
    // Nothing is left: not one more is asked.
    await user.run(['resume'], environment);
    expect(server.count).toBe(BUDGET);
    const paid = await user.run(['resume', '--budget-calls', '100'], environment);
    expect(paid).toMatchObject({ status: 0 });
    expect((await told(user, environment)).calls).toBe(server.count);
  });
});

test('a budget of workers is hard however often one is killed, and for a single process after them', async () => {
  const user = databaseUser();
  const { server, release } = await heldServer();
  const environment = { OPENAI_BASE_URL: server.baseUrl, FRCTL_DATABASE_URL: await newDatabase() };
  const run = (...words: readonly string[]) => user.run(words, environment);
  expect(await run('init', TREE.description, ...WORDS, '--workers')).toMatchObject({ status: 0 });
  for (const count of [4, 7, 10]) {
    const worker = user.start(['worker', '--concurrency', '4'], environment);
    while (server.count < count) await wait(20);
    worker.process.kill('SIGKILL');
    await worker.ended;
    expect(await told(user, environment)).toMatchObject({ calls: count, estimated: count - 1 });
  }
  release();
  const last = user.start(['worker', '--concurrency', '4', '--until-done'], environment);
  onTestFinished(() => void last.process.kill('SIGKILL'));
  expect(await last.ended).toMatchObject({ status: 0 });
  expect(server.count).toBe(BUDGET);
  expect(await told(user, environment)).toEqual({ calls: BUDGET, estimated: 9, paused: 'budget' });
  await run('resume');
  expect(server.count).toBe(BUDGET);
});
