import { readFileSync } from 'node:fs';

import { makePlan, planFromFile } from '../../src/plan/make-plan.js';
import type { Plan } from '../../src/plan/plan.js';
import { planFileSchema } from '../../src/plan/schema.js';
import type { Goal, PlanHeader } from '../../src/plan/schema.js';

export const PLAN_ID = 'a1b2c3d4';
const AT = '2025-11-30T10:00:00Z';

/** The text of a file below `test/fixtures`. */
export function readFixture(path: string): string {
  return readFileSync(new URL(`../fixtures/${path}`, import.meta.url), 'utf8');
}

/** The complete example of the plan file format: a root with one goal complete, one atomic, one pending. */
export function examplePlan(): Plan {
  return planFromFile(planFileSchema.parse(JSON.parse(readFixture('plans/complete-example.json'))));
}

/** A pending goal without children; `suffix` is the part of its id after the plan's. */
export function goal(suffix: string, fields: Partial<Goal> = {}): Goal {
  return {
    id: `${PLAN_ID}-${suffix}`,
    description: `Goal ${suffix}`,
    status: 'pending',
    parent_id: null,
    child_ids: [],
    depth: 0,
    created_at: AT,
    updated_at: AT,
    reasoning: null,
    digest: null,
    tokens_used: 0,
    dependencies: [],
    graph_node_id: null,
    ...fields,
  };
}

/** A plan of these goals, the first of them its root. */
export function planOf(goals: readonly Goal[], header: Partial<PlanHeader> = {}): Plan {
  const root = goals[0] ?? goal('root');
  return makePlan(
    {
      id: PLAN_ID,
      root_goal_id: root.id,
      description: root.description,
      status: 'in_progress',
      created_at: AT,
      updated_at: AT,
      total_tokens: 0,
      max_depth: goals.reduce((deepest, { depth }) => Math.max(deepest, depth), 0),
      ...header,
    },
    goals,
  );
}

/**
 * A plan with one goal a description: a tree in which goal `i` is a child of goal `floor((i - 1) / branching)`,
 * and each goal but the first of its siblings depends on the one before it. A branching of 1 is a chain.
 */
export function treePlan(descriptions: readonly string[], branching: number): Plan {
  const depths: number[] = [];
  const goals = descriptions.map((description, index) => {
    const parent = Math.floor((index - 1) / branching);
    const depth = index === 0 ? 0 : (depths[parent] ?? 0) + 1;
    depths.push(depth);
    const children = Array.from({ length: branching }, (_, child) => index * branching + 1 + child);
    const child_ids = children.filter((child) => child < descriptions.length).map((child) => idAt(child));
    const hasElder = index > 0 && (index - 1) % branching > 0;
    return goal(suffixAt(index), {
      description,
      depth,
      status: child_ids.length > 0 ? 'decomposing' : 'atomic',
      parent_id: index === 0 ? null : idAt(parent),
      child_ids,
      dependencies: hasElder ? [idAt(index - 1)] : [],
      reasoning: description,
    });
  });
  return planOf(goals);
}

function idAt(index: number): string {
  return `${PLAN_ID}-${suffixAt(index)}`;
}

function suffixAt(index: number): string {
  return index === 0 ? 'root' : `g${index}`;
}
