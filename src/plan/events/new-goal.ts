import * as z from 'zod';

import { holdSchema, prioritySchema, sourceSchema } from '../schema.js';
import { goalChecksSchema, touchesSchema } from '../goal-work-schema.js';
import type { Goal } from '../schema.js';
import { goalId } from './shared-fields.js';

/** A goal as an event adds it. */
export const newGoalSchema = z
  .looseObject({
    id: goalId,
    description: z.string().min(1),
    atomic: z.boolean().nullable().describe('The verdict given with it; null when it was not judged.'),
    reasoning: z.string().nullable(),
    dependencies: z
      .array(goalId)
      .describe('In an expansion its earlier siblings; where goals are added later, any goal of the plan.'),
    detail: z.string().optional(),
    acceptance: z.array(z.string().min(1)).optional(),
    size: z.string().min(1).optional(),
    source: sourceSchema.optional(),
    tags: z.array(z.string()).optional(),
    priority: prioritySchema.optional(),
    on_hold: holdSchema.optional(),
    action_plans: z.array(z.string()).optional(),
    touches: touchesSchema.optional(),
    graph_node_id: z.string().min(1).optional(),
    checks: goalChecksSchema.optional(),
    complete: z.boolean().optional().describe('Already done, as a checked item of a document is.'),
  })
  .meta({ title: 'New goal' });

export type NewGoal = z.infer<typeof newGoalSchema>;

/** Returns what a goal that was to be done as it is says of its work, for a sub-goal that takes that over. */
export function workOf(goal: Goal): Pick<NewGoal, (typeof WORK_MEMBERS)[number]> {
  const work = WORK_MEMBERS.filter((name) => goal[name] !== undefined).map(
    (name) => [name, goal[name]] as const,
  );
  return { description: goal.description, ...Object.fromEntries(work) };
}

/** Returns a goal as it is once a sub-goal has taken its work away: its words it keeps. */
export function withoutWork(goal: Goal): Goal {
  const { action_plans: _plans, checks: _checks, size: _size, touches: _touches, ...rest } = goal;
  return { ...rest, graph_node_id: null };
}

const WORK_MEMBERS = [
  'description',
  'detail',
  'acceptance',
  'size',
  'tags',
  'action_plans',
  'touches',
  'checks',
] as const;
