import { repeatedly } from '../../../host/repeatedly.js';
import { PlanError } from '../../../kernel/errors.js';
import type { PlanLog } from '../../../storage/plan-store.js';
import type { GoalJob, Team } from '../../../storage/team.js';
import type { Emit } from '../planning-run.js';
import type { Context } from '../../shared/context.js';
import { expandJob } from './expand-job.js';
import { createSessions } from './plan-sessions.js';

/** How often a worker that has something in hand looks whether the plan was paused. */
const LOOK_MS = 1000;

/** The plans that one worker has in hand. */
export interface PlanDesk {
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

export interface DeskOptions {
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
export function createPlanDesk({ context, team, concurrency, signal, drop, emit }: DeskOptions): PlanDesk {
  const logs = new Map<string, Promise<PlanLog>>();
  const sessions = createSessions({ context, team, emit, concurrency, signal });
  const inHand = new Map<string, number>();

  const stopLooking = repeatedly(
    LOOK_MS,
    async () => {
      const planIds = [...inHand].flatMap(([planId, count]) => (count > 0 ? [planId] : []));
      await Promise.allSettled(planIds.map(look));
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

  async function expand({ plan: planId, goal: goalId }: GoalJob, ending: () => void): Promise<boolean> {
    const session = await sessions.of(await open(planId));
    if (session === null) return false;
    inHand.set(planId, (inHand.get(planId) ?? 0) + 1);
    try {
      return await expandJob({ session, goalId, drop, emit, ending });
    } catch (cause) {
      await sessions.dropIfStopped(session);
      throw cause;
    } finally {
      inHand.set(planId, (inHand.get(planId) ?? 1) - 1);
    }
  }

  function read(planId: string): Promise<PlanLog | null> {
    return unlessGone(planId, async () => {
      const log = await open(planId);
      await log.refresh();
      return log;
    });
  }

  function open(planId: string): Promise<PlanLog> {
    const found = logs.get(planId);
    if (found !== undefined) return found;
    const opened = context.store().open(planId);
    logs.set(planId, opened);
    opened.catch(() => logs.delete(planId));
    return opened;
  }

  async function look(planId: string): Promise<void> {
    const log = await read(planId);
    if (log !== null) sessions.stopOthers(log);
  }

  /** What comes of work on a plan; null when it was deleted for good, and then nothing of it is kept here. */
  async function unlessGone<T>(planId: string, work: () => Promise<T>): Promise<T | null> {
    try {
      return await work();
    } catch (cause) {
      if (!(cause instanceof PlanError) || cause.code !== 'PLAN_NOT_FOUND') throw cause;
      logs.delete(planId);
      sessions.drop(planId);
      return null;
    }
  }
}
