import * as z from 'zod';

import { PlanError } from '../../kernel/errors.js';
import { wordRefusal } from '../../plan/refusals.js';
import { summarySchema } from '../../plan/schema.js';
import type { Run, Summary } from '../../plan/schema.js';
import { defineOperation } from '../operation.js';
import { actorOfEnvironment } from '../shared/environment.js';
import { planArgument } from '../shared/fields.js';
import { planToChange } from '../shared/find-to-change.js';
import { writeUnlessRefused } from '../shared/write-event.js';
import { isPlannerAlive } from './run/planned-now.js';
import { summaryNow } from '../shared/summary-now.js';

/** A plan that was paused, and who ends calls in flight still; undefined when nobody does. */
export interface PausedPlan extends Summary {
  readonly ending?: Run;
}

/**
 * Asks whoever plans this plan to stop after the calls in flight; a plan nobody is planning is marked as
 * paused. Pausing a paused plan changes nothing.
 * @throws PlanError PLAN_NOT_FOUND, WRONG_STATE when nothing is left to plan
 */
export const pausePlan = defineOperation({
  arguments: ['plan'],
  input: z.strictObject({ plan: planArgument() }),
  output: z.object({ plan: summarySchema }).readonly(),
  examples: ['plan pause'],
  mutates: true,
  async run(context, { plan: name }): Promise<PausedPlan> {
    const log = await planToChange(context, name);
    // Looked at before: workers count as gone as soon as they are asked to stop.
    const { run } = log.plan.header;
    const ending = run !== undefined && (await isPlannerAlive(run, log.plan, context)) ? { ending: run } : {};
    if (log.plan.header.status !== 'paused') {
      // With every goal planned, whoever plans asks the last question.
      const left = run !== undefined && log.plan.counts.pending === 0 ? { left: 'link' as const } : {};
      const payload = { type: 'plan_paused' as const, because: 'user' as const, ...left };
      const { refused } = await writeUnlessRefused(
        context,
        log,
        payload,
        actorOfEnvironment(context.environment),
      );
      if (refused !== null)
        throw new PlanError('WRONG_STATE', `plan ${log.plan.header.id}: ${wordRefusal(refused)}`, {
          hint: {
            commandLine:
              '`plan status` shows how it stands; `plan pause <plan>` pauses another, and `plan list` shows which are planned.',
          },
          details: { plan: log.plan.header.id, refusal: refused },
        });
    }
    await log.publish('now');
    return { ...summaryNow(context, log.plan), ...ending };
  },
  document: ({ ending: _told, ...plan }: PausedPlan) => ({ plan }),
});
