import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import process from 'node:process';

import { median } from '../support/statistics.js';
import { goalId, openStore, writePlan } from '../support/stores.js';
import { milliseconds, printTable, ratio } from '../support/table.js';

const ROUNDS = 17;
const GOALS = 10_000;
const PLAN = 'dist/cli/plan.js';
const PLAN_ID = '0000000a';

/**
 * What working on a plan of 10,000 goals costs, from the start of node to its end, over a node that does nothing. All
 * that a round runs is run in turn, so that what else the machine does falls on all alike; changes follow each other
 * as an agent makes them, so that every so often one of them rewrites the plan file.
 * @param {string} folder
 */
export async function measureLargePlans(folder) {
  const shapes = [
    { name: 'balanced', dir: join(folder, 'balanced'), width: 7 },
    { name: 'one parent', dir: join(folder, 'one-parent'), width: GOALS },
  ];
  for (const { dir, width } of shapes) {
    const store = await openStore(dir);
    await writePlan(store, PLAN_ID, GOALS, { width, chain: 7 });
    await store.list();
  }
  /** @type {number[]} */
  const node = [];
  const times = shapes.map(() => /** @type {Map<string, number[]>} */ (new Map()));
  for (let round = 0; round < ROUNDS; round += 1) {
    node.push(timeOf(['-e', '0'], folder).took);
    for (const [index, { dir }] of shapes.entries()) {
      for (const [name, took] of roundOf(dir, folder)) {
        const list = times[index]?.get(name) ?? [];
        list.push(took);
        times[index]?.set(name, list);
      }
    }
  }
  const unit = median(node);
  printTable(
    `Plans of ${GOALS} goals, whole commands over \`node -e 0\` (${milliseconds(unit)}), ${ROUNDS} interleaved rounds`,
    ['command', ...shapes.flatMap(({ name }) => [`${name}, median`, 'slowest']), 'target'],
    [...(times[0]?.keys() ?? [])].map((name) => [
      `plan ${name}`,
      ...times.flatMap((taken) => {
        const list = taken.get(name) ?? [];
        return [ratio(median(list) / unit), ratio(Math.max(...list) / unit)];
      }),
      '≤ 6',
    ]),
  );
}

/**
 * One worker's way through a plan.
 * @returns {[string, number][]} each command and how long it took
 */
function roundOf(/** @type {string} */ dir, /** @type {string} */ home) {
  const plan = (/** @type {readonly string[]} */ ...args) =>
    timeOf([PLAN, ...args, '--dir', dir, '--plan', PLAN_ID], home);
  const whole = (/** @type {readonly string[]} */ ...args) =>
    timeOf([PLAN, ...args, PLAN_ID, '--dir', dir, '--json'], home);
  // What node and loading a command take; it reads the index alone.
  const list = timeOf([PLAN, 'list', '--dir', dir, '--json'], home);
  const status = whole('status');
  const next = whole('next');
  const goal = JSON.parse(next.out).goals[0].id;
  const show = plan('show', goal);
  const root = plan('show', goalId(PLAN_ID, 0));
  const claim = plan('claim', goal, '--json');
  const edit = plan('edit', goal, '--detail', 'Ask the others first.');
  const complete = plan('complete', goal, '--token', JSON.parse(claim.out).claimed.token);
  return [
    ['list', list.took],
    ['status', status.took],
    ['next', next.took],
    ['show', show.took],
    ['show, of the root', root.took],
    ['claim', claim.took],
    ['edit', edit.took],
    ['complete', complete.took],
  ];
}

function timeOf(/** @type {readonly string[]} */ args, /** @type {string} */ home) {
  const started = performance.now();
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    env: { PATH: process.env.PATH, HOME: home },
    maxBuffer: 1 << 28,
  });
  const took = performance.now() - started;
  if (status !== 0) throw new Error(`${args.join(' ')} ended with ${status}: ${String(stderr)}`);
  return { took, out: String(stdout) };
}
