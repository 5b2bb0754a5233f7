import type { Hint } from '../../kernel/hint.js';
import { joinHints, hintStep } from '../../kernel/hint.js';
import { PlanError } from '../../kernel/errors.js';
import type { PlanErrorOptions } from '../../kernel/errors.js';
import type { Plan } from '../../plan/plan.js';
import { liveClaim } from '../../plan/readiness/claims.js';
import { wordRefusal } from '../../plan/refusals.js';
import type { Refusal } from '../../plan/refusals.js';
import type { Goal } from '../../plan/schema.js';
import { numberOf } from '../../plan/tree.js';
import { namedGoal } from '../../plan/goal-in-words.js';

/**
 * Refuses a token that is empty, and gives back any other; nothing is no token.
 * @throws PlanError INVALID_INPUT for an empty one
 */
export function givenToken(token: string | undefined): string | undefined {
  if (token === undefined || token !== '') return token;
  throw new PlanError('INVALID_INPUT', 'the token is empty', {
    hint: ['Give the one that ', hintStep('claim'), ' gave, or leave it out.'],
  });
}

/**
 * The error for work that was refused: REFUSED, with who holds the goal until when if somebody does;
 * WRONG_STATE with its status when it is not one that is worked on.
 */
export function refusedWork(
  plan: Plan,
  goalId: string,
  at: string,
  refusal: Refusal,
  options: PlanErrorOptions = {},
): PlanError {
  const message = wordRefusal(refusal, (id) => namedGoal(plan, id));
  const goal = plan.goals.get(goalId);
  const common = { plan: plan.header.id, goal: goalId, refusal, ...options.details };
  if (goal === undefined) return new PlanError('REFUSED', message, { ...options, details: common });
  const claim = liveClaim(goal, at);
  if (claim !== null) {
    const { by, expires_at } = claim;
    return new PlanError('REFUSED', message, {
      hint: [
        hintStep('next'),
        ' finds another goal; ',
        { commandLine: '`plan release --force`', tools: 'a person, on the command line,' },
        ' takes a claim from its holder.',
      ],
      ...options,
      details: { ...common, claimed_by: by, expires_at },
    });
  }
  const code = goal.status === 'atomic' ? 'REFUSED' : 'WRONG_STATE';
  const hint = joinHints(options.hint, wayOn(plan, goal));
  return new PlanError(code, message, {
    ...(hint === undefined ? {} : { hint }),
    details: { ...common, status: goal.status },
  });
}

/** The command that goes on from a goal that cannot be worked on as it stands. */
function wayOn(plan: Plan, goal: Goal): Hint | undefined {
  if (goal.child_ids.length > 0) return [hintStep('next'), ' shows which of its sub-goals can start.'];
  const number = numberOf(plan, goal);
  return goal.status === 'complete' || goal.status === 'failed'
    ? [hintStep('reopen', number === '' ? 'root' : number), ' makes it one to be done again.']
    : undefined;
}
