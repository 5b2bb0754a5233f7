import * as z from 'zod';

import type { PayloadOf } from '../../plan/events.js';
import type { Plan } from '../../plan/plan.js';
import type { PlanLog } from '../../storage/plan-store.js';
import { defineOperation } from '../operation.js';
import type { Context } from '../shared/context.js';
import { timeNow } from '../shared/environment.js';
import { planToChange } from '../shared/find-to-change.js';
import { planArgument, toggle } from '../shared/fields.js';
import { planningReport } from '../shared/report-schemas.js';
import { archiveFailedTry, restoreFailedTry } from './init/failed-try.js';
import { reviewerOf } from './init/review-planning.js';
import { choosePlanner } from './choose-planner.js';
import { choosePlanning, rememberOwnSettings } from './choose-planning.js';
import { replaceSettings } from './replace-settings.js';
import { namesPlanner } from './named-model.js';
import { planningFields, planningFlags } from './planning-fields.js';
import { planningDocument, planningResult } from './planning-result.js';
import type { Emit, PlanningResult } from './planning-progress.js';
import { undividedByRules } from './undivided-goals.js';
import { quantityOf } from '../../kernel/text/quantity-of.js';

/**
 * Goes on planning with the settings the plan was started with; what is given now outranks them. A plan
 * with nothing left to plan is left as it is. A model that is named for a plan made by rules is also asked about what
 * they left undivided. A plan that `init` archived because no model answered is restored first.
 * @throws PlanError PLAN_NOT_FOUND, WRONG_STATE, PLANNER_BUSY, UNTRUSTED_BASE_URL, STORAGE_FAILED; USAGE where a
 * review is asked for and nobody can be asked
 */
export const resumePlan = defineOperation({
  arguments: ['plan'],
  input: z.strictObject({
    plan: planArgument(),
    retryFailed: toggle('ask again about goals that the model could not divide'),
    review: toggle('look at each level on the terminal, and accept, edit or drop it before it is stored'),
    workers: toggle('leave it to workers (`plan worker`), on any number of machines'),
    ...planningFields(),
  }),
  output: planningReport,
  examples: ['plan resume', 'plan resume 0398 --budget-calls 200', 'plan resume --review'],
  mutates: true,
  async run(context, input): Promise<PlanningResult> {
    const { emit } = context;
    const review = reviewerOf(context, input);
    const flags = planningFlags(input);
    const restored = await restoreFailedTry(context, input.plan);
    const log = await planToChange(context, input.plan);
    const retried = input.retryFailed === true ? reopenings(log.plan) : [];
    if (log.plan.counts.pending + retried.length === 0 && !mayHaveQuestion(log.plan) && !namesPlanner(flags))
      return nothingToDo(context, log, emit);
    const choice = await choosePlanning(context, flags, { plan: log.plan });
    const planner = await choosePlanner(context, choice, { workers: input.workers, review, log });
    const { plan } = log;
    await rememberOwnSettings(context, plan.header.id, choice);
    const first = [...retried, ...undividedByRules(plan, choice, timeNow(context.environment))];
    if (choice.notice !== null) emit({ type: 'notice', message: choice.notice });
    if (plan.counts.pending + first.length > 0 || mayHaveQuestion(plan)) {
      const result = await planner.plan(log, first);
      return restored ? archiveFailedTry(context, result) : result;
    }
    if (choice.switched) await replaceSettings(context, { log, settings: choice.settings, emit });
    return nothingToDo(context, log, emit);
  },
  document: planningDocument,
});

/** Whether a plan without goals to plan may have its last question left: planning was paused there, or killed. */
function mayHaveQuestion({ header }: Plan): boolean {
  return header.link_left === true || header.run !== undefined;
}

function reopenings(plan: Plan): readonly PayloadOf<'goal_reopened'>[] {
  const failed = [...plan.goals.values()].filter(
    ({ status, failure }) => status === 'failed' && failure?.phase !== 'work',
  );
  return failed.map(({ id }) => ({ type: 'goal_reopened', goal: id, reason: 'asked again' }));
}

async function nothingToDo(context: Context, log: PlanLog, emit: Emit): Promise<PlanningResult> {
  await log.publish('now');
  emit({ type: 'notice', message: nothingLeft(log.plan) });
  return planningResult(context, log.plan, null);
}

function nothingLeft({ header, counts }: Plan): string {
  const failed =
    counts.failed === 0
      ? ''
      : `; ${quantityOf(counts.failed, 'goal')} could not be divided, --retry-failed asks about ${counts.failed === 1 ? 'it' : 'them'} again`;
  return `Nothing is left to plan in ${header.id}${failed}.`;
}
