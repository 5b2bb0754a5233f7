import * as fc from 'fast-check';
import { expect, test } from 'vitest';

import { endOfGoal, goalGraph, startOfGoal, workGraph } from '../../src/plan/goal-graph.js';
import { workOrder } from '../../src/plan/readiness/work-order.js';
import { entangledPlans } from '../support/random-plans.js';

test('the graph of work is that which the quick commands ask in whole numbers', () => {
  fc.assert(
    fc.property(entangledPlans, (plan) => {
      const { goals, first, next } = workOrder(plan, 'every');
      const nameOf = (node: number) => {
        const id = goals[Math.floor(node / 2)]?.goal.id ?? '';
        return node % 2 === 0 ? startOfGoal(id) : endOfGoal(id);
      };
      const arrows = Array.from({ length: 2 * goals.length }, (_one, node) =>
        Array.from(
          next.subarray(first[node], first[node + 1]),
          (after) => `${nameOf(node)} → ${nameOf(after)}`,
        ),
      ).flat();
      const edges = workGraph(plan).mapEdges((_edge, _members, from, to) => `${from} → ${to}`);
      expect(edges.toSorted()).toEqual([...new Set(arrows)].toSorted());
    }),
  );
});

test('the graph of goals has an edge for each part and for each dependency', () => {
  fc.assert(
    fc.property(entangledPlans, (plan) => {
      const graph = goalGraph(plan);
      expect(graph.nodes().toSorted()).toEqual([...plan.goals.keys()].toSorted());
      for (const { id, parent_id, dependencies } of plan.goals.values()) {
        const into = graph.mapInEdges(id, (_edge, { kind }, from) => `${kind} ${from}`);
        const wanted = [
          ...(parent_id === null ? [] : [`child ${parent_id}`]),
          ...dependencies.map((each) => `dependency ${each}`),
        ];
        expect(into.toSorted()).toEqual([...new Set(wanted)].toSorted());
      }
    }),
  );
});
