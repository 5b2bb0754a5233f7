import type { Plan } from '../../src/plan/plan.js';
import { goalOf } from '../../src/plan/plan.js';
import type { Goal, Settings } from '../../src/plan/schema.js';
import type { ExpansionRequest } from '../../src/planning/expander.js';
import { replanningRequest } from '../../src/planning/replanning.js';
import { goal, PLAN_ID, planOf } from './plans.js';

const AT = '2025-11-30T10:00:00Z';

export const SETTINGS: Settings = {
  expander: 'model',
  assess: 'inline',
  order: 'breadth',
  max_depth: 6,
  max_children: 7,
  max_goals: 1000,
  concurrency: 8,
};

/** A goal of a tree that a prompt is about. */
export interface Node extends Partial<
  Pick<Goal, 'acceptance' | 'size' | 'detail' | 'digest' | 'failure' | 'status' | 'claim'>
> {
  readonly goal: string;
  /** 1-based numbers of siblings. */
  readonly after?: readonly number[];
  readonly parts?: readonly Node[];
  /** The prompt is about this one. */
  readonly asked?: true;
  readonly out_of_scope?: string | readonly string[];
}

export interface PromptCase {
  readonly name: string;
  readonly tree: Node;
  readonly settings?: Partial<Settings>;
  /** The goal is planned again, for this reason. */
  readonly because?: string;
  readonly maxChildren?: number;
  readonly promptTokens?: number;
}

/** What is asked about the goal of a tree that is marked. */
export function requestFor(promptCase: PromptCase): ExpansionRequest & { readonly settings: Settings } {
  const settings = { ...SETTINGS, ...promptCase.settings };
  const found: { asked?: string } = {};
  const plan = planOf([...goalsOf(promptCase.tree, null, 'root', found)], { settings });
  const asked = goalOf(plan, found.asked ?? plan.header.root_goal_id);
  const { because } = promptCase;
  if (because !== undefined) return { ...again(plan, asked, settings, because), settings };
  return { plan, goal: asked, maxChildren: promptCase.maxChildren ?? settings.max_children, settings };
}

function again(plan: Plan, asked: Goal, settings: Settings, because: string): ExpansionRequest {
  const expander = { kind: 'model' as const, expand: () => Promise.reject(new Error('is not asked')) };
  const newGoalId = () => 'x';
  return replanningRequest({ plan, goal: asked, because, at: AT, settings, expander, newGoalId, moved: [] });
}

function* goalsOf(
  node: Node,
  parent: { readonly id: string; readonly depth: number } | null,
  suffix: string,
  found: { asked?: string },
): Generator<Goal> {
  const { goal: description, after = [], parts = [], asked, ...fields } = node;
  const id = `${PLAN_ID}-${suffix}`;
  if (asked === true) found.asked = id;
  const prefix = parent === null ? 'g' : `${suffix}_`;
  const own = goal(suffix, {
    description,
    parent_id: parent?.id ?? null,
    depth: parent === null ? 0 : parent.depth + 1,
    child_ids: parts.map((_, index) => `${PLAN_ID}-${prefix}${index + 1}`),
    status: parts.length > 0 ? 'decomposing' : asked === true ? 'pending' : 'atomic',
    dependencies: after.map((number) => id.replace(/\d+$/, String(number))),
    ...fields,
  });
  yield own;
  for (const [index, part] of parts.entries()) yield* goalsOf(part, own, `${prefix}${index + 1}`, found);
}
