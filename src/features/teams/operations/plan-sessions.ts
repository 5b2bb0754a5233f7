import { setTimeout as wait } from 'node:timers/promises';

import { messageWithHint, PlanError } from '../../../kernel/errors.js';
import type { PlanLog } from '../../../storage/plan-store.js';
import type { Context } from '../../../operations/shared/context.js';
import { beginSession, runOfWorkers } from './plan-session.js';
import type { PlanSession, SessionOptions } from './plan-session.js';

/** So long a worker that cannot plan a plan leaves it to others before it tries again. */
const UNABLE_MS = 10_000;
/** So long it keeps from taking the jobs of such a plan again and again. */
const REST_MS = 1000;

/** What a worker plans each plan with, as long as it is the same run. */
export interface PlanSessions {
  /** That of a plan now; null when workers do not plan it, or this one cannot. @throws PlanError STORAGE_FAILED */
  of(log: PlanLog): Promise<PlanSession | null>;
  /** Stops what was begun for a run of a plan that is paused or over. */
  stopOthers(log: PlanLog): void;
  /** Stops whatever was begun for a plan. */
  drop(planId: string): void;
  /** Lets go of a session that stopped and could not say so in the plan, so that another is begun for that run. */
  dropIfStopped(session: PlanSession): Promise<void>;
  close(): void;
}

/** Keeps sessions, and stops them all when the signal aborts. */
export function createPlanSessions({
  context,
  ...options
}: Omit<SessionOptions, 'log' | 'run'> & { readonly context: Context }): PlanSessions {
  const { emit, signal } = options;
  const sessions = new Map<string, Promise<PlanSession>>();
  const unable = new Map<string, number>();
  const stop = (key: string) => {
    const session = sessions.get(key);
    sessions.delete(key);
    session?.then((found) => found.stop.abort()).catch(() => undefined);
  };
  const keysOf = (planId: string) => [...sessions.keys()].filter((key) => isOf(planId, key));
  const stopAll = () => {
    for (const key of sessions.keys()) stop(key);
  };
  signal.addEventListener('abort', stopAll, { once: true });

  return {
    async of(log) {
      const run = runOfWorkers(log.plan) ?? runOfWorkers(await log.refresh());
      if (run === null) return null;
      const planId = log.plan.header.id;
      const key = keyOf(planId, run.id);
      if ((unable.get(key) ?? 0) > performance.now()) {
        await wait(REST_MS, undefined, { signal }).catch(() => undefined);
        return null;
      }
      const session = sessions.get(key) ?? beginSession(context, { ...options, log, run });
      sessions.set(key, session);
      try {
        return await session;
      } catch (cause) {
        sessions.delete(key);
        if (cause instanceof PlanError && cause.code === 'STORAGE_FAILED') throw cause;
        if (!unable.has(key))
          emit({ type: 'notice', message: `This worker cannot plan ${planId}: ${messageWithHint(cause)}` });
        unable.set(key, performance.now() + UNABLE_MS);
        return null;
      }
    },
    stopOthers({ plan }) {
      const current = keyOf(plan.header.id, runOfWorkers(plan)?.id ?? '');
      for (const key of keysOf(plan.header.id)) if (key !== current) stop(key);
    },
    drop(planId) {
      for (const key of keysOf(planId)) stop(key);
      for (const key of unable.keys()) if (isOf(planId, key)) unable.delete(key);
    },
    async dropIfStopped(session) {
      const key = keyOf(session.log.plan.header.id, session.run.id);
      if (session.stop.signal.aborted && (await sessions.get(key)?.catch(() => null)) === session)
        sessions.delete(key);
    },
    close: () => signal.removeEventListener('abort', stopAll),
  };
}

function isOf(planId: string, key: string): boolean {
  return key.startsWith(keyOf(planId, ''));
}

function keyOf(planId: string, run: string): string {
  return `${planId} ${run}`;
}
