import * as z from 'zod';

import { messageOf } from '../../../kernel/errors.js';
import type { GoalJob, TeamWork } from '../team.js';
import { listenForClosings } from './model-backoff.js';
import { startEngine } from './engine.js';
import { dropLargeJobs } from './large-jobs.js';
import { joinTeam } from './membership.js';
import type { Membership, MembershipOptions } from './membership.js';
import { RUN_TASK_NAME, TASK_NAME } from '../postgres/jobs/job-names.js';

/** How often the frontiers of the plans are swept. */
const SWEEP_EVERY_MS = 1000;
/** Looks for a job at most that have a connection of their own: a look is over in no time. */
const MOST_LOOKS = 4;
/** Connections that the engine needs besides: to listen, and to tell what is done. */
const MORE_CONNECTIONS = 3;

const runJob = z.object({ run: z.string() });
const goalJob: z.ZodType<GoalJob> = z.object({ plan: z.string(), goal: z.string(), turn: z.number() });

export interface WorkerContext extends Omit<MembershipOptions, 'onLost'> {
  /** Until when nobody may ask a model, by `performance.now()`. */
  readonly closed: Map<string, number>;
  readonly onJoined: (member: Membership) => void;
}

/** Takes jobs as a member of the team until the signal aborts. @throws PlanError STORAGE_FAILED */
export async function workForTeam(
  { concurrency, signal, handle, carryOut, avoided, sweep, notice }: TeamWork,
  { database, newProcess, about, closed, onJoined }: WorkerContext,
): Promise<void> {
  const opened: (() => Promise<void>)[] = [];
  const closing = <T>(value: T, close: (value: T) => Promise<void>): T => {
    opened.push(() => close(value));
    return value;
  };
  try {
    // What logs are written with is loaded where one is opened; the first job would wait for it.
    const [stopListening] = await Promise.all([
      listenForClosings(database, closed),
      import('../postgres/postgres-log.js'),
    ]);
    closing(stopListening, (stop) => stop());
    const { rows } = await database.query<{ goal: string; run: string }>(
      `select ${TASK_NAME} as goal, ${RUN_TASK_NAME} as run`,
    );
    let restart: (() => void) | null = null;
    const onLost = (why: string) => {
      notice(`The others took this worker for dead (${why}); it goes on under another name.`);
      restart?.();
    };
    const most = Math.min(concurrency, MOST_LOOKS) + MORE_CONNECTIONS;
    const pool = closing(await database.newPool(most), (one) => one.end());
    const member = closing(await joinTeam({ database, newProcess, about, onLost }), (one) => one.end());
    onJoined(member);
    await dropLargeJobs(database);
    const engine = startEngine({
      pool,
      concurrency,
      signal,
      own: (name) => member.own(name),
      avoided,
      tasks: {
        [rows[0]?.goal ?? '']: (payload, ending) => handle(goalJob.parse(payload), ending),
        [rows[0]?.run ?? '']: (payload) => carryOut(runJob.parse(payload).run),
      },
    });
    restart = () => engine.restart();
    const sweepAll = async () => {
      await dropLargeJobs(database);
      await sweep();
    };
    closing(sweepWhileLeading(member, { signal, sweep: sweepAll, notice }), (stop) => stop());
    await engine.done;
  } finally {
    for (const close of opened.toReversed()) await close();
  }
}

/** Sweeps about every second as long as this process leads. @returns waits for the last sweep */
function sweepWhileLeading(
  member: Membership,
  { signal, sweep, notice }: Pick<TeamWork, 'signal' | 'sweep' | 'notice'>,
): () => Promise<void> {
  let under: Promise<void> = Promise.resolve();
  let busy = false;
  let told: string | null = null;
  const tell = (cause: unknown) => {
    const message = messageOf(cause);
    if (message !== told) notice(message);
    told = message;
  };
  const timer = setInterval(() => {
    if (busy || !member.leads || signal.aborted) return;
    busy = true;
    under = sweep()
      .then(() => {
        told = null;
      }, tell)
      .finally(() => {
        busy = false;
      });
  }, SWEEP_EVERY_MS);
  return async () => {
    clearInterval(timer);
    await under;
  };
}
