import { PlanError } from '../../kernel/errors.js';
import { summarize } from '../../plan/plan.js';
import type { Plan } from '../../plan/plan.js';
import type { Summary } from '../../plan/schema.js';
import type { Context } from '../shared/context.js';
import type { GoalWithNumber } from '../shared/numbered-goals.js';
import {
  givenToken,
  goalAfter,
  goalToWorkOn,
  refusedWork,
  timeNow,
  workerName,
  writeEvent,
  writeUnlessRefused,
} from './work-event.js';
import type { WorkerOptions } from './work-event.js';
import { wordRefusal } from '../../plan/refusals.js';

const LONGEST_REASON = 10_000;

export interface FailOptions extends WorkerOptions {
  readonly reason: string;
  readonly token?: string | undefined;
}

export interface ReopenOptions extends WorkerOptions {
  readonly reason?: string | undefined;
}

export interface GoalChangeReport {
  readonly plan: Summary;
  readonly goal: GoalWithNumber;
}

/** What a failure came to, and the commands that go on from it. */
export interface FailureReport extends GoalChangeReport {
  /** Plans the goal anew with its failure told, or makes it one to be tried again. */
  readonly suggestions: readonly [replan: string, reopen: string];
}

/**
 * Says that an atomic goal could not be done, and why. What depends on it goes on waiting.
 * @throws PlanError REFUSED with who holds it until when; WRONG_STATE; INVALID_INPUT
 */
export async function failGoal(context: Context, name: string, options: FailOptions): Promise<FailureReport> {
  const reason = givenReason(options.reason);
  const token = givenToken(options.token);
  const by = workerName(context, options);
  const { log, goal } = await goalToWorkOn(context, name, options);
  const { event, refused, before, after } = await writeEvent(
    log,
    { type: 'goal_failed', goal: goal.id, phase: 'work', reason, ...(token === undefined ? {} : { token }) },
    by,
  );
  if (refused === null) {
    const suggestions = [`plan replan ${goal.id}`, `plan reopen ${goal.id}`] as const;
    return { ...reportOf(log.plan, after, goal.id), suggestions };
  }
  throw refusedWork(before, goal.id, timeNow(context), refused, {
    hint: 'The reason is kept: `plan log --goal` shows it.',
    details: { kept_as: event.id },
  });
}

/**
 * Makes a finished or failed goal one that is to be done, or planned, again; goals above it that were
 * complete are open again.
 * @throws PlanError WRONG_STATE when it is neither, or has sub-goals; INVALID_INPUT
 */
export async function reopenGoal(
  context: Context,
  name: string,
  options: ReopenOptions,
): Promise<GoalChangeReport> {
  const reason = options.reason === undefined ? {} : { reason: givenReason(options.reason) };
  const by = workerName(context, options);
  const { log, goal } = await goalToWorkOn(context, name, options);
  const payload = { type: 'goal_reopened', goal: goal.id, ...reason } as const;
  const { refused, after } = await writeUnlessRefused(context, log, payload, by);
  if (refused === null) return reportOf(log.plan, after, goal.id);
  throw new PlanError('WRONG_STATE', wordRefusal(refused), {
    hint: '`plan show` shows the goal.',
    details: { plan: log.plan.header.id, goal: goal.id, refusal: refused },
  });
}

function givenReason(reason: string): string {
  const given = reason.trim();
  if (given !== '' && given.length <= LONGEST_REASON) return given;
  throw new PlanError(
    'INVALID_INPUT',
    given === '' ? 'a reason is missing' : `a reason has at most ${LONGEST_REASON} characters`,
    { hint: '--reason says why, in a sentence.' },
  );
}

/** @param after the plan just after the change; somebody may have taken the goal away since */
function reportOf(plan: Plan, after: Plan, goal: string): GoalChangeReport {
  return { plan: summarize(plan), goal: goalAfter(plan, after, goal) };
}
