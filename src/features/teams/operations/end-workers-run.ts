import { NO_USAGE } from '../../../plan/plan.js';
import type { PauseCause, Usage } from '../../../plan/schema.js';
import type { PlanLog } from '../../../storage/plan-store.js';
import type { Team } from '../team.js';
import type { Emit } from '../../../operations/planning/planning-progress.js';
import { appendAndTell } from '../../../operations/planning/run/append-and-tell.js';
import { isLinkingLeft } from '../../../operations/planning/run/link-at-end.js';
import { runOfWorkers } from './plan-session.js';

/** A run of workers, and where it stands. */
export interface WorkersRun {
  readonly team: Team;
  readonly log: PlanLog;
  readonly run: { readonly id: string };
}

/** Writes down that workers are done with a plan, once no goal of it waits; or has one of them ask its last question. */
export async function endIfDone(workers: WorkersRun, emit: Emit): Promise<void> {
  const { log, run, team } = workers;
  const { counts, header } = log.plan;
  if (counts.pending > 0 || header.run?.id !== run.id) return;
  const { settings } = header;
  if (settings === undefined || runOfWorkers(log.plan) === null || !(await isLinkingLeft(log, settings)))
    return endWorkersRun(workers, emit);
  // A job of the root goal, which waits no longer itself: whoever takes it asks.
  await team.offer([{ plan: header.id, goal: header.root_goal_id, turn: 0 }]);
}

/** Ends a run; another worker may do the same at once, and is refused. @throws PlanError STORAGE_FAILED */
export async function endWorkersRun(workers: WorkersRun, emit: Emit): Promise<void> {
  const { log, run, team } = workers;
  const usage = await withSeconds(workers, NO_USAGE);
  await appendAndTell(log, [{ type: 'planning_ended', run: run.id, usage }], emit);
  await team.end(log.plan.header.id, run.id);
  await log.publish('now');
}

/**
 * Pauses a plan for all workers, and ends their run; what they have been asking about is stored all the same.
 * @throws PlanError STORAGE_FAILED
 */
export async function pauseWorkersRun(
  workers: WorkersRun,
  {
    usage,
    ...why
  }: {
    readonly because: PauseCause;
    readonly detail: string;
    readonly left?: 'link';
    readonly usage: Usage;
  },
  emit: Emit,
): Promise<void> {
  const { log, run, team } = workers;
  const whole = await withSeconds(workers, usage);
  const [outcome] = await appendAndTell(
    log,
    [{ type: 'plan_paused', run: run.id, ...why, usage: whole }],
    emit,
  );
  if (outcome?.refused !== null && usage.calls > 0)
    await appendAndTell(log, [{ type: 'usage_added', because: 'a call without result', usage }], emit);
  await team.end(log.plan.header.id, run.id);
  await log.publish('now');
}

/** The time that workers took counts once, however many they were. */
async function withSeconds({ team, log }: WorkersRun, usage: Usage): Promise<Usage> {
  const seconds = await team.secondsOf(log.plan.header.id);
  return { ...usage, seconds: Math.round(seconds * 1000) / 1000 };
}
