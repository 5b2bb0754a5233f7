import { setTimeout as sleep } from 'node:timers/promises';

import * as z from 'zod';

import type { RunLog } from '../../model/run-log.js';
import { PlanError } from '../../../../kernel/errors.js';
import { shellWord } from '../../../../kernel/text/shell-word.js';
import { defineOperation } from '../../../../operations/operation.js';
import type { Context } from '../../../../operations/shared/context.js';
import { field, text, toggle } from '../../../../operations/shared/fields.js';
import { countsByKind, runSummarySchema, runReportSummary } from '../run-report.js';
import { isExecutorAlive, openRunState, refuseDamaged, statusNow } from '../run-state.js';

/** How long an executor is given to drop its calls and to end, in milliseconds, and how often that is looked at. */
const MOST_MS = 15_000;
const LOOK_MS = 100;

/**
 * Ends a run for good: what is under way is dropped, as by a second Ctrl-C, and nothing more is begun.
 * @throws PlanError E_PLAN_NOT_FOUND, WRONG_STATE for one that is over, RUN_BUSY where its executor does not answer
 */
export const abortRun = defineOperation({
  arguments: ['run'],
  input: z.strictObject({
    run: field(z.string(), 'the run', { value: 'run' }),
    reason: text('why'),
    force: toggle('even if the process that carries it out does not answer, or is on another machine'),
  }),
  output: runSummarySchema.extend({
    unknown: z.array(z.string()).readonly().describe('Steps of which nobody knows whether they took effect.'),
  }),
  examples: ['plan abort run-k3f9x2w8', 'plan abort run-k3f9x2w8 --reason "the wrong folder"'],
  mutates: true,
  async run(context, { run: name, reason, force }) {
    const log = await openRunState(context, name);
    if (force !== true) refuseDamaged(log);
    if (log.run.ended !== null)
      throw new PlanError('WRONG_STATE', `${name} is over: it ${ended(log)}`, {
        hint: { commandLine: `\`plan runs show ${shellWord(name)}\` shows it.` },
        details: { run: name },
      });
    const why = reason === undefined ? {} : { reason };
    if (await isExecutorAlive(log.run, context)) {
      await log.append([{ type: 'abort_requested', ...why }]);
      if (!(await hasEnded(context, log)) && force !== true) throw noAnswer(log);
    }
    if (log.run.ended === null) await log.append([{ type: 'run_ended', outcome: 'aborted', ...why }]);
    const { run } = log;
    const unknown = [...run.instances].filter(([, { state }]) => state === 'unknown').map(([step]) => step);
    const status = await statusNow(run, context);
    return { ...runReportSummary(run, status), parts: countsByKind(run, status), unknown };
  },
  document: ({ parts: _parts, ...document }) => document,
});

function ended({ run }: RunLog): string {
  return run.ended?.outcome === 'aborted' ? 'was aborted' : (run.ended?.outcome ?? '');
}

async function hasEnded(context: Context, log: RunLog): Promise<boolean> {
  for (let waited = 0; waited < MOST_MS; waited += LOOK_MS) {
    const run = await log.refresh();
    if (run.ended !== null || !(await isExecutorAlive(run, context))) return true;
    await sleep(LOOK_MS);
  }
  return false;
}

function noAnswer({ run }: RunLog): PlanError {
  const { host = '', pid = 0 } = run.executor ?? {};
  return new PlanError(
    'RUN_BUSY',
    `process ${pid} on ${host} was asked to end ${run.id} and has not answered`,
    {
      hint: {
        commandLine: `It will when it sees the request. \`plan abort ${run.id} --force\` ends the run without it; what is under way is then unknown.`,
      },
      details: { run: run.id, host, pid },
    },
  );
}
