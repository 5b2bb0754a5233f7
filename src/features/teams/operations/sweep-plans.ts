import { messageOf, PlanError } from '../../../kernel/errors.js';
import { goalTurn } from '../../../plan/opened-goals.js';
import { isWaiting } from '../../../plan/plan.js';
import type { Plan } from '../../../plan/plan.js';
import type { PlanLog } from '../../../storage/plan-store.js';
import type { GoalJob, Team } from '../team.js';
import type { Emit } from '../../../operations/planning/planning-progress.js';
import { countLostCalls } from '../../../operations/planning/budget/begun-calls.js';
import { endIfDone, endWorkersRun } from './end-workers-run.js';
import { runOfWorkers } from './plan-session.js';

export interface Sweeping {
  readonly team: Team;
  /** A plan as it is now; null when it is gone. */
  readonly read: (planId: string) => Promise<PlanLog | null>;
  readonly emit: Emit;
  /** What was told of plans that cannot be looked after, by their ids; kept from one sweep to the next. */
  readonly told: Map<string, string>;
}

/**
 * Looks after the plans that workers plan: sees that every waiting goal has a job, and that a run which is done, or was
 * paused, ends. Whatever a process that died has left undone is done here. A plan that cannot be looked after is told of
 * once, and keeps no other from it.
 * @throws PlanError STORAGE_FAILED
 */
export async function sweepPlans(sweeping: Sweeping): Promise<void> {
  const { team, emit, told } = sweeping;
  for (const { plan, run } of await team.plans()) {
    try {
      await sweepPlan(sweeping, plan, run);
      told.delete(plan);
    } catch (cause) {
      // What ails the database ails every plan.
      if (cause instanceof PlanError && cause.code === 'STORAGE_FAILED') throw cause;
      const why = messageOf(cause);
      if (told.get(plan) !== why)
        emit({ type: 'notice', message: `Workers cannot look after plan ${plan}: ${why}` });
      told.set(plan, why);
    }
  }
}

async function sweepPlan({ team, read, emit }: Sweeping, planId: string, run: string): Promise<void> {
  const log = await read(planId);
  if (log === null) return team.forget(planId);
  const { plan } = log;
  const { header, counts } = plan;
  if (header.run?.workers !== true) return team.end(planId, run);
  const workers = { team, log, run: header.run };
  await countLostCallsOfWorkers(team, log);
  if (counts.pending === 0) return endIfDone(workers, emit);
  await team.hasten(planId);
  const { inHand, waiting } = await team.jobsOf(planId);
  // Paused or archived: once nobody asks any more, others may go on.
  if (runOfWorkers(plan) === null) return inHand > 0 ? undefined : endWorkersRun(workers, emit);
  if (header.run.id !== run) await team.begin(planId, header.run.id);
  if (inHand + waiting < counts.pending) await team.offer(jobsForSweptPlan(plan));
}

/** Counts the calls of workers that were given up; what those of other processes came to is for whoever plans next. */
async function countLostCallsOfWorkers(team: Team, log: PlanLog): Promise<void> {
  if (log.plan.header.calls?.some(({ caller }) => caller.worker !== undefined) !== true) return;
  const living = new Set(await team.callers());
  await countLostCalls(log, async ({ caller }) => caller.worker !== undefined && !living.has(caller.worker));
}

/** A job for every goal that waits in a plan that is swept. */
export function jobsForSweptPlan(plan: Plan): readonly GoalJob[] {
  return [...plan.goals.values()]
    .filter(isWaiting)
    .map(({ id, depth }) => ({ plan: plan.header.id, goal: id, turn: goalTurn(plan, depth) }));
}
