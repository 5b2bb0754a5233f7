import * as z from 'zod';

import { applyRun } from '../../model/apply-run.js';
import { runEventRow } from '../../model/run-events.js';
import { wordRunRefusal } from '../../model/run-refusals.js';
import type { Run } from '../../model/run.js';
import { defineOperation } from '../../../../operations/operation.js';
import { field, text } from '../../../../operations/shared/fields.js';
import { openRunState } from '../run-state.js';

const entrySchema = z.object({
  id: z.string(),
  at: z.string(),
  by: z.string(),
  type: z.string(),
  step: z.string().nullable(),
  text: z.string().describe('What happened.'),
  refused: z.string().nullable().describe('Why it changed nothing; null when it was accepted.'),
});

/** Every event of a run, in order. @throws PlanError E_PLAN_NOT_FOUND, STORE_DAMAGED, STORAGE_FAILED */
export const runLog = defineOperation({
  arguments: ['run'],
  input: z.strictObject({
    run: field(z.string(), 'the run', { value: 'run' }),
    step: text('only what happened to this step and what is below it', 'step'),
  }),
  output: z.object({
    run: z.string(),
    events: z.array(entrySchema).readonly(),
    damage: z.array(z.string()).readonly(),
  }),
  examples: ['plan runs log run-k3f9x2w8', 'plan runs log run-k3f9x2w8 --step note'],
  mutates: false,
  async run(context, { run: name, step: wanted }) {
    const log = await openRunState(context, name);
    let run: Run | null = null;
    const events: z.output<typeof entrySchema>[] = [];
    for (const event of await log.events()) {
      const applied = applyRun(run, event);
      run = applied.run;
      const step = 'step' in event && typeof event.step === 'string' ? event.step : null;
      if (wanted !== undefined && !isAtOrBelow(step, wanted)) continue;
      events.push({
        id: event.id,
        at: event.at,
        by: event.by,
        type: event.type,
        step,
        text: runEventRow(event).describe(event),
        refused: applied.refused === null ? null : wordRunRefusal(applied.refused),
      });
    }
    return { run: name, events, damage: log.damage.map(({ place, reason }) => `${place}: ${reason}`) };
  },
});

function isAtOrBelow(step: string | null, wanted: string): boolean {
  if (step === null) return false;
  return step === wanted || step.startsWith(`${wanted}/`) || step.startsWith(`${wanted}[`);
}
