import { isSameJson } from '../../kernel/json/same-json.js';
import { PlanError } from '../../kernel/errors.js';
import type { Plan } from '../../plan/plan.js';
import { liveClaim, withoutClaim } from '../../plan/readiness/claims.js';
import type { Goal } from '../../plan/schema.js';
import type { PlanLog } from '../../storage/plan-store.js';
import { goalInWords } from '../../plan/goal-in-words.js';
import type { ChangeOfGoal } from './whole-changes.js';

/** Who takes something back, when, and whether others may lose a claim by it. */
export interface Asking {
  readonly by: string;
  readonly at: string;
  readonly force: boolean;
}

/** The error when a change that is undone would cost somebody else a claim that he still holds; else null. */
export function claimLostByUndoing(
  plan: Plan,
  goals: readonly ChangeOfGoal[],
  { by, at }: Pick<Asking, 'by' | 'at'>,
): PlanError | null {
  for (const { goal: id, before } of goals) {
    const goal = plan.goals.get(id);
    const claim = goal === undefined ? null : liveClaim(goal, at);
    if (goal === undefined || claim === null || claim.by === by || before?.claim?.token === claim.token)
      continue;
    return new PlanError(
      'REFUSED',
      `${claim.by} holds ${goalInWords(plan, goal)} until ${claim.expires_at}`,
      {
        hint: {
          commandLine:
            '--force takes the claim away with it; --skip passes over this change to the one before it.',
        },
        details: { plan: plan.header.id, goal: id, claimed_by: claim.by, expires_at: claim.expires_at },
      },
    );
  }
  return null;
}

/**
 * A change of a goal to be taken back, where nobody changed more of the goal since than who holds it. Then it goes from what it
 * is now, and its claim goes with it, but for one of the one who asks. Where more has changed, or nothing, the change as it was.
 */
export function withCurrentClaim(
  change: ChangeOfGoal,
  plan: Plan,
  { by, at }: Pick<Asking, 'by' | 'at'>,
): ChangeOfGoal {
  const { goal, before, after } = change;
  const now = plan.goals.get(goal);
  if (now === undefined || after === null || isSameJson(now, after) || !isSameJson(bare(now), bare(after)))
    return change;
  const isAboutClaim = !isSameJson(before?.claim ?? null, after.claim ?? null);
  if (before === null || isAboutClaim) return { goal, before, after: now };
  const held = liveClaim(now, at);
  const isKept = held?.by === by && before.status === 'atomic';
  return { goal, before: isKept ? { ...before, claim: held } : withoutClaim(before), after: now };
}

/** Returns changes to be taken back without the claims of `plan work` that they ended: the work is over, and nobody holds them. */
export async function withoutEndedWork(changes: ChangeOfGoal[], log: PlanLog): Promise<ChangeOfGoal[]> {
  if (!changes.some(endsClaim)) return changes;
  const worked = new Set(
    (await log.events()).flatMap((event) => (event.type === 'work_attempted' ? [event.token] : [])),
  );
  return changes.map((change) => {
    const { before } = change;
    if (before === null || !endsClaim(change) || !worked.has(before.claim?.token ?? '')) return change;
    return { ...change, before: withoutClaim(before) };
  });
}

function endsClaim({ before, after }: ChangeOfGoal): boolean {
  return before?.claim !== undefined && after?.claim === undefined;
}

/** A goal without what a claim that comes and goes changes of it. */
function bare(goal: Goal): Omit<Goal, 'claim' | 'updated_at'> {
  const { updated_at: _time, ...rest } = withoutClaim(goal);
  return rest;
}
