import * as z from 'zod';

import { everyStep } from '../../../actions/model/action-plan.js';
import type { ActionPlan } from '../../../actions/model/action-plan.js';
import { wordRunRefusal } from '../../model/run-refusals.js';
import { PlanError } from '../../../../kernel/errors.js';
import { isJsonObject } from '../../../../kernel/json/json-value.js';
import { defineOperation } from '../../../../operations/operation.js';
import { field, text } from '../../../../operations/shared/fields.js';
import { runReportSummary, runSummarySchema } from '../run-report.js';
import { readPrepared } from '../run-source.js';
import { openRunState, statusNow } from '../run-state.js';

/** A run that was given so many different signals takes no other. */
const MOST_SIGNALS = 1000;

/**
 * Gives a run a signal that steps wait for, or will. It stays given, and giving it again changes nothing.
 * @throws PlanError E_PLAN_NOT_FOUND, INVALID_INPUT, WRONG_STATE for a run that is over, STORAGE_FAILED
 */
export const signalRun = defineOperation({
  arguments: ['run', 'key'],
  input: z.strictObject({
    run: field(z.string(), 'the run', { value: 'run' }),
    key: field(z.string(), 'the key of the signal, as the plan has it', { value: 'key' }),
    reason: text('why'),
  }),
  output: runSummarySchema.extend({
    key: z.string(),
    given: z.boolean().describe('False where it was given before.'),
    awaited: z
      .boolean()
      .describe('Whether a step of the plan waits for it, as far as its key is written there.'),
  }),
  examples: ['plan runs signal run-k3f9x2w8 build-done'],
  mutates: true,
  async run(context, { run: name, key, reason }) {
    if (key === '' || key.length > 200)
      throw new PlanError('INVALID_INPUT', 'the key of a signal has 1 to 200 characters');
    const log = await openRunState(context, name);
    const given = !log.run.signals.has(key);
    if (given && log.run.signals.size >= MOST_SIGNALS)
      throw new PlanError('WRONG_STATE', `${name} was given ${MOST_SIGNALS} signals, and takes no other`);
    if (given || log.run.ended !== null) {
      const [outcome] = await log.append([
        { type: 'signal_given', key, ...(reason === undefined ? {} : { reason }) },
      ]);
      if (outcome?.refused != null)
        throw new PlanError('WRONG_STATE', wordRunRefusal(outcome.refused), {
          hint: { commandLine: `\`plan runs show ${name}\` shows what came of it.` },
          details: { run: name },
        });
    }
    const awaited = waitsFor(readPrepared(log.run.prepared).plan, key);
    return { ...runReportSummary(log.run, await statusNow(log.run, context)), key, given, awaited };
  },
});

function waitsFor(plan: ActionPlan, key: string): boolean {
  return Array.from(everyStep(plan)).some(({ step: { args } }) => {
    const { condition } = args;
    return isJsonObject(condition) && condition.type === 'external' && condition.key === key;
  });
}
