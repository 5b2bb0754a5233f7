import fc from 'fast-check';
import { DirectedGraph } from 'graphology';
import { hasCycle } from 'graphology-dag';

import type { Plan } from '../../src/plan/plan.js';
import type { Goal } from '../../src/plan/schema.js';
import { goal, PLAN_ID, planOf } from './plans.js';

const SUFFIX = (index: number) => (index === 0 ? 'root' : `g${index}`);
const ID = (index: number) => `${PLAN_ID}-${SUFFIX(index)}`;

interface Drawn {
  /** For each goal but the root, which of those before it is its parent. */
  readonly parents: readonly number[];
  readonly dependencies: readonly (readonly [number, number])[];
  readonly statuses: readonly ('atomic' | 'pending' | 'failed' | 'complete')[];
}

const MOST = 16;
const drawn: fc.Arbitrary<Drawn> = fc.record({
  parents: fc.array(fc.nat(), { minLength: 1, maxLength: MOST }),
  dependencies: fc.array(fc.tuple(fc.nat(MOST), fc.nat(MOST)), { maxLength: 20 }),
  statuses: fc.array(fc.constantFrom('atomic', 'atomic', 'complete', 'pending', 'failed'), {
    minLength: MOST + 1,
    maxLength: MOST + 1,
  }),
});

/** Plans whose goals may wait for each other in a circle, but are sound otherwise. */
export const entangledPlans: fc.Arbitrary<Plan> = drawn.map((shape) => planOfShape(shape, () => true));

/** Sound plans: of the dependencies drawn, those that close no circle. */
export const soundPlans: fc.Arbitrary<Plan> = drawn.map((shape) =>
  planOfShape(shape, (goals) => !isCircular(goals)),
);

/** Whether goals wait for each other, asked of a graph library; every dependency counts, also of what is complete. */
export function isCircular(goals: readonly Goal[]): boolean {
  const graph = new DirectedGraph({ allowSelfLoops: true });
  for (const { id } of goals) for (const node of [`>${id}`, `<${id}`]) graph.addNode(node);
  for (const { id, child_ids, dependencies } of goals) {
    if (child_ids.length === 0) graph.mergeEdge(`>${id}`, `<${id}`);
    for (const child of child_ids) {
      graph.mergeEdge(`>${id}`, `>${child}`);
      graph.mergeEdge(`<${child}`, `<${id}`);
    }
    for (const dependency of dependencies) graph.mergeEdge(`<${dependency}`, `>${id}`);
  }
  return hasCycle(graph);
}

function planOfShape(shape: Drawn, accepts: (goals: readonly Goal[]) => boolean): Plan {
  const parents = [-1, ...shape.parents.map((parent, index) => parent % (index + 1))];
  let goals = parents.map((parent, index) =>
    goal(SUFFIX(index), {
      parent_id: parent === -1 ? null : ID(parent),
      child_ids: parents.flatMap((above, child) => (above === index ? [ID(child)] : [])),
      depth: depthOf(parents, index),
    }),
  );
  for (const [from, to] of shape.dependencies) {
    const [dependent, needed] = [from % parents.length, to % parents.length];
    if (isAbove(parents, dependent, needed) || isAbove(parents, needed, dependent)) continue;
    const more = goals.map((each, index) =>
      index === dependent && !each.dependencies.includes(ID(needed))
        ? { ...each, dependencies: [...each.dependencies, ID(needed)] }
        : each,
    );
    if (accepts(more)) goals = more;
  }
  return planOf(withStatuses(goals, shape.statuses));
}

/** From the last to the first, so that children have theirs before their parents. */
function withStatuses(goals: readonly Goal[], statuses: Drawn['statuses']): readonly Goal[] {
  const done = new Map<string, Goal>();
  for (const [index, each] of [...goals.entries()].toReversed()) {
    const { child_ids } = each;
    const finished = child_ids.every((id) => done.get(id)?.status === 'complete');
    const status = child_ids.length === 0 ? statuses[index] : finished ? 'complete' : 'decomposing';
    done.set(each.id, { ...each, status: status ?? 'atomic' });
  }
  return goals.map((each) => done.get(each.id) ?? each);
}

function depthOf(parents: readonly number[], index: number): number {
  const parent = parents[index] ?? -1;
  return parent === -1 ? 0 : depthOf(parents, parent) + 1;
}

function isAbove(parents: readonly number[], above: number, index: number): boolean {
  if (above === index) return true;
  const parent = parents[index] ?? -1;
  return parent !== -1 && isAbove(parents, above, parent);
}
