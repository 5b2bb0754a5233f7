import * as z from 'zod';

import { decisionLine, decisionsInForce } from '../../plan/decisions.js';
import type { DecisionInForce } from '../../plan/decisions.js';
import type { Plan } from '../../plan/plan.js';
import type { Goal } from '../../plan/schema.js';
import { depthFirst, numberOf } from '../../plan/tree.js';

/** A decision as reports have it. */
export const reportDecisionSchema = z
  .object({
    goal: z.string().describe('The goal that it is kept with; it holds for everything below.'),
    number: z.string().describe('The number of that goal; empty for the root.'),
    what: z.string(),
    choice: z.string().nullable().describe('null while it is open.'),
    decided_by: z.string().nullable().describe('The goal that makes the choice, where it is open.'),
    confirmed: z.boolean().describe('Whether somebody made it; otherwise it was chosen while planning.'),
    line: z.string().describe('The decision in one line.'),
  })
  .readonly();

export type ReportDecision = z.output<typeof reportDecisionSchema>;

/** Lists what was decided for a goal, from the root down. */
export function decisionsOfGoal(plan: Plan, goal: Goal): readonly ReportDecision[] {
  return decisionsInForce(plan, goal).map((one) => reported(plan, one));
}

/** Lists what was decided anywhere in a plan, in the order of the tree. */
export function decisionsOfPlan(plan: Plan): readonly ReportDecision[] {
  if (![...plan.goals.values()].some(({ decisions }) => decisions !== undefined)) return [];
  return Array.from(depthFirst(plan), ({ goal }) => goal).flatMap((holder) =>
    (holder.decisions ?? []).map((decision) => reported(plan, { decision, holder })),
  );
}

function reported(plan: Plan, { decision, holder }: DecisionInForce): ReportDecision {
  return {
    goal: holder.id,
    number: numberOf(plan, holder),
    what: decision.what,
    choice: decision.choice,
    decided_by: decision.decided_by ?? null,
    confirmed: decision.confirmed === true,
    line: decisionLine(plan, decision),
  };
}
