import type { Pool } from 'pg';

import { PlanError } from '../../kernel/errors.js';

/** So long the engine waits before it asks for jobs when nobody has told it of one. */
const POLL_MS = 1000;
/** How long before a pool of the engine that ended by itself is started anew. */
const AGAIN_MS = 500;

/** A pool of the engine that takes jobs. */
interface EnginePool {
  /** Resolves or rejects when it has ended. */
  readonly ended: Promise<void>;
  /** Takes no more jobs, and waits for those in hand. */
  end(why: string): Promise<void>;
}

export interface EngineOptions {
  readonly pool: Pool;
  readonly concurrency: number;
  readonly signal: AbortSignal;
  /** What does the jobs of each name. */
  readonly tasks: Readonly<Record<string, (payload: unknown) => Promise<void>>>;
  /** Told of the pool's name; no job is taken before it resolves. */
  readonly own: (pool: string) => Promise<void>;
}

/** Takes jobs, again and again, until the signal aborts. */
export interface Engine {
  /** Ends the pool and begins another; what was in hand goes on, unknown to the engine. */
  restart(): void;
  /** Resolves when the signal has aborted and what was in hand is done. */
  readonly done: Promise<void>;
}

/** Makes or updates the tables of the engine. */
export async function prepareEngine(pool: Pool): Promise<void> {
  const { runMigrations } = await loadEngine();
  await runMigrations({ pgPool: pool, logger: await silence(), noPreparedStatements: true });
}

/** Starts to take jobs with graphile-worker. */
export function startEngine(options: EngineOptions): Engine {
  const { signal, own } = options;
  let current: EnginePool | null = null;
  return {
    restart() {
      current?.end('the process is known by another name').catch(() => undefined);
    },
    done: loop(),
  };

  async function loop(): Promise<void> {
    const over = new Promise<void>((resolve) => {
      if (signal.aborted) resolve();
      signal.addEventListener('abort', () => resolve(), { once: true });
    });
    while (!signal.aborted) {
      const pool = await startPool(options, own);
      current = pool;
      const ended = pool.ended.catch(() => undefined);
      await Promise.race([ended, over]);
      if (signal.aborted) {
        await pool.end('the worker ends').catch(() => undefined);
        return;
      }
      // It gives up when it cannot tell the database that a job is done, as while that restarts.
      await Promise.race([new Promise((resolve) => setTimeout(resolve, AGAIN_MS)), over]);
    }
  }
}

async function startPool(
  { pool, concurrency, tasks }: EngineOptions,
  own: EngineOptions['own'],
): Promise<EnginePool> {
  const { runTaskList } = await loadEngine();
  let known: Promise<void> | null = null;
  let tell: ((id: string) => void) | null = null;
  const named = new Promise<string>((resolve) => {
    tell = resolve;
  });
  const started = runTaskList(
    {
      pgPool: pool,
      concurrency,
      pollInterval: POLL_MS,
      noHandleSignals: true,
      logger: await silence(),
      // Asked before each look for a job: the only place where the engine waits for us before the first.
      forbiddenFlags: async () => {
        await (known ??= named.then(own).catch((cause: unknown) => {
          // The engine asks again for ever: what failed while the database was away is done once it is back.
          known = null;
          throw cause;
        }));
        return [];
      },
      preset: { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } },
    },
    { ...tasks },
    pool,
  );
  (tell as ((id: string) => void) | null)?.(started.id);
  // Not the pool itself, which can be awaited and resolves when it ends.
  return {
    ended: started.promise,
    end: async (why) => {
      await started.gracefulShutdown(why);
    },
  };
}

async function silence() {
  const { Logger } = await loadEngine();
  return new Logger(() => () => undefined);
}

/** The engine is loaded where workers plan, and nowhere else. */
async function loadEngine() {
  try {
    return await import('graphile-worker');
  } catch (cause) {
    throw new PlanError('INVALID_CONFIG', 'workers plan here, and the package graphile-worker is missing', {
      hint: 'Install it beside frctl: `npm install graphile-worker`, or with --global where frctl is installed so.',
      cause,
    });
  }
}
