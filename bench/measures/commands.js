import { execFile } from 'node:child_process';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { startModelServer } from '../support/model-server.js';
import { fewestRounds } from '../support/schedule.js';
import { median } from '../support/statistics.js';
import { printTable, ratio, whole } from '../support/table.js';
import { goalsOf, growTree } from '../support/trees.js';

/** @type {import('../support/trees.js').TreeShape} */
const SHAPE = { kind: 'uniform', depth: 6, width: 3 };
/** `delay`: milliseconds before each reply. Runs that take long are made once: what else the machine does hardly matters. */
const CASES = [
  { delay: 200, places: 1, runs: 1, target: '' },
  { delay: 200, places: 4, runs: 1, target: '' },
  { delay: 200, places: 16, runs: 3, target: '≤ 1.1' },
  { delay: 200, places: 64, runs: 3, target: '≤ 1.25' },
  { delay: 1000, places: 16, runs: 1, target: '≤ 1.05' },
  { delay: 1000, places: 64, runs: 3, target: '≤ 1.1' },
];
const BARE_CLIENT = fileURLToPath(new URL('../processes/bare-client.js', import.meta.url));

/**
 * Whole commands, from the start of node to its end, over the shortest possible time: what a scheduler that takes no time of
 * its own needs for the same replies. A bare client of the same server runs in turn with them.
 * @param {string} folder
 */
export async function measureCommands(folder) {
  const tree = growTree(SHAPE);
  const asked = goalsOf(tree).filter(({ node }) => node.children.length > 0);
  const rows = [];
  const depths = asked.map(({ depth }) => depth);
  for (const { delay, places, runs, target } of CASES) {
    const server = await startModelServer({ shape: SHAPE, delay });
    // When nothing is left to divide, one call compares the leaves.
    const best = delay * (fewestRounds(depths, places) + 1);
    const [commands, bare] = [/** @type {number[]} */ ([]), /** @type {number[]} */ ([])];
    for (let run = 0; run < runs; run += 1) {
      const dir = join(folder, `${delay}-${places}-${run}`);
      commands.push(await timeOf(commandOf(tree.description, places, dir, server.baseUrl), folder));
      bare.push(await timeOf([BARE_CLIENT, server.baseUrl, JSON.stringify(SHAPE), String(places)], folder));
    }
    server.stop();
    rows.push([
      `${delay} ms`,
      String(places),
      whole(asked.length + 1),
      `${(best / 1000).toFixed(1)} s`,
      ratio(median(commands) / best),
      ratio(Math.min(...commands) / best),
      target,
      ratio(median(bare) / best),
    ]);
  }
  printTable(
    `Whole commands: \`plan init\`, ${whole(goalsOf(tree).length)} goals`,
    [
      'each call',
      'calls at once',
      'calls',
      'shortest possible',
      'command ÷ shortest, median',
      'least',
      'target',
      'bare client ÷ shortest',
    ],
    rows,
  );
}

/** @returns {string[]} */
function commandOf(
  /** @type {string} */ goal,
  /** @type {number} */ places,
  /** @type {string} */ dir,
  /** @type {string} */ baseUrl,
) {
  const model = ['--expander', 'model', '--base-url', baseUrl, '--concurrency', String(places)];
  const limits = ['--max-goals', '1000000', '--max-children', '10', '--max-depth', '60'];
  return ['dist/cli/plan.js', 'init', goal, '--json', '--dir', dir, ...model, ...limits];
}

async function timeOf(/** @type {string[]} */ args, /** @type {string} */ home) {
  const started = performance.now();
  await promisify(execFile)(process.execPath, args, { env: { PATH: process.env.PATH, HOME: home } });
  return performance.now() - started;
}
