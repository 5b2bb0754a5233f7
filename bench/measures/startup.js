import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import process from 'node:process';

import { median } from '../support/statistics.js';
import { openStore, writePlan } from '../support/stores.js';
import { milliseconds, printTable, ratio } from '../support/table.js';

const ROUNDS = 17;
const PLAN = 'dist/cli/plan.js';

/**
 * How long short commands take, over a node that does nothing. The runs are interleaved, so that what
 * else the machine does falls on all alike.
 * @param {string} folder
 */
export async function measureStartup(folder) {
  const many = join(folder, 'many');
  const large = join(folder, 'large');
  await fillStore(
    many,
    Array.from({ length: 1000 }, () => 5),
  );
  await fillStore(large, [10_000]);
  const commands = [
    { name: 'node -e 0', args: ['-e', '0'], target: '' },
    { name: 'plan --version', args: [PLAN, '--version'], target: '≤ 2' },
    { name: 'plan list, 1,000 plans', args: [PLAN, 'list', '--dir', many], target: '≤ 3' },
    { name: 'plan status, 10,000 goals', args: [PLAN, 'status', '--dir', large], target: '≤ 6' },
  ];
  const times = commands.map(() => /** @type {number[]} */ ([]));
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [index, { args }] of commands.entries()) times[index]?.push(timeOf(args, folder));
  }
  const [node = Number.NaN] = times.map(median);
  printTable(
    `Start-up, median of ${ROUNDS} interleaved runs`,
    ['command', 'median', '÷ node -e 0', 'target'],
    commands.map(({ name, target }, index) => {
      const taken = median(times[index] ?? []);
      return [name, milliseconds(taken), ratio(taken / node), target];
    }),
  );
}

/** A store with plans of so many goals, each as the planner leaves it. */
async function fillStore(/** @type {string} */ dir, /** @type {readonly number[]} */ sizes) {
  const store = await openStore(dir);
  for (const [index, goals] of sizes.entries()) {
    await writePlan(store, index.toString(16).padStart(8, '0'), goals);
  }
  await store.list();
}

function timeOf(/** @type {readonly string[]} */ args, /** @type {string} */ home) {
  const started = performance.now();
  const { status, stderr } = spawnSync(process.execPath, args, {
    env: { PATH: process.env.PATH, HOME: home },
  });
  if (status !== 0) throw new Error(`${args.join(' ')} ended with ${status}: ${String(stderr)}`);
  return performance.now() - started;
}
