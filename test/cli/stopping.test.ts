import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import process from 'node:process';

import { describe, expect, onTestFinished, test } from 'vitest';

import type { EventPayload } from '../../src/plan/events.js';
import { scale } from '../faults/support/scale.js';
import { errorOf, newUser } from '../support/command.js';
import type { Running } from '../support/command.js';
import { startModelServer, type Fault, type ModelServerOptions } from '../support/model-server.js';
import { readFixture } from '../support/plans.js';
import { complete, expand, id, newWorkplace } from '../support/worked-plan.js';

/** Servers that keep a command waiting, and how many requests they have had by then. */
const BUSY: Fault = { kind: 'status', status: 429, headers: { 'retry-after': '59' } };
const BROKEN: Fault = { kind: 'status', status: 503, headers: { 'retry-after': '59' } };
const LONG = readFixture('digests/postmortem-checkout.md');

async function serverFor(options: ModelServerOptions) {
  const server = await startModelServer(options);
  onTestFinished(() => server.close());
  return { server, environment: { OPENAI_BASE_URL: server.baseUrl } };
}

const finish = (goal: string, text: string): EventPayload => ({ ...complete(goal), result: { text } });

/** Two leaves, finished with more than a digest holds when `finished`, and two branches. */
async function workplace(finished = false) {
  const place = await newWorkplace();
  await place.change(
    expand('root', ['a', 'b'], ['x', 'y']),
    expand('x', ['x1', 'x2']),
    expand('y', ['y1', 'y2']),
  );
  const texts = {
    a: LONG,
    b: `${LONG}
Again.`,
  };
  if (finished)
    for (const [goal, summary] of Object.entries(texts)) await place.change(finish(goal, summary));
  writeFileSync(join(place.folder, 'tools.yaml'), 'tools:\n  - name: fs.read\n');
  return place;
}

const until = async (holds: () => boolean) => {
  for (let tries = 0; !holds() && tries < 2000; tries += 1)
    await new Promise((resolve) => setTimeout(resolve, 5));
};

async function interrupted(running: Running, when: () => boolean, signal: NodeJS.Signals = 'SIGINT') {
  await until(when);
  running.process.kill(signal);
  return running.ended;
}

const COMMANDS: readonly (readonly [string, readonly string[], boolean])[] = [
  ['draft', ['draft', 'a', '--tools', 'tools.yaml', '--expander', 'model'], false],
  ['digest', ['digest'], true],
  ['dependencies infer', ['dependencies', 'infer'], false],
  ['config test', ['config', 'test'], false],
];

/** What a server says, and the signal. Within `npm test` a command meets each of what is said once. */
const WAITS: readonly (readonly [string, NodeJS.Signals, Fault])[] = [
  ['that asks for a minute', 'SIGINT', BUSY],
  ['in trouble that asks for a minute', 'SIGTERM', BROKEN],
  ...scale<readonly (readonly [string, NodeJS.Signals, Fault])[]>(
    [
      ['in trouble that asks for a minute', 'SIGINT', BROKEN],
      ['that asks for a minute', 'SIGTERM', BUSY],
      ['that asks for a minute', 'SIGHUP', BUSY],
    ],
    [],
  ),
];

/** How a command ends that is stopped while it waits for a server. */
const stopped = async (args: readonly string[], finished: boolean, fault: Fault, by: NodeJS.Signals) => {
  const { server, environment } = await serverFor({ faults: () => fault });
  const place = await workplace(finished);
  const running = place.start([...args, '--json'], environment);
  const ended = await interrupted(running, () => server.count > 0, by);
  return { ...ended, code: errorOf(ended.json()).code };
};

describe.each(COMMANDS)('plan %s', (_name, args, finished) => {
  test.each(WAITS)('stops waiting for a server %s as soon as it gets %s', async (_what, signal, fault) => {
    const ended = await stopped(args, finished, fault, signal);
    expect(ended).toMatchObject({ status: 130, signal: null, code: 'INTERRUPTED' });
  });
});

