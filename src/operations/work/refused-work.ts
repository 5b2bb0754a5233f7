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
 * Whether what came of work is written also where it can be seen to be refused, so that it is kept: somebody did it under
 * a claim that was or is another's. What only does not fit the state of the goal is not.
 */
export function isWorkKept({ code }: Refusal, token: string | undefined): boolean {
  return code === 'claimed' || code === 'claim_over' || token !== undefined;
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
    const held = refusal.code === 'claim_over' ? WRONG_TOKEN : heldGoal(plan, goal);
    const isForIt = refusal.code === 'claim_over' || refusal.code === 'claimed';
    return new PlanError('REFUSED', message, {
      hint: (isForIt ? joinHints(options.hint, held) : options.hint) ?? held,
      details: { ...common, claimed_by: by, expires_at },
    });
  }
  const code = goal.status === 'atomic' ? 'REFUSED' : 'WRONG_STATE';
  const isAnyones = refusal.code === 'claim_over' && goal.status === 'atomic';
  const way: Hint | undefined = isAnyones
    ? [hintStep('claim', numberOf(plan, goal) || 'root'), ' claims it again.']
    : wayOn(plan, goal);
  const hint = joinHints(options.hint, way);
  return new PlanError(code, message, {
    ...(hint === undefined ? {} : { hint }),
    details: { ...common, status: goal.status },
  });
}

/** For whoever gave a token: who the holder is, the message says. */
const WRONG_TOKEN: Hint = [
  'If it is yours, give the token that ',
  {
    commandLine: '`plan claim` or `plan next --claim` printed last, letter by letter',
    tools: 'goal_take gave last, letter by letter',
  },
  '; ',
  hintStep('next'),
  ' finds another goal.',
];

/** For whoever gave none. Taking a claim away is for people, and comes last. */
function heldGoal(plan: Plan, goal: Goal): Hint {
  const number = numberOf(plan, goal) || 'root';
  return [
    hintStep('next'),
    ' finds another goal. If it is yours, ',
    { commandLine: 'add --token with the token of the claim. ', tools: 'give the token of the claim. ' },
    {
      commandLine: `A person may take it from its holder with \`plan release ${number} --force\`; an agent does not.`,
      tools: 'Only a person takes it from its holder, on the command line.',
    },
  ];
}

/** The command that goes on from a goal that cannot be worked on as it stands. */
function wayOn(plan: Plan, goal: Goal): Hint | undefined {
  if (goal.child_ids.length > 0) return [hintStep('next'), ' shows which of its sub-goals can start.'];
  const number = numberOf(plan, goal);
  return goal.status === 'complete' || goal.status === 'failed'
    ? [hintStep('reopen', number === '' ? 'root' : number), ' makes it one to be done again.']
    : undefined;
}
