import { spawn } from 'node:child_process';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as wait } from 'node:timers/promises';

import { expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';

import { waitingFor } from '../../src/plan/readiness/dependencies.js';
import type { EventPayload, PayloadOf, PlanEvent } from '../../src/plan/events.js';
import { replayHistory } from '../../src/plan/history.js';
import type { Plan } from '../../src/plan/plan.js';
import { newUser } from '../support/command.js';
import type { User } from '../support/command.js';
import { temporaryFolder } from '../support/folders.js';
import { newFileStore } from '../support/stores.js';
import { expectKept, PLAN } from './support/plans.js';
import { builtWorker, ended } from './support/processes.js';
import { scale } from './support/scale.js';

const PROCESSES = scale(12, 4);
const KILLED = scale(3, 1);
const BRANCHES = scale(23, 4);
/** With their parents, and the root, the leaves of the branches are 300 goals, in full. */
const LEAVES = scale(12, 6);
const LEASE = '2s';

const id = (suffix: string) => `${PLAN}-${suffix}`;
const branch = (index: number) => `b${index}`;
const leaf = (of: number, index: number) => `b${of}x${index}`;

test(`${PROCESSES} processes work a plan off, ${KILLED} of them are killed, and every goal is done once and in order`, async () => {
  const folder = join(temporaryFolder(), '.plans');
  await makePlan(folder);
  const workers = Array.from({ length: PROCESSES }, (_, index) =>
    startWorker({ folder, by: `agent-${index}` }, index < KILLED ? 1 + Math.floor(Math.random() * 3) : null),
  );
  await Promise.all(workers.map(({ ready }) => ready));
  for (const { begin } of workers) begin();
  const ends = await Promise.all(workers.map(({ end }) => end));
  const killed = ends.filter(({ signal }) => signal === 'SIGKILL');
  expect(killed).toHaveLength(KILLED);
  expect(ends.filter(({ signal }) => signal === null).map(({ status, stderr }) => [status, stderr])).toEqual(
    Array.from({ length: PROCESSES - KILLED }, () => [0, '']),
  );

  const log = await expectKept(folder, []);
  const events = await log.events();
  expectDoneInOrder(events);
  expectDone(log.plan);
  const told = ends.flatMap(({ completed }) => completed);
  expect(new Set(told).size).toBe(told.length);
  // One that was killed may have completed a goal without living to hear of it.
  expect(told.length).toBeGreaterThanOrEqual(BRANCHES * LEAVES - KILLED);
});

test('three users of the command, who loop next, context and complete, do the same', async () => {
  const user = newUser();
  await makePlan(join(user.folder, '.plans'), 2, scale(4, 3));
  await Promise.all(['ana', 'ben', 'cem'].map((by) => workWithCommand(user, by)));
  const log = await expectKept(join(user.folder, '.plans'), []);
  expectDoneInOrder(await log.events());
  expectDone(log.plan);
});

/** Every goal is complete, every leaf has what its last worker said of it, and the root what all of it came to. */
function expectDone(plan: Plan): void {
  for (const goal of plan.goals.values()) {
    expect([goal.id, goal.status, goal.claim]).toEqual([goal.id, 'complete', undefined]);
    if (goal.child_ids.length === 0) expect(goal.digest?.summary).toContain(goal.id);
  }
  expect(plan.goals.get(id('root'))?.digest?.summary).toMatch(/\w/);
}

/** Each completion that was accepted is the only one of its goal, and came when all it waits for was complete. */
function expectDoneInOrder(events: readonly PlanEvent[]): void {
  const done = new Set<string>();
  for (const { event, verdict, before } of replayHistory(events)) {
    if (event.type !== 'goal_completed' || verdict.kind !== 'accepted') continue;
    const goal = before?.goals.get(event.goal);
    expect(before === null || goal === undefined ? null : waitingFor(before, goal)).toEqual([]);
    expect(done.has(event.goal)).toBe(false);
    done.add(event.goal);
  }
}

/** A root with branches, some of which wait for others, and leaves, some of which wait for leaves of other branches. */
async function makePlan(folder: string, branches = BRANCHES, leaves = LEAVES): Promise<void> {
  const store = await newFileStore(folder);
  const numbers = Array.from({ length: branches }, (_, index) => index);
  const log = await store.create(
    {
      type: 'plan_created',
      plan: { id: PLAN, description: 'Ship the product' },
      root: { description: 'Ship the product' },
    },
    [
      expansion('root', numbers.map(branch), false, (index) => (index % 4 === 3 ? [branch(index - 2)] : [])),
      ...numbers.map((of) =>
        expansion(
          branch(of),
          Array.from({ length: leaves }, (_, index) => leaf(of, index)),
          true,
          (index) => (index % 3 === 2 ? [leaf(of, index - 1), leaf(of, index - 2)] : []),
        ),
      ),
      acrossBranches(branches, leaves),
    ],
  );
  expect((await log.events()).length).toBe(branches + 3);
  expect(log.plan.goals.get(id(leaf(1, 0)))?.dependencies).toEqual([id(leaf(0, leaves - 1))]);
  await log.publish('now');
}

function expansion(
  goal: string,
  children: readonly string[],
  atomic: boolean,
  after: (index: number) => readonly string[],
): PayloadOf<'goal_expanded'> {
  return {
    type: 'goal_expanded',
    goal: id(goal),
    atomic: false,
    reasoning: null,
    sub_goals: children.map((suffix, index) => ({
      id: id(suffix),
      description: `Deliver ${suffix}`,
      atomic: atomic ? true : null,
      reasoning: null,
      dependencies: after(index).map(id),
    })),
  };
}

/** The first leaf of every other branch waits for the last of the branch before. */
function acrossBranches(branches: number, leaves: number): EventPayload {
  const waiting = Array.from({ length: Math.floor(branches / 2) }, (_, index) => 2 * index + 1);
  return {
    type: 'dependencies_changed',
    changes: waiting.map((of) => ({
      goal: id(leaf(of, 0)),
      add: [id(leaf(of - 1, leaves - 1))],
      remove: [],
    })),
  };
}

const reportSchema = z.object({
  ready: z.boolean().optional(),
  claimed: z.string().optional(),
  completed: z.string().optional(),
});

/** Starts an agent, which waits until it may begin; kills it at a random moment after so many claims. */
function startWorker(who: { readonly folder: string; readonly by: string }, killAfter: number | null) {
  const task = { ...who, lease: LEASE, maxTokens: 600, longestWorkMs: 40 };
  const child = spawn(process.execPath, [builtWorker('work'), JSON.stringify(task)], {
    env: { PATH: process.env.PATH ?? '', HOME: dirname(who.folder) },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const completed: string[] = [];
  let claims = 0;
  const ready = new Promise<void>((done) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      const report = reportSchema.parse(JSON.parse(line));
      if (report.ready === true) done();
      if (report.completed !== undefined) completed.push(report.completed);
      if (report.claimed === undefined) return;
      claims += 1;
      if (claims === killAfter) setTimeout(() => child.kill('SIGKILL'), Math.random() * 60);
    });
  });
  const end = ended(child).then((how) => ({ ...how, completed }));
  return { ready, begin: () => child.stdin.write('go\n'), end };
}

const nextSchema = z.object({
  claimed: z.object({ goal: z.string(), token: z.string() }).nullable(),
  reason: z.object({ code: z.string() }).nullable(),
});

async function workWithCommand(user: User, by: string): Promise<void> {
  for (;;) {
    const next = await user.run(['next', '--claim', '--by', by, '--for', '10m', '--json']);
    const { claimed, reason } = nextSchema.parse(next.json());
    expect(next.status).toBe(claimed === null ? 1 : 0);
    if (reason?.code === 'all_done') return;
    if (claimed === null) {
      await wait(50);
      continue;
    }
    const { goal, token } = claimed;
    const context = await user.run(['context', goal, '--max-tokens', '300']);
    expect(context.out).toContain(goal);
    const ended = await user.run(['complete', goal, '--token', token, '--summary', `Did ${goal}`]);
    expect([ended.status, ended.error]).toEqual([0, '']);
  }
}
