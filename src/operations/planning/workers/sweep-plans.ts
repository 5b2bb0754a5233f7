import { PlanError } from '../../../kernel/errors.js';
import { isWaiting } from '../../../plan/plan.js';
import type { Plan } from '../../../plan/plan.js';
import type { PlanLog } from '../../../storage/plan-store.js';
import type { GoalJob, Team } from '../../../storage/team.js';
import type { Emit } from '../planning-run.js';
import { endIfDone, endRun } from './end-run.js';
import { runOfWorkers } from './plan-session.js';

export interface Sweeping {
  readonly team: Team;
  /** A plan, open; the same again where it was opened before. @throws PlanError PLAN_NOT_FOUND */
  readonly open: (planId: string) => Promise<PlanLog>;
  readonly emit: Emit;
}

/**
 * Looks after the plans that workers plan: sees that every waiting goal has a job, and that a run which is done, or was
 * paused, ends. Whatever a process that died has left undone is done here.
 * @throws PlanError STORAGE_FAILED
 */
export async function sweepPlans(sweeping: Sweeping): Promise<void> {
  for (const { plan, run } of await sweeping.team.plans()) await sweepPlan(sweeping, plan, run);
}

async function sweepPlan({ team, open, emit }: Sweeping, planId: string, run: string): Promise<void> {
  const log = await openIfThere(open, planId);
  if (log === null) return team.forget(planId);
  const plan = await log.refresh();
  const { header, counts } = plan;
  if (header.run?.workers !== true) return team.end(planId, run);
  const workers = { team, log, run: header.run };
  if (counts.pending === 0) return endIfDone(workers, emit);
  const { inHand, waiting } = await team.jobsOf(planId);
  // Paused or archived: once nobody asks any more, others may go on.
  if (runOfWorkers(plan) === null) return inHand > 0 ? undefined : endRun(workers, emit);
  if (header.run.id !== run) await team.begin(planId, header.run.id);
  if (inHand + waiting < counts.pending) await team.offer(jobsFor(plan, team));
}

/** A job for every goal that waits. */
export function jobsFor(plan: Plan, { turnOf }: Pick<Team, 'turnOf'>): readonly GoalJob[] {
  return [...plan.goals.values()]
    .filter(isWaiting)
    .map(({ id, depth }) => ({ plan: plan.header.id, goal: id, turn: turnOf(plan, depth) }));
}

async function openIfThere(open: Sweeping['open'], planId: string): Promise<PlanLog | null> {
  try {
    return await open(planId);
  } catch (cause) {
    if (cause instanceof PlanError && cause.code === 'PLAN_NOT_FOUND') return null;
    throw cause;
  }
}
