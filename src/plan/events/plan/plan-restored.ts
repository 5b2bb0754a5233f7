import * as z from 'zod';

import { withPlanStatus } from '../../apply/plan-status.js';
import { checkInvariants } from '../../invariants.js';
import { planFromFile } from '../../make-plan.js';
import { planFileSchema } from '../../schema.js';
import { restateAncestors } from '../../apply/ancestors.js';
import { restoreParts } from '../../apply/restore-parts.js';
import type { RestoredParts } from '../../apply/restore-parts.js';
import { goalId } from '../shared-fields.js';
import type { Plan } from '../../plan.js';
import type { PlanFile } from '../../schema.js';
import { acceptEvent, defineChange, refuse } from '../define-event.js';

/** The state of a plan file is taken as it is, or what of it was lost: what others did meanwhile stays then. */
export const planRestored = defineChange({
  type: 'plan_restored',
  fields: {
    plan: planFileSchema.describe('The state from here on, as a plan file said it.'),
    reason: z.string(),
    only: z
      .object({
        header: z.array(z.string()).describe('Members beside the goals.'),
        goals: z.record(goalId, z.array(z.string())).describe('Members of goals, by goal.'),
      })
      .optional()
      .describe('What of that state counts; the rest of the plan stays as it is.'),
  },
  touches: 'any_goal',
  undoable: false,
  opens: 'found_later',
  apply(plan, event) {
    if (event.plan.id !== plan.header.id) return refuse({ code: 'other_plan', plan: event.plan.id });
    const { only } = event;
    const problem =
      checkInvariants(event.plan)[0] ??
      (only === undefined ? undefined : partsProblem(plan, event.plan, only));
    if (problem === undefined) {
      const next =
        only === undefined ? planFromFile(event.plan) : restoredParts(plan, event.plan, only, event.at);
      return acceptEvent(withPlanStatus(next, event));
    }
    return refuse({
      code: 'invalid_plan',
      source: 'plan_file',
      path: problem.path,
      problem: problem.message,
    });
  },
  describe: ({ reason }) => `restored the plan from its file: ${reason}`,
});

function partsProblem(plan: Plan, file: PlanFile, only: RestoredParts) {
  const next = restoreParts(plan, file, only);
  return checkInvariants({ ...next.header, goals: Object.fromEntries(next.goals) })[0];
}

function restoredParts(plan: Plan, file: PlanFile, only: RestoredParts, at: string): Plan {
  return Object.keys(only.goals).reduce(
    (next, id) => (next.goals.has(id) ? restateAncestors(next, id, at) : next),
    restoreParts(plan, file, only),
  );
}
