import { PlanError } from '../../../kernel/errors.js';
import { goalInWords, statusInWords } from '../../../plan/goal-in-words.js';
import { isWaiting } from '../../../plan/plan.js';
import type { Plan } from '../../../plan/plan.js';
import type { Goal } from '../../../plan/schema.js';
import { budgetReached } from '../../../operations/shared/budget-reached.js';
import type { FoundGoal } from '../../../operations/shared/find-plan.js';
import type { draftWithModel } from './draft-goal.js';

/** What a model answered that is no draft. */
export type NoDraft = Exclude<Awaited<ReturnType<typeof draftWithModel>>, { kind: 'draft' }>;

/** The error that says why there is no draft. @param budget the limits of the plan */
export function noDraftError(outcome: NoDraft, { log, goal }: FoundGoal, budget: unknown): PlanError {
  switch (outcome.kind) {
    case 'rejected':
      return new PlanError(
        'MODEL_FAILED',
        `the model gave no action plan for ${goalInWords(log.plan, goal)}: ${outcome.reason}`,
        {
          hint: { commandLine: 'Draft again, perhaps with another --model.' },
          details: { goal: goal.id, code: outcome.code, reason: outcome.reason },
        },
      );
    case 'budget':
      return budgetReached({
        limit: outcome.limit,
        hint: `--budget-${outcome.limit} N sets a larger one.`,
        details: { budget },
      });
    case 'unavailable':
      return outcome.error;
    case 'aborted':
      return new PlanError('INTERRUPTED', 'drafting was interrupted; nothing was stored', {
        hint: { commandLine: 'Run the same command again.' },
      });
  }
}

/** The error for a draft of a goal that cannot have an action plan: it is not atomic. @throws PlanError WRONG_STATE */
export function refuseUnlessAtomic(plan: Plan, goal: Goal): void {
  if (goal.child_ids.length === 0 && !isWaiting(goal)) return;
  throw new PlanError(
    'WRONG_STATE',
    `goal ${goalInWords(plan, goal)} is ${statusInWords(goal)}; only an atomic goal has action plans`,
    {
      hint: {
        commandLine:
          goal.child_ids.length > 0
            ? 'Draft its sub-goals, which `plan show` lists.'
            : '`plan resume` goes on dividing the plan until its goals are atomic.',
      },
      details: { goal: goal.id, status: goal.status },
    },
  );
}
