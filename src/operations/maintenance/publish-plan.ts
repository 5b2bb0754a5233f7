import * as z from 'zod';

import { PlanError } from '../../kernel/errors.js';
import { defineOperation } from '../operation.js';
import { planArgument } from '../shared/fields.js';
import { findPlan } from '../shared/find-plan.js';

/**
 * Writes the plan file of a plan from its log, also where it is not due. That of a large plan may be behind otherwise.
 * @throws PlanError PLAN_NOT_FOUND, STORE_DAMAGED when the end of the log is gone, STORAGE_FAILED
 */
export const publishPlan = defineOperation({
  arguments: ['plan'],
  input: z.strictObject({ plan: planArgument() }),
  output: z.object({
    plan: z.string().describe('Its id.'),
    event: z
      .string()
      .nullable()
      .describe(
        'The last event that the plan file holds; null for a plan without a log, whose plan file is the plan.',
      ),
  }),
  examples: ['plan publish', 'plan publish 0398 && git commit -am "Progress"'],
  mutates: true,
  async run(context, { plan }) {
    const log = await findPlan(context, plan);
    const { id } = log.plan.header;
    if (log.isCutOff) {
      throw new PlanError('STORE_DAMAGED', `the end of the log of plan ${id} is gone`, {
        hint: { commandLine: '`plan doctor` says what can be done.' },
        details: { plan: id },
      });
    }
    if (!(await log.publish('now')))
      throw new PlanError('STORAGE_FAILED', `the plan file of plan ${id} could not be written`, {
        hint: { commandLine: 'The plan itself is in its log; nothing is lost.' },
        details: { plan: id },
      });
    return { plan: id, event: log.lastEvent };
  },
});
