import { messageOf, PlanError } from '../../../kernel/errors.js';
import { goalTurn } from '../../../plan/opened-goals.js';
import { isWaiting } from '../../../plan/plan.js';
import type { Plan } from '../../../plan/plan.js';
import type { PlanLog } from '../../../storage/plan-store.js';
import type { GoalJob, Team } from '../team.js';
import type { Emit } from '../../../operations/planning/planning-progress.js';
import { enterLostCalls } from './enter-lost-calls.js';
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
  for (const plan of await team.plansWithLostCalls())
    await apart(sweeping, plan, async () => {
      const log = await sweeping.read(plan);
      await (log === null ? team.forget(plan) : enterLostCalls(team, log, emit));
    });
  for (const { plan, run } of await team.plans())
    if (await apart(sweeping, plan, () => sweepPlan(sweeping, plan, run))) told.delete(plan);
}

/** Does something for one plan. @returns whether it could be done; why not is told once */
async function apart({ emit, told }: Sweeping, plan: string, work: () => Promise<void>): Promise<boolean> {
  try {
    await work();
    return true;
  } catch (cause) {
    // What ails the database ails every plan.
    if (cause instanceof PlanError && cause.code === 'STORAGE_FAILED') throw cause;
    const why = messageOf(cause);
    if (told.get(plan) !== why)
      emit({ type: 'notice', message: `Workers cannot look after plan ${plan}: ${why}` });
    told.set(plan, why);
    return false;
  }
}

async function sweepPlan({ team, read, emit }: Sweeping, planId: string, run: string): Promise<void> {
  const log = await read(planId);
  if (log === null) return team.forget(planId);
  const { plan } = log;
  const { header, counts } = plan;
  if (header.run?.workers !== true) return team.end(planId, run);
  const workers = { team, log, run: header.run };
  if (counts.pending === 0) return endIfDone(workers, emit);
  await team.hasten(planId);
  const { inHand, waiting } = await team.jobsOf(planId);
  // Paused or archived: once nobody asks any more, others may go on.
  if (runOfWorkers(plan) === null) return inHand > 0 ? undefined : endWorkersRun(workers, emit);
  if (header.run.id !== run) await team.begin(planId, header.run.id);
  if (inHand + waiting < counts.pending) await team.offer(jobsForSweptPlan(plan));
}

/** A job for every goal that waits in a plan that is swept. */
export function jobsForSweptPlan(plan: Plan): readonly GoalJob[] {
  return [...plan.goals.values()]
    .filter(isWaiting)
    .map(({ id, depth }) => ({ plan: plan.header.id, goal: id, turn: goalTurn(plan, depth) }));
}
