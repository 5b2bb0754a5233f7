import * as z from 'zod';

import type { GoalJob, TeamWork } from '../team.js';
import { listenForClosings } from './closings.js';
import { startEngine } from './engine.js';
import { joinTeam } from './membership.js';
import type { Membership, MembershipOptions } from './membership.js';
import { RUN_TASK_NAME, TASK_NAME } from './tables.js';

/** How often the frontiers of the plans are swept. */
const SWEEP_EVERY_MS = 1000;
/** Looks for a job at most that have a connection of their own: a look is over in no time. */
const MOST_LOOKS = 4;
/** Connections that the engine needs besides: to listen, and to tell what is done. */
const MORE_CONNECTIONS = 3;

const runJob = z.object({ run: z.string() });
const goalJob: z.ZodType<GoalJob> = z.object({ plan: z.string(), goal: z.string(), turn: z.number() });

export interface WorkPlace extends Omit<MembershipOptions, 'onLost'> {
  /** Until when nobody may ask a model, by `performance.now()`. */
  readonly closed: Map<string, number>;
  readonly onJoined: (member: Membership) => void;
}

/** Takes jobs as a member of the team until the signal aborts. @throws PlanError STORAGE_FAILED */
export async function workForTeam(
  { concurrency, signal, handle, carryOut, avoided, sweep, notice }: TeamWork,
  { database, newProcess, about, closed, onJoined }: WorkPlace,
): Promise<void> {
  // What logs are written with is loaded where one is opened; the first job would wait for it.
  const [stopListening] = await Promise.all([
    listenForClosings(database, closed),
    import('../postgres/postgres-log.js'),
  ]);
  const { rows } = await database.query<{ goal: string; run: string }>(
    `select ${TASK_NAME} as goal, ${RUN_TASK_NAME} as run`,
  );
  const member = await joinTeam({
    database,
    newProcess,
    about,
    onLost: (why) => {
      notice(`The others took this worker for dead (${why}); it goes on under another name.`);
      engine.restart();
    },
  });
  onJoined(member);
  const pool = await database.newPool(Math.min(concurrency, MOST_LOOKS) + MORE_CONNECTIONS);
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
  const stopSweeping = sweepWhileLeading(member, { signal, sweep, notice });
  try {
    await engine.done;
  } finally {
    await stopSweeping();
    await member.end();
    stopListening();
    await pool.end();
  }
}

/** Sweeps about every second as long as this process leads. @returns waits for the last sweep */
function sweepWhileLeading(
  member: Membership,
  { signal, sweep, notice }: Pick<TeamWork, 'signal' | 'sweep' | 'notice'>,
): () => Promise<void> {
  let under: Promise<void> = Promise.resolve();
  let busy = false;
  const timer = setInterval(() => {
    if (busy || !member.leads || signal.aborted) return;
    busy = true;
    under = sweep()
      .catch((cause: unknown) => notice(cause instanceof Error ? cause.message : String(cause)))
      .finally(() => {
        busy = false;
      });
  }, SWEEP_EVERY_MS);
  return async () => {
    clearInterval(timer);
    await under;
  };
}
