import * as z from 'zod';

import { PlanError } from '../../kernel/errors.js';
import type { CoreLibrary } from '../../operations/library.js';
import { planMeantByGoals } from '../../operations/shared/find-plan.js';

/** The plan of a tool. */
export const planField = () =>
  z.string().optional().describe('Plan id or its start; default: the only open plan');

/** A field for a number of at least 1 that may be left out, with its greatest value. */
export const upTo = (most: number) => z.number().int().min(1).max(most).optional();

/** How long the text of a tool may be. */
export const tokensField = () => z.number().int().min(200).max(9000).default(3000);

/** Seconds to wait: below what hosts wait for an answer. */
export const waitField = () => upTo(50);

/** Whether a plan is open, for the field `plan` of a tool: it has something to plan or to do, or something failed. */
export function isPlanOpen({
  pending_goals,
  complete_goals,
  atomic_goals,
  failed_goals,
}: Readonly<Record<'pending_goals' | 'complete_goals' | 'atomic_goals' | 'failed_goals', number>>): boolean {
  return pending_goals > 0 || failed_goals > 0 || complete_goals < atomic_goals;
}

/**
 * The plan that an MCP tool call means by its field `plan`: the one named, else the only one that is open, else
 * the one that commands mean.
 * @param cure how one of several is named, where the tool has no such field
 * @throws PlanError AMBIGUOUS_NAME where several are open
 */
export async function planOfCall(
  library: CoreLibrary,
  named: string | undefined,
  cure = 'Name one as plan',
): Promise<string | undefined> {
  if (named !== undefined) return named;
  const { plans } = await library.list();
  const open = plans.filter(isPlanOpen);
  if (open.length > 1)
    throw new PlanError('AMBIGUOUS_NAME', `${open.length} plans are open`, {
      hint: [
        `${cure}: ${open
          .slice(0, 5)
          .map(({ id }) => id)
          .join(', ')}. plan_status without plan lists them.`,
      ],
    });
  return open[0]?.id;
}

/**
 * The plan that a tool call about a goal means: like {@link planOfCall}, but a full id of a goal names its plan itself.
 * @throws PlanError AMBIGUOUS_NAME where several are open
 */
export async function planOfGoalCall(
  library: CoreLibrary,
  { plan, goal }: { readonly plan?: string | undefined; readonly goal?: string | undefined },
  cure?: string,
): Promise<string | undefined> {
  return planOfCall(library, planMeantByGoals(plan, [goal]), cure);
}

/**
 * The field for the status of a plan as an MCP tool answers it: as it is stored, but `planned` where nothing is left
 * to plan and work is left to do, for whoever reads `complete` stops there.
 */
export function statusOfPlan(
  plan: Readonly<Record<'pending_goals' | 'complete_goals' | 'atomic_goals' | 'failed_goals', number>> & {
    readonly status: string;
  },
): string {
  return plan.status === 'complete' && isPlanOpen(plan) ? 'planned' : plan.status;
}
