import { repeatedly } from '../../../host/repeatedly.js';
import { messageOf, PlanError } from '../../../kernel/errors.js';
import type { PlanLog } from '../../../storage/plan-store.js';
import type { GoalJob, Team } from '../team.js';
import type { Emit } from '../../../operations/planning/planning-progress.js';
import type { Context } from '../../../operations/shared/context.js';
import { expandJob, giveUpGoal } from './expand-job.js';
import type { Expanding } from './expand-job.js';
import { createGoalFaults, goalFault, isOfOneGoal } from './goal-faults.js';
import { createOpenPlans } from './open-plans.js';
import { createPlanSessions } from './plan-sessions.js';

/** How often a worker that has something in hand looks whether the plan was paused. */
const LOOK_MS = 1000;
/** The plans that one worker has in hand. */
export interface WorkerPlans {
  /** A plan as it is now; null when it is gone. @throws PlanError STORE_DAMAGED, STORAGE_FAILED */
  read(planId: string): Promise<PlanLog | null>;
  /**
   * Does a job, if there is anything to do.
   * @param ending called when nothing is left but to store what came of it
   * @returns whether a goal was expanded
   * @throws PlanError STORAGE_FAILED
   */
  handle(job: GoalJob, ending: () => void): Promise<boolean>;
  /** Stops looking after them. */
  close(): void;
}

export interface WorkerPlansOptions {
  readonly context: Context;
  readonly team: Team;
  readonly concurrency: number;
  /** When it aborts, calls wait for nothing any more. */
  readonly signal: AbortSignal;
  /** When it aborts, the calls in hand are dropped. */
  readonly drop: AbortSignal;
  readonly emit: Emit;
}

/** Keeps the plans open that jobs name, and what each is planned with. */
export function createWorkerPlans({
  context,
  team,
  concurrency,
  signal,
  drop,
  emit,
}: WorkerPlansOptions): WorkerPlans {
  const plans = createOpenPlans(() => context.store());
  const sessions = createPlanSessions({ context, team, emit, concurrency, signal });
  const faults = createGoalFaults();

  const stopLooking = repeatedly(
    LOOK_MS,
    async () => {
      await Promise.allSettled(plans.inHand().map(look));
      for (const planId of await plans.idle()) forget(planId);
    },
    { ref: false },
  );
  return {
    read,
    handle: async (job, ending) => (await unlessGone(job.plan, () => expand(job, ending))) ?? false,
    close() {
      stopLooking();
      sessions.close();
    },
  };

  function expand(job: GoalJob, ending: () => void): Promise<boolean> {
    const { plan: planId, goal: goalId } = job;
    const putOff = (delayMs: number) => team.putOff(job, delayMs);
    return plans.inHandFor(planId, async () => {
      const session = await sessions.of(await plans.open(planId));
      return session !== null && expandIn({ session, goalId, drop, emit, ending, putOff });
    });
  }

  async function expandIn(expanding: Expanding): Promise<boolean> {
    const { session, goalId } = expanding;
    try {
      return await expandJob(expanding);
    } catch (cause) {
      await sessions.dropIfStopped(session);
      if (!isOfOneGoal(cause)) throw cause;
      if (!faults.note(goalId)) throw goalFault(goalId, cause);
      await giveUpGoal(expanding, messageOf(cause));
      return false;
    }
  }

  function read(planId: string): Promise<PlanLog | null> {
    return unlessGone(planId, async () => {
      const log = await plans.open(planId);
      await log.refresh();
      return log;
    });
  }

  function forget(planId: string): void {
    plans.forget(planId);
    sessions.drop(planId);
  }

  async function look(planId: string): Promise<void> {
    const log = await read(planId);
    if (log !== null) sessions.stopOthers(log);
  }

  /** What comes of work on a plan; null when it was deleted for good, and then nothing of it is kept here. */
  function unlessGone<T>(planId: string, work: () => Promise<T>): Promise<T | null> {
    return unlessDeleted(work, () => forget(planId));
  }
}

/** What comes of work on a plan; null when it was deleted for good. */
async function unlessDeleted<T>(work: () => Promise<T>, onDeleted: () => void): Promise<T | null> {
  try {
    return await work();
  } catch (cause) {
    if (!(cause instanceof PlanError) || cause.code !== 'PLAN_NOT_FOUND') throw cause;
    onDeleted();
    return null;
  }
}
