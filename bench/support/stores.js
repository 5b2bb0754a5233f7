import { rm } from 'node:fs/promises';
import { join } from 'node:path';

import { createFileStore, prepareStore } from '../../dist/storage/file/file-store.js';
import { createMemoryStore } from '../../dist/storage/memory/memory-store.js';
import { goalsOf, growTree } from './trees.js';

/**
 * A store in a folder, made when it is not there.
 * @param {string} folder
 */
export async function openStore(folder) {
  await prepareStore(folder);
  return createFileStore({ folder, stamp: newStamp(), makeReplicaId: () => 'bench', now: Date.now });
}

/** A store in memory. */
export function openMemoryStore() {
  return createMemoryStore(newStamp());
}

/** Makes ids, times and an author for events. */
export function newStamp() {
  let events = 0;
  return () => ({ id: `event-${(events += 1)}`, at: new Date().toISOString(), by: 'bench' });
}

/**
 * Writes a plan that is planned to the end, its log and its plan file as the planner leaves them.
 * @param {import('../../dist/storage/plan-store.js').PlanStore} store
 * @param {string} planId
 * @param {number} goals
 * @param {{ width?: number, chain?: number }} [shape] how many sub-goals a goal has at most, and how many of them in a
 *   row wait for each other
 */
export async function writePlan(store, planId, goals, { width = 7, chain = Infinity } = {}) {
  const { created, expansions } = planEvents(planId, growTree({ kind: 'sized', goals, width }), chain);
  const log = await store.create(created, expansions);
  // Publishing looks through the index; with many plans to write, a fresh one each time is faster.
  await rm(join(store.location, 'index.json'), { force: true });
  await log.publish('now');
  return log;
}

/**
 * The events that make a plan of a tree, level by level.
 * @param {string} planId
 * @param {import('./trees.js').TreeNode} root
 * @param {number} [chain]
 * @returns {{ created: import('../../dist/plan/events.js').PayloadOf<'plan_created'>,
 *   expansions: import('../../dist/plan/events.js').PayloadOf<'goal_expanded'>[] }}
 */
export function planEvents(planId, root, chain = Infinity) {
  const tree = goalsOf(root);
  const ids = new Map(tree.map(({ node }, index) => [node, goalId(planId, index)]));
  const idOf = (/** @type {import('./trees.js').TreeNode} */ node) => ids.get(node) ?? '';
  const { description } = root;
  const parents = tree.filter(({ node }) => node.children.length > 0);
  return {
    created: { type: 'plan_created', plan: { id: planId, description }, root: { description } },
    expansions: parents.map(({ node }) => expansionOf(node, idOf, chain)),
  };
}

/** @param {string} planId @param {number} index */
export function goalId(planId, index) {
  return `${planId}-${index === 0 ? 'root' : index.toString(36).padStart(6, '0')}`;
}

/**
 * @param {import('./trees.js').TreeNode} node
 * @param {(node: import('./trees.js').TreeNode) => string} idOf
 * @param {number} chain
 * @returns {import('../../dist/plan/events.js').PayloadOf<'goal_expanded'>}
 */
function expansionOf(node, idOf, chain) {
  return {
    type: 'goal_expanded',
    goal: idOf(node),
    atomic: false,
    reasoning: 'It has several parts.',
    sub_goals: node.children.map((child, index) => ({
      id: idOf(child),
      description: child.description,
      atomic: child.children.length === 0,
      reasoning: 'One developer can do it in a sitting and check the outcome.',
      dependencies: index % chain === 0 ? [] : node.children.slice(index - 1, index).map(idOf),
    })),
  };
}
