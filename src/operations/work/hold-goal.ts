import * as z from 'zod';

import { PlanError } from '../../kernel/errors.js';
import { truncate } from '../../kernel/text/truncate.js';
import { timestampSchema } from '../../plan/schema.js';
import { changeFields } from '../editing/change-fields.js';
import { changeGoals, changeReportSchema } from '../editing/change-goals.js';
import { givenReason, givenText } from '../editing/goal-texts.js';
import { defineOperation } from '../operation.js';
import { field, goalArgument, planOption, text } from '../shared/fields.js';
import { goalToChange } from '../shared/find-to-change.js';
import { byOption } from './work-fields.js';

/**
 * Puts a goal, and all below it, on hold: it is not offered and cannot be claimed until somebody ends that, or its time has come.
 * @throws PlanError INVALID_INPUT, GOAL_NOT_FOUND, REFUSED for one that is done or that somebody else holds
 */
export const holdGoal = defineOperation({
  arguments: ['goal'],
  input: z.strictObject({
    goal: goalArgument(),
    reason: field(z.string(), 'why', { value: 'text' }),
    until: text('when that ends by itself: a day, which begins at midnight here, or a time', 'date'),
    by: byOption(),
    plan: planOption(),
  }),
  output: changeReportSchema,
  examples: [
    'plan hold 2.1 --reason "waits for the licence" --until 2027-03-01',
    'plan hold 3 --reason "not this year"',
  ],
  mutates: true,
  async run(context, input) {
    const reason = givenText('reason', input.reason);
    const until = input.until === undefined ? undefined : endOfHold(input.until, context.environment.now());
    const { log, goal } = await goalToChange(context, input.goal, input);
    const payload = {
      type: 'goal_put_on_hold' as const,
      goal: goal.id,
      reason,
      ...(until === undefined ? {} : { until }),
    };
    return changeGoals(context, log, payload, input);
  },
});

/** Ends the hold that was put on a goal. @throws PlanError GOAL_NOT_FOUND, REFUSED for one that is not on hold itself */
export const unholdGoal = defineOperation({
  arguments: ['goal'],
  input: z.strictObject({ goal: goalArgument(), ...changeFields() }),
  output: changeReportSchema,
  examples: ['plan unhold 2.1'],
  mutates: true,
  async run(context, input) {
    const { log, goal } = await goalToChange(context, input.goal, input);
    const payload = { type: 'goal_hold_ended' as const, goal: goal.id, ...givenReason(input.because) };
    return changeGoals(context, log, payload, input);
  },
});

/** When a hold ends: a day begins at midnight where this runs. @throws PlanError INVALID_INPUT */
function endOfHold(given: string, now: number): string {
  const day = z.iso.date().safeParse(given.trim()).data;
  const moment = day === undefined ? timestampSchema.safeParse(given.trim()).data : `${day}T00:00:00`;
  const until = new Date(moment ?? '');
  if (Number.isNaN(until.getTime()))
    throw new PlanError(
      'INVALID_INPUT',
      `${JSON.stringify(truncate(given, 40))} is neither a day nor a time`,
      {
        hint: ['Give a day, such as 2027-03-01, or a time with its zone, such as 2027-03-01T09:00:00Z.'],
      },
    );
  if (until.getTime() <= now)
    throw new PlanError('INVALID_INPUT', `${given.trim()} is over`, {
      hint: ['Give a later day or time, or leave it out.'],
    });
  return until.toISOString();
}
