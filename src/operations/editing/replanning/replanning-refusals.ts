import { PlanError } from '../../../kernel/errors.js';
import type { PayloadOf } from '../../../plan/events.js';
import type { Plan } from '../../../plan/plan.js';
import type { Goal, Settings } from '../../../plan/schema.js';
import type { ExpansionOutcome } from '../../../planning/expander.js';
import { goalInWords } from '../../../plan/goal-in-words.js';
import { numberOf } from '../../../plan/tree.js';
import { budgetReached } from '../../shared/budget-reached.js';
import { quantityOf } from '../../../kernel/text/quantity-of.js';

/** Why a goal cannot be planned anew: it may have no sub-goals, because of a limit. */
export function noRoomForSubGoals(plan: Plan, goal: Goal, { max_depth, max_goals }: Settings): PlanError {
  const deep = goal.depth >= max_depth;
  const limit = deep ? `the depth limit of ${max_depth}` : `the limit of ${quantityOf(max_goals, 'goal')}`;
  return new PlanError(
    'WRONG_STATE',
    `${goalInWords(plan, goal)} can get no sub-goals: ${limit} is reached`,
    {
      hint: { commandLine: `${deep ? '--max-depth' : '--max-goals'} raises it.` },
      details: { plan: plan.header.id, goal: goal.id },
    },
  );
}

/** Refuses replanning where the model's answer proposed nothing that can be used. */
export function noProposal(
  plan: Plan,
  goal: Goal,
  outcome: Exclude<ExpansionOutcome, { kind: 'expansion' }>,
): PlanError {
  const details = { plan: plan.header.id, goal: goal.id, usage: outcome.usage };
  const unchanged = 'nothing was changed';
  switch (outcome.kind) {
    case 'review':
      return new PlanError('MODEL_FAILED', `no usable answer came: ${outcome.reason}; ${unchanged}`, {
        hint: { commandLine: 'Try again, or another --model.' },
        details: { ...details, reason: outcome.code },
      });
    case 'budget':
      return budgetReached({
        limit: outcome.limit,
        so: unchanged,
        hint: `--budget-${outcome.limit} N asks with a larger one.`,
        details,
      });
    case 'unavailable': {
      const { code, message, hintParts: hint, cause } = outcome.error;
      return new PlanError(code, `${message}; ${unchanged}`, {
        ...(hint === undefined ? {} : { hint }),
        details: { ...outcome.error.details, ...details },
        cause,
      });
    }
    case 'aborted':
      return new PlanError('INTERRUPTED', `it was interrupted; ${unchanged}`, { details });
  }
}

/** Refuses replanning where the answer would make open work count as done. */
export function nothingInPlace(
  plan: Plan,
  goal: Goal,
  { remove, reasoning }: PayloadOf<'goal_replanned'>,
): PlanError {
  const said = reasoning === null || reasoning === '' ? '' : ` (“${reasoning}”)`;
  return new PlanError(
    'REFUSED',
    `nothing was proposed in place of ${remove.length} open goals of ${goalInWords(plan, goal)}${said}; nothing was changed`,
    {
      hint: {
        commandLine: '`plan remove` takes away what is not needed any more; --reason says what is missing.',
      },
      details: { plan: plan.header.id, goal: goal.id, open: remove },
    },
  );
}

/** Refuses replanning for a goal that was asked about and found atomic. */
export function foundAtomic(plan: Plan, goal: Goal, reasoning: string | null): PlanError {
  return new PlanError(
    'REFUSED',
    `nothing was changed, since the goal was found to be one piece of work: ${reasoning ?? 'no reason was given'}`,
    {
      hint: {
        commandLine: `\`plan split ${called(plan, goal)} --into "first part" "second part"\` divides it by hand.`,
      },
      details: { plan: plan.header.id, goal: goal.id },
    },
  );
}

/** What replanning by rules says where somebody gave a reason, or the goal failed for one: that rules read none. */
export function noReasonsRead(plan: Plan, goal: Goal): string {
  const name = called(plan, goal);
  const byHand =
    goal.child_ids.length > 0
      ? '`plan add`, `edit` and `remove` change its sub-goals'
      : `\`plan split ${name} --into "first part" "second part"\``;
  return `The built-in rules read no reasons, and divide a goal as before. Another way: ${byHand}, or --model NAME.`;
}

function called(plan: Plan, goal: Goal): string {
  const number = numberOf(plan, goal);
  return number === '' ? 'root' : number;
}
