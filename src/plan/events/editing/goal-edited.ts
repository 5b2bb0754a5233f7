import * as z from 'zod';

import { withPlanStatus } from '../../apply/plan-status.js';
import { withRootDescription } from '../../apply/root-description.js';
import { refusalByClaim } from '../../readiness/claims.js';
import { putGoal } from '../../plan.js';
import { prioritySchema } from '../../schema.js';
import { goalChecksSchema, touchesSchema } from '../../goal-work-schema.js';
import type { Goal } from '../../schema.js';
import { acceptEvent, defineChange, refuse } from '../define-event.js';
import { because, goalId } from '../shared-fields.js';
import { withReason } from '../with-reason.js';

const editedFields = z
  .looseObject({
    description: z.string().min(1).optional(),
    reasoning: z.string().nullable().optional(),
    detail: z.string().nullable().optional(),
    acceptance: z.array(z.string().min(1)).nullable().optional(),
    tags: z.array(z.string()).nullable().optional(),
    priority: prioritySchema.nullable().optional(),
    touches: touchesSchema.nullable().optional(),
    graph_node_id: z.string().min(1).nullable().optional(),
    checks: goalChecksSchema.nullable().optional(),
  })
  .describe('The fields that change; null takes one away.');

/** The words of a goal change. Those of finished work stand; a goal that somebody else holds is his to change. */
export const goalEdited = defineChange({
  type: 'goal_edited',
  fields: { goal: goalId, fields: editedFields, because },
  touches: 'its_goal',
  undoable: true,
  opens: 'found_later',
  apply(plan, event) {
    const goal = plan.goals.get(event.goal);
    if (goal === undefined) return refuse({ code: 'no_goal', goal: event.goal });
    if (goal.status === 'complete') return refuse({ code: 'complete', goal: goal.id });
    const refusal = refusalByClaim(goal, { by: event.by, at: event.at });
    if (refusal !== null) return refuse(refusal);
    const next = putGoal(plan, { ...edited(goal, event.fields), updated_at: event.at });
    return acceptEvent(withPlanStatus(withRootDescription(plan, next), event));
  },
  describe: ({ goal, fields, because }, named) =>
    `edited ${Object.keys(fields).join(', ')} of ${named(goal)}${withReason(because)}`,
});

/** A goal with some fields as they are given; null takes one away, undefined leaves it. */
function edited(goal: Goal, fields: z.infer<typeof editedFields>): Goal {
  const { description, reasoning, detail, acceptance, tags, priority, touches, checks, graph_node_id } =
    fields;
  const draft = { ...goal };
  if (description !== undefined) draft.description = description;
  if (reasoning !== undefined) draft.reasoning = reasoning;
  if (detail === null) delete draft.detail;
  else if (detail !== undefined) draft.detail = detail;
  if (acceptance === null) delete draft.acceptance;
  else if (acceptance !== undefined) draft.acceptance = acceptance;
  if (tags === null) delete draft.tags;
  else if (tags !== undefined) draft.tags = tags;
  if (priority === null) delete draft.priority;
  else if (priority !== undefined) draft.priority = priority;
  if (touches === null) delete draft.touches;
  else if (touches !== undefined) draft.touches = touches;
  if (graph_node_id !== undefined) draft.graph_node_id = graph_node_id;
  if (checks === null) delete draft.checks;
  else if (checks !== undefined) draft.checks = checks;
  return draft;
}
