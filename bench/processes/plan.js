// Plans a goal through the library and answers with how long it took and what came of it.
import { dirname, join } from 'node:path';
import process from 'node:process';

import { openWorkspace } from '../../dist/index.js';
import { growTree } from '../support/trees.js';

process.once('message', (/** @type {any} */ task) => void plan(task));

async function plan(/** @type {any} */ { shape, folder, store, baseUrl, settings, context, warmUp }) {
  const workspace = openWorkspace({
    dir: folder,
    store,
    environment: { variables: {}, homeFolder: join(dirname(folder), 'home') },
  });
  const options = {
    goal: growTree(shape).description,
    context,
    settings: {
      expander: 'model',
      base_url: baseUrl,
      max_depth: 60,
      max_goals: 1_000_000,
      max_children: 10,
      ...settings,
    },
  };
  // Loads the code and opens a connection, which is start-up and no part of planning.
  if (warmUp === true)
    await workspace.init({ ...options, settings: { ...options.settings, max_depth: 1 } }).result;
  const started = performance.now();
  const { plan: summary, stopped } = await workspace.init(options).result;
  const ms = performance.now() - started;
  if (stopped !== null) throw stopped;
  process.send?.({ ms, plan: summary, maxRssMb: process.resourceUsage().maxRSS / 1024 });
}
