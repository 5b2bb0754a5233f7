import { repeatedly } from '../../../host/repeatedly.js';
import { messageOf, PlanError } from '../../../kernel/errors.js';
import type { PlanLog } from '../../../storage/plan-store.js';
import type { GoalJob, Team } from '../../../storage/team.js';
import type { Emit } from '../planning-run.js';
import type { Context } from '../../shared/context.js';
import { expandJob, giveUpGoal } from './expand-job.js';
import type { Expanding } from './expand-job.js';
import { createGoalFaults, goalFault, isOfOneGoal } from './goal-faults.js';
import { runOfWorkers } from './plan-session.js';
import { createSessions } from './plan-sessions.js';

/** How often a worker that has something in hand looks whether the plan was paused. */
const LOOK_MS = 1000;
/** How long a plan is kept open that nobody has looked at: one that workers plan still, and one that rests. */
const IDLE_MS = 60_000;
const RESTING_MS = 2000;

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
  const usedAt = new Map<string, number>();
  const faults = createGoalFaults();

  const stopLooking = repeatedly(
    LOOK_MS,
    async () => {
      await Promise.allSettled([...[...inHand.keys()].map(look), ...[...logs].map(letGo)]);
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

  async function expand(job: GoalJob, ending: () => void): Promise<boolean> {
    const { plan: planId, goal: goalId } = job;
    const putOff = (delayMs: number) => team.putOff(job, delayMs);
    inHand.set(planId, (inHand.get(planId) ?? 0) + 1);
    try {
      const session = await sessions.of(await open(planId));
      return session !== null && (await expandIn({ session, goalId, drop, emit, ending, putOff }));
    } finally {
      const left = (inHand.get(planId) ?? 1) - 1;
      if (left > 0) inHand.set(planId, left);
      else inHand.delete(planId);
    }
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
      const log = await open(planId);
      await log.refresh();
      return log;
    });
  }

  /** A worker may live for months: nothing is kept of a plan that rests, or that others plan. */
  async function letGo([planId, opened]: readonly [string, Promise<PlanLog>]): Promise<void> {
    const log = await opened;
    const longest = runOfWorkers(log.plan) === null ? RESTING_MS : IDLE_MS;
    const isIdle = (usedAt.get(planId) ?? 0) + longest < performance.now();
    if (isIdle && !inHand.has(planId) && logs.get(planId) === opened) forget(planId);
  }

  function forget(planId: string): void {
    logs.delete(planId);
    usedAt.delete(planId);
    sessions.drop(planId);
  }

  function open(planId: string): Promise<PlanLog> {
    usedAt.set(planId, performance.now());
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
      forget(planId);
      return null;
    }
  }
}
