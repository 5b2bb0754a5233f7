import { spawn } from 'node:child_process';
import { once } from 'node:events';

import { expect, onTestFinished, test } from 'vitest';
import * as z from 'zod';

import type { PlanStore } from '../../src/storage/plan-store.js';
import { newDatabase } from '../support/postgres.js';
import { newPostgresStore } from '../support/postgres-stores.js';
import { creationOf, expansionOf } from '../support/store-contract.js';
import { goalId, PLAN } from './support/plans.js';
import { builtWorker } from './support/processes.js';
import { scale } from './support/scale.js';

const CONTENDERS = scale(64, 4);
const WORKERS = scale(32, 3);
const GOALS = scale(10_000, 30);

const toldSchema = z.object({ done: z.array(z.string()), refused: z.number() });

async function planWith(goals: number): Promise<{ url: string; store: PlanStore; ids: readonly string[] }> {
  const url = await newDatabase();
  const store = await newPostgresStore(url);
  const ids = Array.from({ length: goals }, (_, index) => goalId(index));
  const log = await store.create(creationOf(PLAN), [expansionOf(`${PLAN}-root`, ids)]);
  await log.publish('now');
  return { url, store, ids };
}

/** Processes that begin at once, each at its part of the goals. @returns what each of them got */
async function claimAll(place: string, goals: number, processes: number) {
  const children = Array.from({ length: processes }, (_, index) => {
    const first = Math.floor((index * goals) / processes);
    const task = JSON.stringify({ place, plan: PLAN, goals, first });
    const child = spawn(process.execPath, [builtWorker('claim-all'), task], {
      env: { PATH: process.env.PATH ?? '' },
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    onTestFinished(() => void child.kill('SIGKILL'));
    return child;
  });
  await Promise.all(children.map((child) => once(child.stdout, 'data')));
  const ended = children.map(async (child) => {
    let out = '';
    child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()));
    await once(child, 'close');
    return toldSchema.parse(JSON.parse(out));
  });
  for (const child of children) child.stdin.end('go\n');
  return Promise.all(ended);
}

test(`of ${CONTENDERS} processes that claim one goal at once one gets it`, async () => {
  const { url, store, ids } = await planWith(1);
  const told = await claimAll(url, 1, CONTENDERS);
  expect(told.flatMap(({ done }) => done)).toEqual(ids);
  const events = await (await store.open(PLAN, 'log')).events();
  expect(events.filter(({ type }) => type === 'goal_claimed')).toHaveLength(
    1 + told.reduce((sum, { refused }) => sum + refused, 0),
  );
});

test(`${GOALS} goals are claimed and completed by ${WORKERS} processes, each once`, async () => {
  const { url, store } = await planWith(GOALS);
  const told = await claimAll(url, GOALS, WORKERS);
  const done = told.flatMap((one) => one.done);
  expect(done).toHaveLength(GOALS);
  expect(new Set(done).size).toBe(GOALS);
  const { plan } = await store.open(PLAN, 'log');
  expect(plan.counts.complete).toBe(GOALS);
});
