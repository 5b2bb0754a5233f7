import { NO_USAGE } from '../../../plan/plan.js';
import { openQuestions } from '../../../planning/questions/open-questions.js';
import type { Context } from '../../shared/context.js';
import { planningResult } from '../planning-result.js';
import type { PlanningResult } from '../planning-progress.js';
import { appendAndTell } from '../run/append-and-tell.js';
import { isLinkingLeft } from '../run/link-at-end.js';
import { inRun } from '../run/begin-run.js';
import type { RunPlanningOptions } from '../run-planning.js';

/**
 * Leaves a plan to whoever answers its questions: it is paused, and says why. Goals that no limit lets anybody ask about
 * are taken as atomic.
 * @throws PlanError PLANNER_BUSY, STORAGE_FAILED
 */
export async function handOver(
  context: Context,
  options: Pick<RunPlanningOptions, 'log' | 'settings' | 'first' | 'emit'>,
): Promise<PlanningResult> {
  const { log, emit } = options;
  const paused = await inRun(context, options, ({ id }) => openAll(options, id));
  await log.publish('now');
  const { id } = log.plan.header;
  const first =
    options.settings.triage === true
      ? `First \`plan ask ${id} --kind triage\` asks which goals of the document are work. `
      : '';
  if (paused)
    emit({
      type: 'notice',
      message: `${first}Whoever plans this asks with \`plan ask ${id}\` and answers with \`plan answer ${id} --from FILE\`.`,
    });
  return planningResult(context, log.plan, null);
}

/** Whether anything is left to ask. */
async function openAll(
  { log, settings, first = [], emit }: Pick<RunPlanningOptions, 'log' | 'settings' | 'first' | 'emit'>,
  run: string,
): Promise<boolean> {
  await appendAndTell(log, first, emit);
  await appendAndTell(log, openQuestions(log.plan, settings).taken, emit);
  const left = (await isLinkingLeft(log, settings)) ? { left: 'link' as const } : {};
  const paused = log.plan.counts.pending > 0 || left.left !== undefined;
  const usage = { ...NO_USAGE, cost_usd: null };
  await appendAndTell(
    log,
    [
      paused
        ? { type: 'plan_paused', because: 'agent', run, usage, ...left }
        : { type: 'planning_ended', run, usage: NO_USAGE },
    ],
    emit,
  );
  return paused;
}
