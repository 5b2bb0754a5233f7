import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, onTestFinished, test } from 'vitest';

import { openWorkspace } from '../../src/workspace.js';
import { temporaryFolder } from '../support/folders.js';
import { startModelServer } from '../support/model-server.js';

const TEN = ['door', 'roof', 'wall', 'floor', 'window', 'stair', 'cellar', 'chimney', 'gutter', 'fence'];
const RENOVATION = {
  reasoning: 'r',
  atomic: false,
  sub_goals: TEN.map((part) => ({
    description: `Repair the ${part}`,
    reasoning: 'r',
    atomic: true,
    acceptance: [`The ${part} is sound`],
    size: 'S',
    depends_on: [],
  })),
};

/** How many parts the root of a plan gets where a number of them is set so. */
async function partsWhere(set: {
  readonly flag?: number;
  readonly config?: number;
  readonly variable?: string;
  readonly isResumed?: boolean;
}) {
  const server = await startModelServer({ respond: () => RENOVATION });
  onTestFinished(() => server.close());
  const folder = temporaryFolder();
  mkdirSync(join(folder, '.plans'));
  writeFileSync(join(folder, '.plans', 'config.json'), JSON.stringify({ max_children: set.config }));
  const variables = { OPENAI_BASE_URL: server.baseUrl, FRCTL_MAX_CHILDREN: set.variable };
  const environment = { workingFolder: folder, homeFolder: temporaryFolder(), variables };
  const workspace = openWorkspace({ environment });
  const calls = set.isResumed === true ? 0 : 5;
  const { plan } = await workspace.init({
    goal: 'Renovate the house',
    settings: {
      link: false,
      budget: { calls },
      ...(set.flag === undefined ? {} : { max_children: set.flag }),
    },
  }).result;
  if (set.isResumed === true)
    await workspace.resume({ plan: plan.id, settings: { budget: { calls: 5 } } }).result;
  const { goals = [] } = await workspace.status({ plan: plan.id, verbose: true });
  return goals.length - 1;
}

test.each([
  ['nobody sets a number', {}, 10],
  ['nobody sets a number and planning is resumed', { isResumed: true }, 10],
  ['a flag sets the usual number', { flag: 7 }, 7],
  ['a flag sets the usual number and planning is resumed', { flag: 7, isResumed: true }, 7],
  ['the config sets the usual number', { config: 7 }, 7],
  ['the config sets the usual number and planning is resumed', { config: 7, isResumed: true }, 7],
  ['a variable sets the usual number', { variable: '7' }, 7],
  ['a flag sets another number', { flag: 4 }, 4],
])('where %s the root gets so many parts', async (_, set, parts) => {
  expect(await partsWhere(set)).toBe(parts);
});
