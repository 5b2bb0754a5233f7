import { PlanError } from '../../../kernel/errors.js';
import type { PayloadOf } from '../../../plan/events.js';
import type { Settings } from '../../../plan/schema.js';
import { rootGoalId } from '../../../plan/ids.js';
import type { ReviewLevel } from '../../../planning/review/level.js';
export { keptGoals } from '../../../planning/review/level.js';
export type { LevelVerdict, ProposedLevel, ReviewLevel, WantedGoal } from '../../../planning/review/level.js';
import { reviewedExpander } from '../../../planning/review/review-expander.js';
import { reviewedOutline } from '../../../planning/review/review-outline.js';
import type { RunContext, StopSignals } from '../../operation.js';
import { newGoalIds } from '../../shared/new-goal-ids.js';
import type { PlanningResult } from '../planning-progress.js';
import { runPlanning } from '../run-planning.js';
import type { RunPlanningOptions } from '../run-planning.js';

/**
 * Who looks at proposed levels; null when nobody is to.
 * @param otherwise what else the command has, at the end of the hint
 * @throws PlanError USAGE when a review is asked for where nobody can be asked, or of what is not stored
 */
export function reviewerOf(
  { review }: RunContext,
  input: {
    readonly review?: boolean | undefined;
    readonly dryRun?: boolean | undefined;
  },
  otherwise = '',
): ReviewLevel | null {
  if (input.review !== true) return null;
  if (input.dryRun === true)
    throw new PlanError('USAGE', '--dry-run stores nothing, so there is nothing to review', {
      hint: { commandLine: 'Give one of --dry-run and --review.' },
    });
  if (review === undefined)
    throw new PlanError('USAGE', '--review needs a terminal, to ask you about each level', {
      hint: { commandLine: `Run it on a terminal and without --json, or leave --review out${otherwise}.` },
    });
  return review;
}

/** The error for a review where an agent plans. */
export function nothingProposed(): PlanError {
  return new PlanError('USAGE', 'with --expander agent there are no proposals to review', {
    hint: { commandLine: 'Leave out --review: whoever answers `plan ask` decides.' },
  });
}

/** The outline of a document as the person wants it. @throws PlanError INTERRUPTED when he wants to go on another time */
export async function outlineReviewed(
  { environment }: RunContext,
  {
    first,
    outline,
    settings,
  }: {
    readonly first: PayloadOf<'plan_created'>;
    readonly outline: readonly PayloadOf<'goal_expanded'>[];
    readonly settings: Settings;
  },
  review: ReviewLevel,
): Promise<readonly PayloadOf<'goal_expanded'>[]> {
  const { id } = first.plan;
  const reviewed = await reviewedOutline(outline, {
    root: { id: rootGoalId(id), description: first.root.description },
    review,
    newGoalId: newGoalIds(environment, id),
    leaves: settings.expander === 'rules' ? 'atomic' : 'ask',
  });
  if (reviewed === null)
    throw new PlanError('INTERRUPTED', 'the review was left; nothing is stored', {
      hint: { commandLine: 'The same command starts over.' },
    });
  return reviewed;
}

/** Plans with somebody who looks at each level; that he leaves pauses the plan. */
export async function planReviewed(
  context: RunContext,
  { expander, review, ...options }: RunPlanningOptions & { readonly review: ReviewLevel },
): Promise<PlanningResult> {
  const left = new AbortController();
  const { signal, dropSignal } = signalsOf(context);
  const reviewed = reviewedExpander(expander, review, () => left.abort());
  const pause = signal === undefined ? left.signal : AbortSignal.any([signal, left.signal]);
  return runPlanning(context, { ...options, expander: reviewed, signal: pause, dropSignal });
}

/** The signals of a caller that stop planning, with a review or without. */
export function signalsOf({ signal, dropSignal }: StopSignals): StopSignals {
  return { signal, dropSignal };
}
