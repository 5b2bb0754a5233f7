import { PlanError } from '../errors.js';
import { summarize } from '../plan/plan.js';
import type { Plan } from '../plan/plan.js';
import type { Summary } from '../plan/schema.js';
import { dropActionPlan } from '../store/file/action-plan-files.js';
import { isRunning } from '../store/process.js';
import type { PlanLog, Shelf } from '../store/plan-store.js';
import type { Context } from './context.js';
import { findPlan, findPlanId } from './find-plan.js';

/**
 * Moves a plan into the archive, or back out of it.
 * @throws PlanError PLAN_NOT_FOUND, WRONG_STATE when it is there already, PLANNER_BUSY
 */
export async function shelvePlan(context: Context, name: string | undefined, to: Shelf): Promise<Summary> {
  const store = context.store();
  const log = await findPlan(store, await nameFor(context, name, to));
  if (log.shelf === to) {
    throw new PlanError(
      'WRONG_STATE',
      `plan ${log.plan.header.id} is ${to === 'archive' ? 'archived' : 'active'} already`,
    );
  }
  await refuseWhilePlanned(context, log);
  await log.publish('now');
  await store.move(log.plan.header.id, to);
  return summarize(log.plan);
}

/**
 * Deletes a plan: into the archive, or with `purge` for good. A plan that cannot be read can be purged too.
 * @throws PlanError PLAN_NOT_FOUND, PLANNER_BUSY, INVALID_INPUT
 */
export async function deletePlan(
  context: Context,
  name: string | undefined,
  purge: boolean,
): Promise<{ readonly id: string; readonly purged: boolean }> {
  const store = context.store();
  if (!purge) return { id: (await shelvePlan(context, name, 'archive')).id, purged: false };
  if (name === undefined) {
    throw new PlanError('INVALID_INPUT', 'what is deleted for good must be named', {
      hint: 'plan delete --purge <plan id>',
    });
  }
  const id = await findPlanId(store, name);
  const log = await store.open(id).catch(() => null);
  if (log !== null) await refuseWhilePlanned(context, log);
  await store.purge(id);
  if (log !== null) await purgeActionPlans(context, log.plan);
  return { id, purged: true };
}

/** The action plans of its goals are of no use without it. */
async function purgeActionPlans(context: Context, plan: Plan): Promise<void> {
  const folder = context.storeFolder();
  if (folder === null) return;
  const ids = new Set([...plan.goals.values()].flatMap(({ action_plans = [] }) => action_plans));
  for (const id of ids) await dropActionPlan(folder, id);
}

/** Nothing named means the plan changed last: of the archive when one is to come back from there. */
async function nameFor(context: Context, name: string | undefined, to: Shelf): Promise<string | undefined> {
  if (name !== undefined || to === 'archive') return name;
  const { plans } = await context.store().list('archive');
  if (plans[0] === undefined) throw new PlanError('PLAN_NOT_FOUND', 'the archive is empty');
  return plans[0].id;
}

async function refuseWhilePlanned({ environment }: Context, log: PlanLog): Promise<void> {
  const { run } = log.plan.header;
  if (run === undefined || run.host !== environment.host || !(await isRunning(run))) return;
  throw new PlanError('PLANNER_BUSY', `process ${run.pid} is planning this plan`, {
    hint: '`plan pause` asks it to stop.',
  });
}
