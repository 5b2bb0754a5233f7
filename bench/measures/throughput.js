import { join } from 'node:path';

import { startModelServer } from '../support/model-server.js';
import { runInProcess } from '../support/processes.js';
import { printTable, ratio, whole } from '../support/table.js';

/** @type {import('../support/trees.js').TreeShape} */
const SHAPE = { kind: 'sized', goals: 10_000, width: 7 };

/**
 * Goals planned a second when the model takes no time, and the most memory planning needed.
 * @param {string} folder
 */
export async function measureThroughput(folder) {
  const server = await startModelServer({ shape: SHAPE });
  const rows = [];
  let first = Number.NaN;
  for (const store of ['memory', 'files']) {
    const settings = { assess: 'inline', concurrency: 16 };
    const task = { shape: SHAPE, store, folder: join(folder, store), baseUrl: server.baseUrl, settings };
    const { ms, plan, maxRssMb } = await runInProcess('plan', task);
    const perSecond = (plan.total_goals / ms) * 1000;
    if (Number.isNaN(first)) first = perSecond;
    rows.push([
      store,
      whole(plan.total_goals),
      whole(perSecond),
      ratio(perSecond / first),
      `${whole(maxRssMb)} MB`,
    ]);
  }
  server.stop();
  printTable(
    'Planning when a model answers at once, 16 calls at a time',
    ['store', 'goals', 'goals a second', '÷ memory', 'most memory (< 512 MB)'],
    rows,
  );
}
