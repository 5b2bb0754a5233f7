import { PlanError } from '../../../kernel/errors.js';
import type { Settings } from '../../../plan/schema.js';
import type { Context } from '../../../operations/shared/context.js';
import type { DelegatedPlanning } from '../../../operations/shared/hooks.js';
import { planningResult } from '../../../operations/planning/planning-result.js';
import type { PlanningResult } from '../../../operations/planning/planning-progress.js';
import { appendAndTell } from '../../../operations/planning/run/append-and-tell.js';
import { beginRun } from '../../../operations/planning/run/begin-run.js';
import { teamOf } from './team-of.js';

/**
 * Leaves a plan to workers: with the event that says so, every waiting goal gets a job. Nothing is asked here.
 * @throws PlanError WRONG_STATE for a store of files, PLANNER_BUSY, STORAGE_FAILED
 */
export async function beginWorkers(
  context: Context,
  { log, settings, first = [], estimate, emit }: DelegatedPlanning,
): Promise<PlanningResult> {
  const team = await teamOf(context);
  const { id } = log.plan.header;
  const run = await beginRun(context, { log, settings, emit, workers: true });
  await team.begin(id, run.id);
  await appendAndTell(log, first, emit);
  const made = (await estimate?.()) ?? null;
  if (made !== null)
    await appendAndTell(log, [{ type: 'planning_estimated', run: run.id, estimate: made }], emit);
  await log.publish('now');
  emit({
    type: 'notice',
    message: `Workers plan ${id}: \`plan worker\` starts one, on any machine; \`plan status ${id} --watch\` shows how it goes.`,
  });
  return planningResult(context, log.plan, null);
}

/**
 * Before workers begin: refuses what they cannot do, before anything of the plan is written, and makes what workers
 * need in the database.
 * @throws PlanError USAGE, WRONG_STATE, INVALID_CONFIG, STORAGE_FAILED
 */
export async function refuseForWorkers(
  context: Context,
  { settings, review }: { readonly settings: Settings; readonly review?: boolean | undefined },
): Promise<void> {
  if (review === true) throw new PlanError('USAGE', '--review and --workers do not go together');
  if (settings.expander === 'agent')
    throw new PlanError('USAGE', 'workers ask a model or the rules; an agent answers `plan ask`');
  if (settings.expander === 'replay')
    throw new PlanError('USAGE', 'workers cannot replay a recording; leave out --workers');
  const team = await teamOf(context);
  await team.prepare();
}
