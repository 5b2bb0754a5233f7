import type { Plan } from '../../src/plan/plan.js';
import { depthFirst } from '../../src/plan/tree.js';
import type { TreeNode } from './model-server.js';

/** A goal without its id: what two trees that mean the same have in common. */
export interface Shape {
  readonly description: string;
  readonly status: string;
  readonly dependencies: readonly number[];
  readonly children: readonly Shape[];
}

/** The tree of a plan without ids and times; dependencies as the siblings' numbers. */
export function shapeOf(plan: Plan): Shape {
  const shape = (id: string): Shape => {
    const goal = plan.goals.get(id);
    if (goal === undefined) throw new TypeError(`no goal ${id}`);
    const siblings = goal.parent_id === null ? [] : (plan.goals.get(goal.parent_id)?.child_ids ?? []);
    return {
      description: goal.description,
      status: goal.status,
      dependencies: goal.dependencies.map((dependency) => siblings.indexOf(dependency) + 1),
      children: goal.child_ids.map(shape),
    };
  };
  return shape(plan.header.root_goal_id);
}

/** The shape that a tree known beforehand must come out as. */
export function shapeOfNode(node: TreeNode): Shape {
  const children = node.children ?? [];
  return {
    description: node.description,
    status: node.atomic ? 'atomic' : 'decomposing',
    dependencies: [...(node.depends_on ?? [])].toSorted((a, b) => a - b),
    children: children.map(shapeOfNode),
  };
}

/** Goals of a tree known beforehand. */
export function countNodes(node: TreeNode): number {
  return 1 + (node.children ?? []).reduce((sum, child) => sum + countNodes(child), 0);
}

export function innerNodes(node: TreeNode): number {
  return (node.atomic ? 0 : 1) + (node.children ?? []).reduce((sum, child) => sum + innerNodes(child), 0);
}

/** Descriptions in depth-first order. */
export function descriptions(plan: Plan): readonly string[] {
  return Array.from(depthFirst(plan), ({ goal }) => goal.description);
}
