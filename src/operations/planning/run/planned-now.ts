import { PlanError } from '../../../kernel/errors.js';
import type { Plan } from '../../../plan/plan.js';
import type { Run } from '../../../plan/schema.js';
import type { Context } from '../../shared/context.js';
import { isDriven } from '../../shared/driven-runs.js';
import { delegateIn } from '../delegate.js';

/** A run on another machine counts as alive while its last change is younger than this. */
export const FOREIGN_RUN_MS = 10 * 60_000;

/** Refuses what would cross a process that plans the plan just now. @throws PlanError PLANNER_BUSY */
export async function refuseWhilePlanned(context: Context, plan: Plan): Promise<void> {
  const { run } = plan.header;
  if (run !== undefined && (await isPlannerAlive(run, plan, context))) throw busyWith(run);
}

/** Refuses what only a process of this machine stands in the way of. @throws PlanError PLANNER_BUSY */
export async function refuseWhilePlannedHere({ environment }: Context, { header }: Plan): Promise<void> {
  const { run } = header;
  if (run === undefined || run.host !== environment.host || !(await isDriven(run, environment))) return;
  throw busyWith(run);
}

/** Whether whoever plans a plan still does, as far as can be told from here. */
export async function isPlannerAlive(run: Run, plan: Plan, context: Context): Promise<boolean> {
  const { environment } = context;
  // No worker reaches a store of files: such a plan was copied from a database. They stop when it is paused.
  if (run.workers === true)
    return (await isReachedByWorkers(context)) && (plan.header.paused_because ?? null) === null;
  if (run.host === environment.host) return isDriven(run, environment);
  return environment.now() - Date.parse(plan.header.updated_at) < FOREIGN_RUN_MS;
}

async function isReachedByWorkers(context: Context): Promise<boolean> {
  return (await (await delegateIn(context))?.isReached(context)) ?? false;
}

/** Why a plan that is being planned cannot be changed now. */
export function busyWith(run: Run): PlanError {
  if (run.workers === true)
    return new PlanError('PLANNER_BUSY', 'workers are planning this plan', {
      hint: { commandLine: '`plan pause` asks them to stop.' },
      details: { workers: true },
    });
  return new PlanError('PLANNER_BUSY', `process ${run.pid} on ${run.host} is planning this plan`, {
    hint: { commandLine: '`plan pause` asks it to stop.' },
    details: { host: run.host, pid: run.pid },
  });
}
