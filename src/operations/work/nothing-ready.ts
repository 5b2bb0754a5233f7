import * as z from 'zod';

import { liveClaim } from '../../plan/readiness/claims.js';
import { openWork } from '../../plan/readiness/open-work.js';
import { isWaiting } from '../../plan/plan.js';
import type { Plan } from '../../plan/plan.js';
import { depthFirst } from '../../plan/tree.js';
import { blockedGoalSchema, claimedGoalSchema, heldGoal, heldGoalSchema } from '../shared/report-schemas.js';

/** As many goals as a reason names; the counts are of all. */
const MOST_NAMED = 100;

/**
 * Why no goal can start. `code` is what has to happen first: `archived` the plan comes back; `all_done` nothing; `claimed` somebody finishes
 * or loses what he holds; `failed` a failed goal is reopened or planned in another way; `to_plan` goals are
 * divided; `on_hold` a hold ends; `waiting` something else, in a plan that was made elsewhere.
 */
export const nothingReadySchema = z
  .object({
    code: z.enum(['archived', 'all_done', 'claimed', 'failed', 'to_plan', 'on_hold', 'waiting']),
    message: z.string(),
    claimed: z.array(claimedGoalSchema).readonly(),
    until: z.string().nullable().describe('When the first of these claims ends.'),
    failed: z.array(z.string()).readonly().describe('Goals that were given up.'),
    to_plan: z.array(z.string()).readonly().describe('Goals that are not judged or not divided yet.'),
    on_hold: z.array(heldGoalSchema).readonly(),
    waiting: z.array(blockedGoalSchema).readonly(),
    counts: z.object({
      claimed: z.number(),
      failed: z.number(),
      to_plan: z.number(),
      on_hold: z.number(),
      waiting: z.number(),
    }),
  })
  .readonly();

export type NothingReady = z.output<typeof nothingReadySchema>;

/** Why nothing of a plan is ready to start at a moment. */
export function reasonForNone(plan: Plan, at: string): NothingReady {
  const { ready, blocked, held } = openWork(plan, at);
  const claimed = ready.flatMap((goal) => {
    const claim = liveClaim(goal, at);
    return claim === null ? [] : [{ goal: goal.id, by: claim.by, expires_at: claim.expires_at }];
  });
  const leaves = [...depthFirst(plan)].map(({ goal }) => goal);
  const failed = leaves.filter(({ status }) => status === 'failed').map(({ id }) => id);
  const toPlan = leaves.filter(isWaiting).map(({ id }) => id);
  const counts = {
    claimed: claimed.length,
    failed: failed.length,
    to_plan: toPlan.length,
    on_hold: held.length,
    waiting: blocked.length,
  };
  const until = claimed.map(({ expires_at }) => expires_at).toSorted(byTime)[0] ?? null;
  return {
    ...(isArchived(plan)
      ? { code: 'archived', message: `plan ${plan.header.id} is archived` }
      : { code: codeOf(counts), message: messageOf(counts, until, claimed[0]?.by ?? '') }),
    claimed: claimed.slice(0, MOST_NAMED),
    until,
    failed: failed.slice(0, MOST_NAMED),
    to_plan: toPlan.slice(0, MOST_NAMED),
    on_hold: held.slice(0, MOST_NAMED).map(heldGoal),
    waiting: blocked
      .slice(0, MOST_NAMED)
      .map(({ goal, waitingFor }) => ({ goal: goal.id, waiting_for: waitingFor.slice(0, MOST_NAMED) })),
    counts,
  };
}

/** Whether a plan is in the archive, where no goal of it can start. */
export function isArchived({ header }: Plan): boolean {
  return typeof header.archived_at === 'string';
}

function codeOf({
  claimed,
  failed,
  to_plan,
  on_hold,
  waiting,
}: NothingReady['counts']): NothingReady['code'] {
  if (claimed > 0) return 'claimed';
  if (failed > 0) return 'failed';
  if (to_plan > 0) return 'to_plan';
  if (on_hold > 0) return 'on_hold';
  return waiting > 0 ? 'waiting' : 'all_done';
}

function messageOf(counts: NothingReady['counts'], until: string | null, by: string): string {
  const { claimed, failed, to_plan, on_hold, waiting } = counts;
  const parts = [
    ...(claimed === 0
      ? []
      : [
          claimed === 1
            ? `1 goal is claimed, by ${by} until ${until}`
            : `${claimed} goals are claimed, the first until ${until}`,
        ]),
    ...(failed === 0 ? [] : [`${failed} failed`]),
    ...(to_plan === 0 ? [] : [`${to_plan} still to be planned`]),
    ...(on_hold === 0 ? [] : [`${on_hold} on hold`]),
    ...(waiting === 0 ? [] : [`${waiting} waiting for others`]),
  ];
  return parts.length === 0 ? 'every goal is done' : `no goal can start: ${parts.join('; ')}`;
}

function byTime(a: string, b: string): number {
  return Date.parse(a) - Date.parse(b);
}
