import { join } from 'node:path';

import { startModelServer } from '../support/model-server.js';
import { runInProcess } from '../support/processes.js';
import { fewestRounds } from '../support/schedule.js';
import { median } from '../support/statistics.js';
import { printTable, ratio, whole } from '../support/table.js';
import { goalsOf, growTree } from '../support/trees.js';

/** Milliseconds that the server waits before each reply. */
const DELAY = 100;
const CONCURRENCIES = [1, 4, 16];
/** @type {readonly { name: string, assess: 'inline' | 'each', shape: import('../support/trees.js').TreeShape }[]} */
const TREES = [
  { name: 'uniform, 4 levels of 4', assess: 'inline', shape: { kind: 'uniform', depth: 4, width: 4 } },
  { name: 'uniform, 3 levels of 4', assess: 'each', shape: { kind: 'uniform', depth: 3, width: 4 } },
  { name: 'skewed, 16 levels of 5', assess: 'each', shape: { kind: 'skewed', depth: 16, width: 5 } },
];

/**
 * Wall time over the bound max(depth × L, calls × L ÷ concurrency), where L is what a bare client of the same
 * server waits for a reply, and over what the best possible
 * scheduler needs: as a tree opens from its root, it cannot keep every place busy from the start.
 * @param {string} folder
 */
export async function measureWallTime(folder) {
  const rows = [];
  for (const [index, { name, assess, shape }] of TREES.entries()) {
    const server = await startModelServer({ shape, delay: DELAY });
    const tree = growTree(shape);
    const l = await callTime(server.baseUrl);
    for (const concurrency of CONCURRENCIES) {
      const task = {
        shape,
        folder: join(folder, `${index}-${concurrency}`),
        baseUrl: server.baseUrl,
        settings: { assess, concurrency },
        warmUp: true,
      };
      const { ms, plan } = await runInProcess('plan', task);
      const label = `${name}, ${assess}`;
      rows.push([
        label,
        whole(plan.total_goals),
        String(concurrency),
        ...ratiosOf({ tree, assess, concurrency, l }, ms),
      ]);
    }
    server.stop();
  }
  printTable(
    `Wall time of planning, the server waiting ${DELAY} ms (library in a process of its own, files, code loaded before)`,
    ['tree, --assess', 'goals', 'concurrency', 'calls', '÷ bound (≤ 1.1)', '÷ shortest possible'],
    rows,
  );
}

/** What a call takes that is made without the planner. */
async function callTime(/** @type {string} */ baseUrl) {
  const body = JSON.stringify({ messages: [{ content: '' }, { content: '<goal>none</goal>' }] });
  const times = [];
  for (let round = 0; round < 15; round += 1) {
    const started = performance.now();
    await (await fetch(`${baseUrl}/chat/completions`, { method: 'POST', body })).text();
    times.push(performance.now() - started);
  }
  return median(times);
}

function ratiosOf(
  /** @type {{ tree: import('../support/trees.js').TreeNode, assess: string, concurrency: number, l: number }} */ run,
  /** @type {number} */ ms,
) {
  const { tree, assess, concurrency, l } = run;
  const asked = goalsOf(tree).filter(({ node }) => assess === 'each' || node.children.length > 0);
  const depths = asked.map((goal) => goal.depth);
  // When nothing is left to divide, one call compares the leaves.
  const depth = Math.max(...depths) + 2;
  const calls = asked.length + 1;
  const bound = Math.max(depth, calls / concurrency) * l;
  const best = (fewestRounds(depths, concurrency) + 1) * l;
  return [String(calls), ratio(ms / bound), ratio(ms / best)];
}
