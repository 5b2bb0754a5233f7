import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

import { startModelServer } from '../support/model-server.js';
import { startPostgres } from '../support/postgres.js';
import { printTable, ratio, whole } from '../support/table.js';
import { commandOnDatabase, query } from '../support/teams.js';
import { growTree } from '../support/trees.js';

/** 1,093 goals, of which a model is asked about 364. @type {import('../support/trees.js').TreeShape} */
const SHAPE = { kind: 'uniform', depth: 6, width: 3 };
const QUESTIONS = 364;
const DELAY_MS = 100;
const AT_ONCE = 2;

/**
 * How long 1, 2 and 4 workers take for a tree, as a ratio of what the calls alone would take.
 * @param {string} folder
 */
export async function measureWorkers(folder) {
  const server = await startModelServer({ shape: SHAPE, delay: DELAY_MS });
  const postgres = await startPostgres();
  const rows = [];
  let alone = Number.NaN;
  try {
    for (const count of [1, 2, 4]) {
      const { seconds, calls } = await planWith(count, {
        folder: join(folder, String(count)),
        postgres: postgres.url,
        model: server,
      });
      if (count === 1) alone = seconds;
      const bound = (QUESTIONS * DELAY_MS) / 1000 / (count * AT_ONCE);
      rows.push([
        String(count),
        whole(calls),
        `${seconds.toFixed(1)} s`,
        `${bound.toFixed(2)} s`,
        ratio(seconds / bound),
        ratio(alone / seconds),
      ]);
    }
  } finally {
    server.stop();
    await postgres.stop();
  }
  printTable(
    'Workers on 1,093 goals, calls of 100 ms, 2 at a time each',
    ['workers', 'calls', 'time', 'bound', '÷ bound (≤ 1.30)', 'speed-up (4: ≥ 3.50)'],
    rows,
  );
}

/**
 * The time from the event that leaves the plan to workers to the event that ends it, by the clock of the database.
 * @param {number} count
 * @param {{ folder: string, postgres: string, model: Awaited<ReturnType<typeof startModelServer>> }} place
 */
async function planWith(count, { folder, postgres, model }) {
  const url = new URL(postgres);
  url.pathname = `/workers_${count}`;
  await query(postgres, `create database workers_${count}`);
  const command = commandOnDatabase(folder, { url: url.href, baseUrl: model.baseUrl, errors: 'inherit' });
  const workers = Array.from({ length: count }, () => command(['worker', '--concurrency', String(AT_ONCE)]));
  while (Number((await query(url.href, COUNT_WORKERS).catch(() => []))[0]?.count ?? 0) < count)
    await wait(50);
  await model.seen();
  const limits = ['--max-children', '3', '--max-goals', '10000', '--max-depth', '10'];
  await once(command(['init', growTree(SHAPE).description, '--workers', ...limits]), 'exit');
  /** @type {Record<string, any> | undefined} */
  let times;
  while (times?.ended === undefined || times.ended === null) {
    await wait(200);
    [times] = await query(url.href, TIMES);
  }
  for (const worker of workers) worker.kill('SIGTERM');
  await Promise.all(workers.map((worker) => once(worker, 'exit')));
  const { calls } = await model.seen();
  return { seconds: (Date.parse(times.ended) - Date.parse(times.started)) / 1000, calls };
}

const COUNT_WORKERS = 'select count(*) from frctl_worker';
const TIMES = `select max(body->>'at') filter (where body->>'type' = 'planning_started') as started,
  max(body->>'at') filter (where body->>'type' = 'planning_ended') as ended from frctl_event`;
