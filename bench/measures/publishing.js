import { join } from 'node:path';

import { runInProcess } from '../support/processes.js';
import { median } from '../support/statistics.js';
import { goalId, openStore, writePlan } from '../support/stores.js';
import { milliseconds, percent, printTable, ratio, whole } from '../support/table.js';

const APPENDS = 60;
const SIZES = [50, 50_000];

/** @type {readonly { goals: number, store: 'files' | 'memory' }[]} */
const RUNS = [
  { goals: 5000, store: 'files' },
  { goals: 25_000, store: 'files' },
  { goals: 100_000, store: 'files' },
  { goals: 100_000, store: 'memory' },
];

/**
 * What keeping the plan file fresh costs of a run, whether a goal costs more in a larger run, and whether a
 * change costs more in a large plan.
 * @param {string} folder
 */
export async function measurePublishing(folder) {
  const rows = [];
  let perGoal = Number.NaN;
  for (const { goals, store } of RUNS) {
    const shape = { kind: 'sized', goals, width: 7 };
    const run = await runInProcess('publishing', { shape, store, folder: join(folder, `${goals}-${store}`) });
    const each = run.runMs / run.goals;
    if (Number.isNaN(perGoal)) perGoal = each;
    rows.push([
      `${whole(run.goals)}, ${store}`,
      String(run.publishings),
      percent(run.publishMs / run.runMs),
      ratio(each / perGoal),
      `${whole(run.maxRssMb)} MB`,
    ]);
  }
  printTable(
    'Publishing the plan file while planning, when answers are there at once',
    ['goals, store', 'publishings', 'share of the run (< 20 %)', 'time a goal ÷ first', 'most memory'],
    rows,
  );
  await measureAppends(join(folder, 'appends'));
}

async function measureAppends(/** @type {string} */ folder) {
  const store = await openStore(folder);
  const logs = [];
  for (const [index, goals] of SIZES.entries()) logs.push(await writePlan(store, `0000000${index}`, goals));
  const times = SIZES.map(() => /** @type {number[]} */ ([]));
  for (let round = 0; round < APPENDS; round += 1) {
    for (const [index, log] of logs.entries())
      times[index]?.push(await timeOfAppend(log, round, SIZES[index] ?? 0));
  }
  const [small = Number.NaN, large = Number.NaN] = times.map(median);
  printTable(
    `One change of a plan, made durable: median of ${APPENDS}, interleaved`,
    ['goals', 'median', '÷ small (≤ 2)'],
    [
      [whole(SIZES[0] ?? 0), milliseconds(small), ratio(1)],
      [whole(SIZES[1] ?? 0), milliseconds(large), ratio(large / small)],
    ],
  );
}

/** Completes the last goals one after the other, and opens each again. */
async function timeOfAppend(
  /** @type {import('../../dist/storage/plan-store.js').PlanLog} */ log,
  /** @type {number} */ round,
  /** @type {number} */ goals,
) {
  const goal = goalId(log.plan.header.id, goals - 1 - Math.floor(round / 2));
  const started = performance.now();
  const [outcome] = await log.append([{ type: round % 2 === 0 ? 'goal_completed' : 'goal_reopened', goal }]);
  const took = performance.now() - started;
  if (outcome?.refused !== null) throw new Error(`an event was refused: ${outcome?.refused?.code}`);
  return took;
}