test('a command that waits ends by SIGHUP as well', async () => {
  const ended = await stopped(['config', 'test'], false, BUSY, 'SIGHUP');
  expect(ended).toMatchObject({ status: 130, signal: null, code: 'INTERRUPTED' });
});

test('a third signal ends a process at once, also one that waits for a database that never answers', async () => {
  let isAsked = false;
  const database = createServer(() => (isAsked = true)).listen(0, '127.0.0.1');
  onTestFinished(() => void database.close());
  await once(database, 'listening');
  const address = database.address();
  const port = typeof address === 'object' ? address?.port : null;
  const user = newUser();
  mkdirSync(join(user.folder, '.plans'));
  writeFileSync(join(user.folder, '.plans/config.json'), '{"store": "postgres"}');
  const running = user.start(['digest', '--json'], {
    FRCTL_DATABASE_URL: `postgres://me@127.0.0.1:${port}/a`,
  });
  await until(() => isAsked);
  // One kind alone could arrive as one.
  for (const signal of ['SIGINT', 'SIGHUP', 'SIGTERM'] as const) running.process.kill(signal);
  expect(await running.ended).toMatchObject({ status: 130, signal: null, out: '' });
});

test.skipIf(!existsSync('/proc/self/fd')).each(['SIGTERM', 'SIGINT'] as const)(
  'one request to end (%s) ends a process that reads a pipe which nobody writes to',
  async (signal) => {
    const user = newUser();
    const pipe = join(user.folder, 'pipe');
    execFileSync('mkfifo', [pipe]);
    await user.run(['init', 'Build a raft', '--no-decompose']);
    for (const argv of [
      ['init', '--from', 'pipe', '--dry-run'],
      ['init', 'Build a boat', '--context', 'pipe', '--expander', 'rules'],
      ['complete', 'root', '--from', 'pipe'],
      ['lint', 'pipe'],
      ['import', 'pipe'],
    ]) {
      const running = user.start(argv);
      const files = `/proc/${running.process.pid ?? 0}/fd`;
      const isOpen = (file: string) => {
        try {
          return readlinkSync(join(files, file)) === pipe;
        } catch {
          return false;
        }
      };
      await until(() => existsSync(files) && readdirSync(files).some(isOpen));
      running.process.kill(signal);
      expect((await running.ended).out).toBe('');
    }
  },
);

test('a third signal leaves no program alive that is asked as the model, though it ignores requests to end', async () => {
  const user = newUser();
  const pids = join(user.folder, 'pids');
  // Its child ignores them as well.
  const script = `#!/bin/sh
trap '' TERM INT HUP
sleep 1000 &
echo $! $$ > '${pids}.new'
mv '${pids}.new' '${pids}'
while :; do sleep 1000; done`;
  writeFileSync(join(user.folder, 'claude'), script, { mode: 0o755 });
  const running = user.start(['init', 'Build a raft', '--model', 'exec:claude', '--json'], {
    PATH: `${user.folder}:${process.env.PATH ?? ''}`,
  });
  await until(() => existsSync(pids));
  const started = readFileSync(pids, 'utf8').trim().split(' ').map(Number);
  expect(started).toHaveLength(2);
  for (const signal of ['SIGINT', 'SIGHUP', 'SIGTERM'] as const) running.process.kill(signal);
  expect(await running.ended).toMatchObject({ status: 130, signal: null });
  await expect.poll(() => started.filter(isThere), { timeout: 20_000 }).toEqual([]);
});

