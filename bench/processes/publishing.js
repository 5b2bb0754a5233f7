// Plans with answers that are there at once, and answers with the time spent publishing.
import process from 'node:process';

import { createContext } from '../../dist/operations/shared/context.js';
import { defaultEnvironment } from '../../dist/operations/shared/default-environment.js';
import { runPlanning } from '../../dist/operations/planning/run-planning.js';
import { openMemoryStore, openStore } from '../support/stores.js';
import { goalsOf, growTree } from '../support/trees.js';

const REASONING = 'One developer can do it in a sitting and check the outcome.';

process.once('message', (/** @type {any} */ task) => void plan(task));

async function plan(/** @type {any} */ { shape, folder, store: kind }) {
  const tree = growTree(shape);
  const store = kind === 'memory' ? openMemoryStore() : await openStore(folder);
  const log = await store.create({
    type: 'plan_created',
    plan: { id: '00000000', description: tree.description },
    root: { description: tree.description },
  });
  const timed = withTimedPublishing(log);
  const started = performance.now();
  const { plan: summary } = await runPlanning(
    createContext({ environment: defaultEnvironment(), folder, store }),
    {
      log: timed.log,
      settings: {
        expander: 'model',
        assess: 'inline',
        order: 'breadth',
        max_depth: 60,
        max_children: 10,
        max_goals: 1_000_000,
        concurrency: 16,
      },
      expander: expanderOf(tree),
      emit: () => undefined,
    },
  );
  const runMs = performance.now() - started;
  process.send?.({
    goals: summary.total_goals,
    runMs,
    publishMs: timed.spent(),
    publishings: timed.times(),
    maxRssMb: process.resourceUsage().maxRSS / 1024,
  });
}

/** The same log; what it spends on publishing is added up. */
function withTimedPublishing(/** @type {import('../../dist/storage/plan-store.js').PlanLog} */ log) {
  let spent = 0;
  let times = 0;
  return {
    /** @type {import('../../dist/storage/plan-store.js').PlanLog} */
    log: Object.create(log, {
      publish: {
        value: async (/** @type {'now' | 'cheaply'} */ when) => {
          const started = performance.now();
          await log.publish(when);
          const took = performance.now() - started;
          spent += took;
          // One that was put off takes no time to speak of.
          if (took > 1) times += 1;
        },
      },
    }),
    spent: () => spent,
    times: () => times,
  };
}

/** @returns {import('../../dist/planning/expander.js').Expander} */
function expanderOf(/** @type {import('../support/trees.js').TreeNode} */ tree) {
  const nodes = new Map(goalsOf(tree).map(({ node }) => [node.description, node]));
  const usage = { calls: 1, input_tokens: 700, output_tokens: 300, cost_usd: null };
  return {
    kind: 'model',
    expand: async ({ goal }) => ({
      kind: 'expansion',
      expansion: expansionOf(nodes.get(goal.description)?.children ?? []),
      usage,
      warnings: [],
    }),
  };
}

function expansionOf(/** @type {readonly import('../support/trees.js').TreeNode[]} */ children) {
  return {
    atomic: children.length === 0,
    reasoning: REASONING,
    sub_goals: children.map(({ description, children: below }, index) => ({
      description,
      atomic: below.length === 0,
      reasoning: REASONING,
      depends_on: index === 0 ? [] : [index],
    })),
  };
}
