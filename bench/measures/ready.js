import process from 'node:process';

import { criticalPath } from '../../dist/plan/readiness/dependencies.js';
import { makePlan } from '../../dist/plan/make-plan.js';
import { rankGoals, readyGoalIndexes } from '../../dist/plan/readiness/ready-goals.js';
import { openWork } from '../../dist/plan/readiness/open-work.js';
import { workOrder } from '../../dist/plan/readiness/work-order.js';
import { median } from '../support/statistics.js';
import { goalId } from '../support/stores.js';
import { milliseconds, printTable, ratio, whole } from '../support/table.js';

const PLAN = '0398a958';
const WIDTH = 7;
const ROUNDS = 21;
const SIZES = [2500, 10_000, 40_000];

/** What it takes to find the goals that can start, ranked, and the critical path, in plans of three dependencies a goal. */
export async function measureReady() {
  const rows = [];
  let before = Number.NaN;
  for (const goals of SIZES) {
    const plan = planOf(goals, 3 * goals);
    const [first, ...later] = Array.from({ length: ROUNDS }, () => timeOf(() => readyAndCritical(plan)));
    const usual = median(later);
    const ranked = median(Array.from({ length: ROUNDS }, () => timeOf(() => nextGoals(plan))));
    rows.push([
      whole(goals),
      whole(3 * goals),
      milliseconds(first ?? Number.NaN),
      milliseconds(usual),
      milliseconds(ranked),
      Number.isNaN(before) ? '' : ratio(usual / before),
    ]);
    before = usual;
  }
  printTable(
    `Ready and critical path (10,000 goals: < 100 ms): the first time, and the median of ${ROUNDS - 1}`,
    ['goals', 'dependencies', 'first', 'median', 'ready, ranked', '÷ a fourth of the size (linear: 4)'],
    rows,
  );
}

function readyAndCritical(/** @type {import('../../dist/plan/plan.js').Plan} */ plan) {
  const { ready } = openWork(plan);
  const path = criticalPath(plan);
  if (ready.length === 0 || path.length === 0) throw new Error('the plan has nothing to do');
}

function nextGoals(/** @type {import('../../dist/plan/plan.js').Plan} */ plan) {
  const work = workOrder(plan);
  rankGoals(work, readyGoalIndexes(plan, work), 10);
}

/** Time of the processor, in milliseconds: other programs do not count. */
function timeOf(/** @type {() => void} */ work) {
  const started = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(started);
  return (user + system) / 1000;
}

/** A tree of sevens in which each dependency is on a goal that ends, depth-first, before its dependent starts. */
function planOf(/** @type {number} */ count, /** @type {number} */ dependencies) {
  const goals = Array.from({ length: count }, (_, index) => goalAt(index, count));
  const order = depthFirst(count);
  let seed = 1;
  const random = (/** @type {number} */ below) => {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) & 0x7f_ff_ff_ff;
    return seed % below;
  };
  for (let made = 0; made < dependencies;) {
    const place = 2 + random(count - 2);
    const dependent = order[place] ?? 0;
    const needed = order[Math.max(1, place - 1 - random(count / 5))] ?? 0;
    const goal = goals[dependent];
    if (goal === undefined || needed === 0 || isAbove(needed, dependent)) continue;
    if (goal.dependencies.includes(goalId(PLAN, needed))) continue;
    goal.dependencies.push(goalId(PLAN, needed));
    made += 1;
  }
  const root = { id: PLAN, root_goal_id: goalId(PLAN, 0), status: /** @type {const} */ ('complete') };
  const at = '2026-01-01T00:00:00Z';
  return makePlan({ ...root, created_at: at, updated_at: at, total_tokens: 0, max_depth: 5 }, goals);
}

/** @param {number} index @param {number} count @returns {import('../../dist/plan/schema.js').Goal} */
function goalAt(index, count) {
  const first = WIDTH * index + 1;
  const children = Array.from({ length: WIDTH }, (_, child) => first + child).filter((each) => each < count);
  const at = '2026-01-01T00:00:00Z';
  return {
    id: goalId(PLAN, index),
    description: `Deliver component ${index}`,
    status: children.length > 0 ? 'decomposing' : 'atomic',
    parent_id: index === 0 ? null : goalId(PLAN, parentOf(index)),
    child_ids: children.map((child) => goalId(PLAN, child)),
    depth: 0,
    created_at: at,
    updated_at: at,
    reasoning: null,
    digest: null,
    tokens_used: 0,
    dependencies: [],
    graph_node_id: null,
  };
}

function depthFirst(/** @type {number} */ count) {
  const order = [];
  const stack = [0];
  for (let top = stack.pop(); top !== undefined; top = stack.pop()) {
    order.push(top);
    for (let child = WIDTH * top + WIDTH; child > WIDTH * top; child -= 1)
      if (child < count) stack.push(child);
  }
  return order;
}

function parentOf(/** @type {number} */ index) {
  return Math.floor((index - 1) / WIDTH);
}

function isAbove(/** @type {number} */ above, /** @type {number} */ index) {
  for (let each = index; each > 0; each = parentOf(each)) if (parentOf(each) === above) return true;
  return false;
}
