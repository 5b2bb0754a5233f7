import { setTimeout as wait } from 'node:timers/promises';

import { expect, test } from 'vitest';

import { createSharedMeter } from '../../src/features/teams/operations/shared-meter.js';
import { PlanError } from '../../src/kernel/errors.js';
import type { Reservation } from '../../src/llm/spend/meter.js';
import { NO_USAGE, usageWithBegun } from '../../src/plan/plan.js';
import type { Budget } from '../../src/plan/schema.js';
import type { PlanLog } from '../../src/storage/plan-store.js';
import { newDatabase } from '../support/postgres.js';
import { newPostgresStore } from '../support/postgres-stores.js';
import { creationOf } from '../support/store-contract.js';

const PLAN = '0000aaaa';
/** A call that may use 100 tokens and a cent. */
const DEMAND = { input_tokens: 50, most_input_tokens: 50, max_output_tokens: 50, costOf: () => 0.01 };
const NEVER = new AbortController().signal;

let ids = 0;

/** The meter of a worker of its own, as far as the plan can tell. */
function meterOf(log: PlanLog, worker: string, budget: Budget, onFailure = (_cause: unknown) => {}) {
  return createSharedMeter({
    budget,
    log,
    caller: async () => ({ host: 'h', pid: 1, worker }),
    seconds: async () => 0,
    secondsBefore: 0,
    newId: () => `call${(ids += 1)}`,
    now: () => 0,
    sleep: (ms, signal) => wait(ms, undefined, { signal }),
    onFailure,
  });
}

/** So many logs of one plan, each opened by a process of its own. */
async function logsOf(count: number): Promise<readonly PlanLog[]> {
  const url = await newDatabase();
  await (await newPostgresStore(url)).create(creationOf(PLAN));
  return Promise.all(
    Array.from({ length: count }, async (_each, index) => {
      const own = new URL(url);
      own.searchParams.set('application_name', `worker${index}`);
      return (await newPostgresStore(own.href)).open(PLAN);
    }),
  );
}

test.each([
  ['calls', { calls: 7 }],
  ['tokens', { tokens: 799 }],
  ['usd', { usd: 0.075 }],
] as const)('of a budget in %s, many who ask at once get what there is and no more', async (_, budget) => {
  const logs = await logsOf(3);
  const over = new AbortController();
  const granted: Reservation[] = [];
  const asked = logs.flatMap((log, index) => {
    const meter = meterOf(log, `w${index}`, budget);
    return Array.from({ length: 10 }, async () => {
      const leave = await meter.reserve(DEMAND, over.signal);
      if (leave.kind === 'reserved') granted.push(leave);
    });
  });
  while (granted.length < 7) await wait(20);
  await wait(500);
  over.abort();
  await Promise.all(asked);
  expect(granted).toHaveLength(7);
  await logs[0]?.refresh();
  expect(logs[0]?.plan.header.calls).toHaveLength(7);
});

test('what calls have used is room for others before their events are there, and who never sends one gives it back', async () => {
  const [log, there] = await logsOf(2);
  if (log === undefined || there === undefined) throw new Error('no log');
  const budget = { tokens: 150 };
  const [here, other] = [meterOf(log, 'here', budget), meterOf(there, 'there', budget)];
  const first = await here.reserve(DEMAND, NEVER);
  if (first.kind !== 'reserved') throw new Error('no leave');
  here.settle(first, { calls: 1, input_tokens: 20, output_tokens: 10, cost_usd: null }, true);
  // The reply waits for another call of the same goal: nothing has said yet what the first used.
  const second = await here.reserve(DEMAND, NEVER);
  if (second.kind !== 'reserved') throw new Error('no leave');
  here.settle(second, NO_USAGE, false);
  expect(await other.reserve(DEMAND, NEVER)).toMatchObject({ kind: 'reserved' });
  expect(usageWithBegun((await log.refresh()).header)).toMatchObject({ calls: 2, estimated_calls: 1 });
});

test('a worker that nobody is room for is told which limit is reached, once nobody holds any', async () => {
  const [log] = await logsOf(1);
  if (log === undefined) throw new Error('no log');
  const meter = meterOf(log, 'w', { calls: 1 });
  const first = await meter.reserve(DEMAND, NEVER);
  if (first.kind !== 'reserved') throw new Error('no leave');
  const used = { calls: 1, input_tokens: 1, output_tokens: 1, cost_usd: 0 };
  meter.settle(first, used, true);
  expect(await meter.reserve(DEMAND, NEVER)).toEqual({ kind: 'limit', limit: 'calls' });
});

test('a call that cannot be entered is not made', async () => {
  const [log] = await logsOf(1);
  if (log === undefined) throw new Error('no log');
  const failures: unknown[] = [];
  const unreachable: PlanLog = {
    ...log,
    plan: log.plan,
    append: async () => {
      throw new PlanError('STORAGE_FAILED', 'the database cannot be reached');
    },
  };
  const meter = meterOf(unreachable, 'w', { calls: 1 }, (cause) => failures.push(cause));
  expect(await meter.reserve(DEMAND, NEVER)).toEqual({ kind: 'aborted' });
  expect(failures).toMatchObject([{ code: 'STORAGE_FAILED' }]);
});
