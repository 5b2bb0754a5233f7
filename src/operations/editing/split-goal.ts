import { PlanError } from '../../kernel/errors.js';
import { NO_USAGE } from '../../plan/plan.js';
import { goalInWords, changeGoals } from './change-goals.js';
import type { Context } from '../shared/context.js';
import { givenReason, givenTexts } from './goal-texts.js';
import { newGoalIds } from './new-goal-ids.js';
import type { Emit } from '../planning/planning-run.js';
import { replanGoal } from './replan-goal.js';
import type { ReplanOptions, Replanned } from './replan-goal.js';
import { goalToWorkOn } from '../work/work-event.js';

export interface SplitOptions extends Omit<ReplanOptions, 'preview' | 'revise' | 'apply'> {
  /** The sub-goals, which are atomic; without them whoever plans the plan is asked. */
  readonly into?: readonly string[] | undefined;
}

/**
 * Divides a goal that has no sub-goals: into those given, or as the plan's expander says.
 * @throws PlanError WRONG_STATE when it has sub-goals; else as {@link replanGoal}
 */
export async function splitGoal(
  context: Context,
  name: string,
  options: SplitOptions,
  emit: Emit,
): Promise<Replanned> {
  const { log, goal } = await goalToWorkOn(context, name, options);
  if (goal.child_ids.length > 0) {
    throw new PlanError('WRONG_STATE', `${goalInWords(log.plan, goal)} has sub-goals already`, {
      hint: '`plan replan` divides it anew, `plan add --under` adds one.',
      details: { plan: log.plan.header.id, goal: goal.id },
    });
  }
  const into = givenTexts('description', options.into);
  if (into === undefined) return foundAtomic(await replanGoal(context, goal.id, options, emit));
  const newGoalId = newGoalIds(context, log.plan);
  const payload = {
    type: 'goal_replanned' as const,
    goal: goal.id,
    reasoning: null,
    remove: [],
    sub_goals: into.map((description) => ({
      id: newGoalId(),
      description,
      atomic: true,
      reasoning: null,
      dependencies: [],
    })),
    ...givenReason(options.because),
  };
  const report = await changeGoals(context, log, payload, options);
  return { ...report, warnings: [], goal: goal.id, applied: true, usage: NO_USAGE, stopped: null };
}

/** A goal that was asked about and found atomic is not divided, which is what was asked for. */
function foundAtomic(replanned: Replanned): Replanned {
  const changed = replanned.changes.find(({ goal }) => goal === replanned.goal)?.after ?? null;
  if (replanned.stopped !== null || changed === null || changed.child_ids.length > 0) return replanned;
  const stopped = new PlanError(
    'REFUSED',
    `the goal was found atomic: ${changed.reasoning ?? 'no reason given'}`,
    {
      hint: '--into gives the sub-goals; `plan edit` says more about the goal.',
      details: { goal: replanned.goal },
    },
  );
  return { ...replanned, stopped };
}
