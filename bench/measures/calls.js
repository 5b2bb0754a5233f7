import { join } from 'node:path';

import { startModelServer } from '../support/model-server.js';
import { runInProcess } from '../support/processes.js';
import { printTable, ratio, whole } from '../support/table.js';
import { goalsOf, growTree } from '../support/trees.js';

/** @type {import('../support/trees.js').TreeShape} */
const SHAPE = { kind: 'uniform', depth: 4, width: 4 };

/**
 * What a plan costs by `--assess`, beside the theory for a tree of N goals with I inner ones.
 * @param {string} folder
 */
export async function measureCalls(folder) {
  const goals = goalsOf(growTree(SHAPE));
  const n = goals.length;
  const i = goals.filter(({ node }) => node.children.length > 0).length;
  const server = await startModelServer({ shape: SHAPE, exact: true });
  const rows = [];
  for (const { assess, theory, formula } of [
    { assess: 'inline', theory: i, formula: 'I' },
    { assess: 'each', theory: n, formula: 'N' },
  ]) {
    const settings = { assess, concurrency: 8 };
    await runInProcess('plan', {
      shape: SHAPE,
      folder: join(folder, assess),
      baseUrl: server.baseUrl,
      settings,
    });
    const { calls, inputTokens, outputTokens } = await server.seen();
    rows.push([
      `--assess ${assess}`,
      whole(calls),
      `${formula} = ${whole(theory)}`,
      ratio(calls / n),
      whole((inputTokens + outputTokens) / n),
      ratio(calls / (n + 2 * i)),
    ]);
  }
  server.stop();
  const apart = n + 2 * i;
  rows.push([
    'goals and dependencies apart',
    '-',
    `N + 2·I = ${whole(apart)}`,
    ratio(apart / n),
    '-',
    ratio(1),
  ]);
  printTable(
    `Calls and tokens for one tree of N = ${n} goals, I = ${i} of them inner`,
    ['', 'calls', 'theory', 'calls per goal', 'tokens per goal', 'calls ÷ (N + 2·I)'],
    rows,
  );
}
