import { EventEmitter, once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';

import type { Pool } from 'pg';

import { PlanError } from '../../../kernel/errors.js';
import { createJobSlots } from './job-slots.js';
import type { JobSlots } from './job-slots.js';
import { freeLostJobs } from './lost-jobs.js';
import { aloud, quietly } from './quiet-engine.js';
import { createTakenJobs } from './taken-jobs.js';
import type { TakenJob, TakenJobs } from './taken-jobs.js';

/** So long the engine waits before it asks for jobs when nobody has told it of one. */
const POLL_MS = 1000;
/** How long before a pool of the engine that ended by itself is started anew. */
const AGAIN_MS = 500;
/** Jobs at most whose slots others have taken already, while what came of them is stored. */
const MOST_ENDING = 4;
/** So long a pool that ends may take to tell the database of jobs that are done. */
const TELL_MS = 2000;

/** Does a job; calls `ending` when another may be taken, for nothing is left but to store what came of it. */
type Task = (payload: unknown, ending: () => void) => Promise<void>;

/** A pool of the engine that takes jobs. */
interface EnginePool {
  /** Resolves or rejects when it has ended: nothing of it is in hand. */
  readonly ended: Promise<void>;
  /** Takes no more jobs, and waits for those in hand. */
  end(why: string): Promise<void>;
  /** An answer of the database may have been lost. */
  doubt(): void;
}

export interface EngineOptions {
  readonly pool: Pool;
  /** Jobs at once, without those that are ending. */
  readonly concurrency: number;
  readonly signal: AbortSignal;
  /** What does the jobs of each name. */
  readonly tasks: Readonly<Record<string, Task>>;
  /** Jobs with one of these flags are left to others just now. */
  readonly avoided?: () => readonly string[];
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
  const logger = await silence();
  await quietly(() => runMigrations({ pgPool: pool, logger, noPreparedStatements: true }));
}

/** Starts to take jobs with graphile-worker. */
export function startEngine(options: EngineOptions): Engine {
  const { signal, own } = options;
  let current: EnginePool | null = null;
  // The engine tries some of what was broken off again, and says nothing.
  options.pool.on('connect', (client) => client.on('error', () => current?.doubt()));
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
  { pool, concurrency, tasks, avoided }: EngineOptions,
  own: EngineOptions['own'],
): Promise<EnginePool> {
  const { runTaskList } = await loadEngine();
  let known: Promise<void> | null = null;
  let tell: ((id: string) => void) | null = null;
  const named = new Promise<string>((resolve) => {
    tell = resolve;
  });
  const slots = createJobSlots(concurrency, POLL_MS);
  const taken = createTakenJobs();
  const events = eventsFor(slots, taken);
  const logger = await silence();
  const settings = {
    pgPool: pool,
    concurrency: concurrency + Math.min(concurrency, MOST_ENDING),
    events,
    pollInterval: POLL_MS,
    noHandleSignals: true,
    logger,
    // Asked before each look for a job: the only place where the engine waits for us before the first.
    forbiddenFlags: async () => {
      await slots.take();
      await (known ??= named.then(own).catch((cause: unknown) => {
        // The engine asks again for ever: what failed while the database was away is done once it is back.
        known = null;
        throw cause;
      }));
      return [...(avoided?.() ?? [])];
    },
    preset: { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } },
  };
  const inSlots = Object.fromEntries(
    Object.entries(tasks).map(([name, task]) => [name, inSlot(task, slots)]),
  );
  const started = quietly(() => runTaskList(settings, inSlots, pool));
  (tell as ((id: string) => void) | null)?.(started.id);
  const lost = freeLostJobs(pool, started.id, taken);
  events.on('worker:getJob:error', () => lost.hurry());
  whenStuck(events, () => void shutDown('it has kept an error'));
  // It may wait for ever: once it could not tell that a job is done, it loses count of what else it has to tell.
  const ended = Promise.race([started.promise, drained(events, taken)]).finally(() => lost.stop());
  // Not the pool itself, which can be awaited and resolves when it ends.
  return {
    ended,
    doubt: () => lost.hurry(),
    end: async (why) => {
      void shutDown(why);
      await ended;
    },
  };

  async function shutDown(why: string): Promise<void> {
    try {
      await started.gracefulShutdown(why);
    } catch {
      // What it ends with is told by `ended`.
    }
  }
}

/** Tells the slots and the account of jobs what looks have found, and of which jobs the engine was told. */
function eventsFor(slots: JobSlots, taken: TakenJobs): EventEmitter {
  const events = new EventEmitter();
  const begun = new WeakMap<object, number>();
  const emptied = ({ worker }: Looking) => {
    taken.gets(worker, null);
    slots.empty(begun.get(worker) ?? 0);
  };
  events.on('worker:getJob:start', ({ worker }: Looking) => {
    taken.asks(worker);
    begun.set(worker, slots.begin());
  });
  events.on('job:start', ({ worker, job }: Found) => {
    taken.gets(worker, job);
    slots.found();
  });
  events.on('job:complete', ({ job }: Found) => taken.ends(job));
  events.on('worker:getJob:empty', emptied);
  events.on('worker:getJob:error', emptied);
  events.on('pool:listen:notification', ({ message }: Told) => slots.told(jobsIn(message)));
  events.on(CLOSING, () => slots.close());
  return events;
}

/** Told when a pool ends, for whatever reason. */
const CLOSING = 'pool:gracefulShutdown';

/** Resolves when a pool that ends has nothing in hand any more, and has had the time to tell the database so. */
async function drained(events: EventEmitter, taken: TakenJobs): Promise<void> {
  await once(events, CLOSING);
  await taken.idle();
  await wait(TELL_MS, undefined, { ref: false });
}

/**
 * Tells of a pool whose looks fail again with an error that one has failed with before. The engine asks for the numbers of
 * its tasks once; where the answer is lost it keeps that error, and no look comes to anything any more.
 */
function whenStuck(events: EventEmitter, tell: () => void): void {
  const looking = new WeakSet<object>();
  const errors = new WeakSet<object>();
  events.on('worker:getJob:start', ({ worker }: Looking) => looking.add(worker));
  events.on('worker:getJob:error', ({ worker, error }: Failed) => {
    // Later, for others fail with it just now, and the engine prints what fails while it ends.
    if (looking.has(worker) && errors.has(error)) setImmediate(tell);
    errors.add(error);
  });
}

interface Failed extends Looking {
  readonly error: object;
}

interface Looking {
  readonly worker: object;
}

interface Found extends Looking {
  readonly job: TakenJob;
}

interface Told {
  readonly message: { readonly payload?: string | undefined };
}

/** How many jobs the engine is told of; one where it does not say. */
function jobsIn({ payload }: Told['message']): number {
  return Math.max(0, Number(/"count"\s*:\s*(-?\d+)/.exec(payload ?? '')?.[1] ?? 1));
}

/** The task that gives its slot back once, when it is ending or over. */
function inSlot(task: Task, slots: JobSlots): (payload: unknown) => Promise<void> {
  return async (payload) => {
    let isHeld = true;
    const free = () => {
      if (isHeld) slots.free();
      isHeld = false;
    };
    try {
      await aloud(() => task(payload, free));
    } finally {
      free();
    }
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
      hint: {
        commandLine:
          'Install it beside frctl: `npm install graphile-worker`, or with --global where frctl is installed so.',
      },
      cause,
    });
  }
}
