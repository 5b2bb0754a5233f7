import * as z from 'zod';

import { drawTree } from '../../exports/drawn-tree.js';
import type { TreePart, TreeView } from '../../exports/drawn-tree.js';
import { pictureOf } from '../../exports/picture.js';
import { CORE_FORMATS, EXPORT_FORMATS, formatNames } from '../../exports/registry.js';
import type { Formats, RenderPlan } from '../../exports/registry.js';
import type { Plan } from '../../plan/plan.js';
import { summarySchema } from '../../plan/schema.js';
import type { Summary } from '../../plan/schema.js';
import { defineOperation } from '../operation.js';
import { choice, planArgument, whole } from '../shared/fields.js';
import { readPlan } from '../shared/find-plan.js';
import { numberedGoals } from '../shared/numbered-goals.js';
import type { GoalWithNumber } from '../shared/numbered-goals.js';
import { numberedGoal } from '../shared/report-schemas.js';
import { goalFilterFields, goalsLookedFor } from './goal-filter.js';
import { exportedPlanSchema, viewerWarnings } from './exported-plan.js';
import type { ExportedPlan } from './exported-plan.js';
import { timeNow } from '../shared/environment.js';
import { summaryAt } from '../../plan/readiness/plan-progress.js';

export { drawTree };
export type { TreeStyle } from '../../exports/drawn-tree.js';

/** A plan and every goal of it. */
export interface PlanTree {
  readonly plan: Summary;
  /** Depth-first. */
  readonly goals: readonly GoalWithNumber[];
  readonly format: 'ascii' | 'mermaid' | 'dot';
  /** The tree in that format; for a terminal without any styling. */
  readonly text: string;
  /** The tree for a terminal, dressed and as wide as it is. */
  draw(this: void, view: TreeView): string;
}

/**
 * Makes the operation that gives a plan and every goal of it, depth-first.
 * @param formats those that a plan can be written in @throws PlanError PLAN_NOT_FOUND
 */
export function planTreeIn(formats: Formats) {
  return defineOperation({
    arguments: ['plan'],
    input: z.strictObject({
      plan: planArgument(),
      format: choice(['ascii', 'mermaid', 'dot'], 'how to draw it', { value: 'format' }),
      ...goalFilterFields(),
      depth: whole('the deepest level to draw; the goals below it are only counted'),
    }),
    output: z.union([
      z.object({ plan: summarySchema, goals: z.array(numberedGoal).readonly() }),
      exportedPlanSchema(formatNames(formats)),
    ]),
    examples: [
      'plan tree',
      'plan tree --depth 2',
      'plan tree --status ready --text export',
      'plan tree --format mermaid > plan.mmd',
    ],
    mutates: false,
    async run(context, { plan: name, format = 'ascii', depth, ...filter }) {
      const plan = await readPlan(context, name);
      const at = timeNow(context.environment);
      const isLookedFor = goalsLookedFor(plan, at, filter);
      const found = isLookedFor === null ? undefined : [...plan.goals.values()].filter(isLookedFor);
      const goals = found && new Set(found.map(({ id }) => id));
      return treeOf(plan, format, { at, depth, goals }, await EXPORT_FORMATS[format].load());
    },
    document: (tree) =>
      tree.format === 'ascii' ? { plan: tree.plan, goals: tree.goals } : exported(tree, tree.format),
  });
}

/** The operation, of a plan that can be written in the formats of the core. */
export const planTree = planTreeIn(CORE_FORMATS);

function treeOf(plan: Plan, format: PlanTree['format'], part: TreePart, render: RenderPlan): PlanTree {
  const { depth = Number.POSITIVE_INFINITY, goals } = part;
  return {
    plan: summaryAt(plan, part.at),
    goals: numberedGoals(plan, part.at).filter(
      ({ id, depth: level }) => level <= depth && goals?.has(id) !== false,
    ),
    format,
    // Whoever has a style of his own, or wants the goals alone, does not wait for it.
    get text() {
      return format === 'ascii' ? drawTree(plan, part) : render(plan, pictureOf(plan, part));
    },
    draw: (view) => drawTree(plan, part, view),
  };
}

function exported({ plan, text }: PlanTree, format: ExportedPlan['format']): ExportedPlan {
  return { plan: plan.id, format, file: null, content: text, ...viewerWarnings(format, text) };
}