describe('a call that is interrupted', () => {
  test.each([COMMANDS[0], COMMANDS[3]].flatMap((command) => (command === undefined ? [] : [command])))(
    'is dropped by the first Ctrl-C, and counted: %s',
    async (name, args) => {
      const { server, environment } = await serverFor({ faults: () => ({ kind: 'stall' }) });
      const place = await workplace();
      const running = place.start([...args, '--json'], environment);
      const ended = await interrupted(running, () => server.count > 0);
      expect(ended).toMatchObject({ status: 130, signal: null });
      const { usage } = (await place.open()).plan.header;
      // A test of the settings is no part of any plan.
      expect(usage?.estimated_calls ?? 0).toBe(name === 'draft' ? 1 : 0);
    },
  );

  test('brings its digest after a first Ctrl-C; no further one is asked for', async () => {
    let answer: (() => void) | undefined;
    const stopped = new Promise<void>((resolve) => (answer = resolve));
    const reply = { summary: LONG.split(/\s+/).slice(0, 98).join(' '), key_decisions: [], artifacts: [] };
    const { server, environment } = await serverFor({ respond: () => reply, delay: () => 400 });
    const place = await workplace(true);
    const running = place.start(['digest', '--json', '--expander', 'model'], {
      ...environment,
      FRCTL_CONCURRENCY: '1',
    });
    running.process.stderr?.on('data', () => answer?.());
    await until(() => server.count > 0);
    running.process.kill('SIGINT');
    await stopped;
    const ended = await running.ended;
    expect(ended.status).toBe(130);
    expect(ended.error).toContain('Stopping after what is under way');
    expect(errorOf(ended.json()).code).toBe('INTERRUPTED');
    expect(server.count).toBe(1);
    const log = await place.open();
    const made = (await log.events()).flatMap((event) => (event.type === 'goal_digested' ? [event] : []));
    expect(made.filter(({ usage }) => (usage?.calls ?? 0) > 0)).toHaveLength(1);
    expect(log.plan.header.usage).toMatchObject({ calls: 1 });
    expect(log.plan.goals.get(id('b'))?.digest).not.toBeNull();
  });

  test('is dropped by a second Ctrl-C, and counted at the most', async () => {
    const { server, environment } = await serverFor({ faults: () => ({ kind: 'stall' }) });
    const place = await workplace(true);
    const running = place.start(['digest', '--json'], environment);
    let said = '';
    running.process.stderr?.on('data', (chunk: Buffer) => (said += chunk.toString('utf8')));
    await until(() => server.count > 0);
    running.process.kill('SIGINT');
    await until(() => said.includes('Stopping'));
    running.process.kill('SIGINT');
    const ended = await running.ended;
    expect(ended.status).toBe(130);
    const usage = (await place.open()).plan.header.usage;
    expect(usage).toMatchObject({ calls: server.count, estimated_calls: server.count });
  });

  test('keeps what was inferred, which is told and not applied', async () => {
    const { server, environment } = await serverFor({
      respond: () => ({ dependencies: [] }),
      faults: ({ number }) => (number > 1 ? BUSY : undefined),
    });
    const place = await newWorkplace();
    const suffixes = Array.from({ length: 12 }, (_, index) => `g${index}`);
    await place.change(
      { ...expand('root', [], ['x', 'y']) },
      expand(
        'x',
        suffixes.map((one) => `x${one}`),
      ),
      expand(
        'y',
        suffixes.map((one) => `y${one}`),
      ),
    );
    const running = place.start(['dependencies', 'infer', '--apply', '--json'], {
      ...environment,
      FRCTL_CONCURRENCY: '1',
      FRCTL_CONTEXT_TOKENS: '7200',
    });
    const ended = await interrupted(running, () => server.count > 1);
    expect(ended.status).toBe(130);
    expect(ended.json()).toMatchObject({ interrupted: true, applied: false, usage: { calls: 1 } });
    expect((await place.open()).plan.header.usage).toMatchObject({ calls: 1 });
  });
});

test('a completion that is interrupted while a better digest is asked for is a completion', async () => {
  const { server, environment } = await serverFor({ faults: () => BUSY });
  const place = await workplace();
  writeFileSync(join(place.folder, 'report.md'), LONG);
  const args = ['complete', 'a', '--from', 'report.md', '--expander', 'model', '--revise', '--json'];
  const running = place.start(args, environment);
  const ended = await interrupted(running, () => server.count > 0);
  expect(ended).toMatchObject({ status: 0, signal: null });
  expect(ended.error).toContain('interrupted');
  expect((await place.open()).plan.goals.get(id('a'))?.status).toBe('complete');
});

function isThere(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
