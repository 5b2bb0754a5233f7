import * as z from 'zod';

import type { PayloadOf } from '../../plan/events.js';
import type { Plan } from '../../plan/plan.js';
import { defineOperation } from '../operation.js';
import { planArgument, toggle } from '../shared/fields.js';
import { planningReport } from '../shared/report-schemas.js';
import { choosePlanning, rememberOwn } from './expanders.js';
import { findPlan } from '../shared/find-plan.js';
import { refuseArchived } from '../shared/refuse-archived.js';
import { expectedUse } from './planning-estimate.js';
import { planningFields, planningFlags } from './planning-fields.js';
import { planningDocument, planningResult } from './planning-result.js';
import type { PlanningResult } from './planning-run.js';
import { appendAndTell, runPlanning } from './run-planning.js';

/**
 * Goes on planning with the settings the plan was started with; what is given now outranks them. A plan
 * with nothing left to plan is left as it is.
 * @throws PlanError PLAN_NOT_FOUND, WRONG_STATE, PLANNER_BUSY, UNTRUSTED_BASE_URL, STORAGE_FAILED
 */
export const resumePlan = defineOperation({
  arguments: ['plan'],
  input: z.strictObject({
    plan: planArgument(),
    retryFailed: toggle('ask again about goals that were marked for review'),
    ...planningFields(),
  }),
  output: planningReport,
  examples: ['plan resume', 'plan resume 0398 --budget-calls 200'],
  mutates: true,
  async run(context, input): Promise<PlanningResult> {
    const { signal, dropSignal, emit } = context;
    const flags = planningFlags(input);
    const log = await findPlan(context.store(), input.plan);
    refuseArchived(log);
    if (input.retryFailed === true) await appendAndTell(log, reopenings(log.plan), emit);
    if (log.plan.counts.pending === 0) {
      await log.publish('now');
      emit({ type: 'notice', message: nothingLeft(log.plan) });
      return planningResult(log.plan, null);
    }
    const choice = await choosePlanning(context, flags, { plan: log.plan });
    await rememberOwn(context, log.plan.header.id, choice);
    if (choice.notice !== null) emit({ type: 'notice', message: choice.notice });
    const { plan } = log;
    const { settings } = choice;
    const expander = await choice.makeExpander(plan.header.usage, emit);
    const estimate = () => expectedUse(context, choice, plan);
    return runPlanning(context, { log, settings, expander, estimate, emit, signal, dropSignal });
  },
  document: planningDocument,
});

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
