import { PlanError } from '../../kernel/errors.js';
import type { PayloadOf } from '../../plan/events.js';
import type { Plan } from '../../plan/plan.js';
import { summarize } from '../../plan/plan.js';
import type { Summary } from '../../plan/schema.js';
import type { StopSignals } from '../operation.js';
import type { Context } from '../shared/context.js';
import { choosePlanning, rememberOwn } from './expanders.js';
import type { PlanningFlags } from './expanders.js';
import { findPlan } from '../shared/find-plan.js';
import { refuseArchived } from '../shared/refuse-archived.js';
import { expectedUse } from './planning-estimate.js';
import { planningResult } from './planning-result.js';
import type { Emit, PlanningResult } from './planning-run.js';
import { appendAndTell, runPlanning } from './run-planning.js';
import { wordRefusal } from '../../plan/refusals.js';

export interface ResumeOptions extends PlanningFlags, StopSignals {
  readonly plan?: string | undefined;
  /** Ask again about goals that were marked for review because they could not be expanded. */
  readonly retryFailed?: boolean | undefined;
}

/**
 * Goes on planning with the settings the plan was started with; what is given now outranks them. A plan
 * with nothing left to plan is left as it is.
 * @throws PlanError PLAN_NOT_FOUND, WRONG_STATE, PLANNER_BUSY, UNTRUSTED_BASE_URL, STORAGE_FAILED
 */
export async function resumePlan(
  context: Context,
  options: ResumeOptions,
  emit: Emit,
): Promise<PlanningResult> {
  const log = await findPlan(context.store(), options.plan);
  refuseArchived(log);
  if (options.retryFailed === true) await appendAndTell(log, reopenings(log.plan), emit);
  if (log.plan.counts.pending === 0) {
    await log.publish('now');
    emit({ type: 'notice', message: nothingLeft(log.plan) });
    return planningResult(log.plan, null);
  }
  const choice = await choosePlanning(context, options, { plan: log.plan });
  await rememberOwn(context, log.plan.header.id, choice);
  if (choice.notice !== null) emit({ type: 'notice', message: choice.notice });
  const { plan } = log;
  return runPlanning(context, {
    log,
    settings: choice.settings,
    expander: await choice.makeExpander(plan.header.usage, emit),
    estimate: () => expectedUse(context, choice, plan),
    emit,
    signal: options.signal,
    dropSignal: options.dropSignal,
  });
}

/**
 * Asks whoever plans this plan to stop after the calls in flight; a plan nobody is planning is marked as
 * paused. Pausing a paused plan changes nothing.
 * @throws PlanError PLAN_NOT_FOUND, WRONG_STATE when nothing is left to plan
 */
export async function pausePlan(context: Context, name: string | undefined): Promise<Summary> {
  const log = await findPlan(context.store(), name);
  refuseArchived(log);
  if (log.plan.header.status !== 'paused') {
    const [outcome] = await log.append([{ type: 'plan_paused', because: 'user' }]);
    if (outcome !== undefined && outcome.refused !== null)
      throw new PlanError('WRONG_STATE', wordRefusal(outcome.refused), {
        details: { plan: log.plan.header.id, refusal: outcome.refused },
      });
  }
  await log.publish('now');
  return summarize(log.plan);
}

function reopenings(plan: Plan): readonly PayloadOf<'goal_reopened'>[] {
  const failed = [...plan.goals.values()].filter(
    ({ status, failure }) => status === 'failed' && failure?.phase !== 'work',
  );
  return failed.map(({ id }) => ({ type: 'goal_reopened', goal: id, reason: 'asked again' }));
}

function nothingLeft({ header, counts }: Plan): string {
  const review =
    counts.failed === 0
      ? ''
      : `; ${counts.failed} goals are marked for review, --retry-failed asks about them again`;
  return `Nothing is left to plan in ${header.id}${review}.`;
}
