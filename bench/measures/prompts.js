import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { startModelServer } from '../support/model-server.js';
import { runInProcess } from '../support/processes.js';
import { printTable, ratio, whole } from '../support/table.js';

const WIDTH = 7;
const SIZES = [50, 5000];
const LINE =
  'The shop keeps its orders in Postgres, its pages are rendered on the server, and each module has tests.\n';

/**
 * The longest prompt of a small plan and of a large one: it must not grow with the plan.
 * @param {string} folder
 */
export async function measurePrompts(folder) {
  const contextFile = join(folder, 'PROJECT.md');
  await writeFile(contextFile, LINE.repeat(100));
  const rows = [];
  for (const context of [[], [contextFile]]) {
    const longest = [];
    for (const goals of SIZES) longest.push(await longestPrompt(folder, goals, context));
    const [small, large] = longest;
    rows.push([
      context.length === 0 ? 'without project context' : 'with project context of 10 kB',
      ...longest.map(({ tokens, characters }) => `${whole(tokens)} / ${whole(characters)}`),
      ratio((large?.tokens ?? 0) / (small?.tokens ?? 0)),
      ratio((large?.characters ?? 0) / (small?.characters ?? 0)),
    ]);
  }
  printTable(
    'The longest prompt, in tokens / characters',
    ['', ...SIZES.map((goals) => `${whole(goals)} goals`), 'tokens (≤ 1.2)', 'characters'],
    rows,
  );
}

async function longestPrompt(
  /** @type {string} */ folder,
  /** @type {number} */ goals,
  /** @type {string[]} */ context,
) {
  /** @type {import('../support/trees.js').TreeShape} */
  const shape = { kind: 'sized', goals, width: WIDTH };
  const server = await startModelServer({ shape });
  const settings = { assess: 'inline', concurrency: 8 };
  const task = {
    shape,
    folder: join(folder, `${goals}-${context.length}`),
    baseUrl: server.baseUrl,
    settings,
    context,
  };
  await runInProcess('plan', task);
  const { longest } = await server.seen();
  server.stop();
  return longest;
}
