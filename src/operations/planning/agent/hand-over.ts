import { NO_USAGE } from '../../../plan/plan.js';
import { openQuestions } from '../../../planning/questions/open-questions.js';
import type { Context } from '../../shared/context.js';
import { planningResult } from '../planning-result.js';
import type { PlanningResult } from '../planning-run.js';
import { appendAndTell, beginRun } from '../run-planning.js';
import type { RunPlanningOptions } from '../run-planning.js';

/**
 * Leaves a plan to whoever answers its questions: it is paused, and says why. Goals that no limit lets anybody ask about
 * are taken as atomic.
 * @throws PlanError PLANNER_BUSY, STORAGE_FAILED
 */
export async function handOver(
  context: Context,
  { log, settings, first = [], emit }: Pick<RunPlanningOptions, 'log' | 'settings' | 'first' | 'emit'>,
): Promise<PlanningResult> {
  const run = await beginRun(context, { log, settings, emit });
  await appendAndTell(log, first, emit);
  await appendAndTell(log, openQuestions(log.plan, settings).taken, emit);
  const { id, paused } = { id: log.plan.header.id, paused: log.plan.counts.pending > 0 };
  const usage = { ...NO_USAGE, cost_usd: null };
  await appendAndTell(
    log,
    [
      paused
        ? { type: 'plan_paused', because: 'agent', run: run.id, usage }
        : { type: 'planning_ended', run: run.id, usage: NO_USAGE },
    ],
    emit,
  );
  await log.publish('now');
  if (paused)
    emit({
      type: 'notice',
      message: `Whoever plans this asks with \`plan ask ${id}\` and answers with \`plan answer ${id} --from FILE\`.`,
    });
  return planningResult(log.plan, null);
}
