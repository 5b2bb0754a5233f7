import { setMaxListeners } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';

import type { Plan } from '../../../plan/plan.js';
import type { Run, Settings } from '../../../plan/schema.js';
import type { Expander } from '../../../planning/expander.js';
import type { PlanLog } from '../../../storage/plan-store.js';
import type { Team } from '../team.js';
import { callerOf } from '../../../operations/planning/budget/begun-calls.js';
import { choosePlanning } from '../../../operations/planning/choose-planning.js';
import type { SharedSpending } from '../../../operations/planning/connection.js';
import type { Emit } from '../../../operations/planning/planning-progress.js';
import { newGoalIds } from '../../../operations/shared/new-goal-ids.js';
import type { Context } from '../../../operations/shared/context.js';
import { createSharedLimiter } from './shared-limiter.js';
import { createSharedMeter } from './shared-meter.js';

/** What a worker plans one plan with, as long as it is the same run. */
export interface PlanSession {
  readonly team: Team;
  readonly log: PlanLog;
  readonly run: Run;
  readonly settings: Settings;
  readonly expander: Expander;
  readonly newGoalId: () => string;
  /** Milliseconds since any fixed moment. */
  readonly now: () => number;
  /** Aborts when the plan is paused, or its run is over: nothing more is begun, and waits end. */
  readonly stop: AbortController;
  /** What the database refused while somebody waited for it. */
  failure: unknown;
  /** Whether the model has answered this process, and how many goals it has refused since. */
  answered: boolean;
  refusedInARow: number;
}

/** The run of workers that plans a plan now; null when it is paused or none of them do. */
export function runOfWorkers({ header }: Plan): Run | null {
  const { run, paused_because, archived_at } = header;
  const rests = (paused_because ?? null) !== null || (archived_at ?? null) !== null;
  return run?.workers === true && !rests ? run : null;
}

/**
 * Prepares to plan a plan as one of several workers.
 * @throws PlanError where this process cannot ask the plan's model, such as without its key
 */
export async function beginSession(
  context: Context,
  { team, log, run, emit, concurrency, signal }: SessionOptions,
): Promise<PlanSession> {
  const { environment } = context;
  const { plan } = log;
  const choice = await choosePlanning(context, { settings: { concurrency } }, { plan });
  const { settings } = choice;
  const { requests_at_once, requests_per_minute } = choice.resolved.values;
  const stop = new AbortController();
  setMaxListeners(0, stop.signal);
  if (signal.aborted) stop.abort();
  await team.begin(plan.header.id, run.id);
  const newId = () => environment.ids.eventId();
  const session: Pick<PlanSession, 'failure'> = { failure: null };
  const onFailure = (cause: unknown) => {
    session.failure = cause;
  };
  const { budget } = settings;
  const meter =
    budget === undefined || Object.keys(budget).length === 0
      ? undefined
      : createSharedMeter({
          budget,
          log,
          caller: async () => ({ ...(await callerOf(environment)), worker: team.caller }),
          seconds: () => team.secondsOf(plan.header.id),
          secondsBefore: plan.header.usage?.seconds ?? 0,
          newId,
          now: environment.now,
          sleep,
          onFailure,
        });
  const shared: SharedSpending = {
    limiter: (model, own) => {
      const limits = { concurrency: requests_at_once, requestsPerMinute: requests_per_minute };
      return createSharedLimiter({ own, rateLimit: team.rateLimit(model, limits), newId, sleep, onFailure });
    },
    meter,
  };
  const expander = await choice.makeExpander(plan.header.usage, emit, { shared });
  return Object.assign(session, {
    team,
    log,
    run,
    settings,
    expander,
    stop,
    now: environment.now,
    newGoalId: newGoalIds(environment, plan.header.id, (id) => log.plan.goals.has(id)),
    answered: false,
    refusedInARow: 0,
  });
}

export interface SessionOptions {
  readonly team: Team;
  readonly log: PlanLog;
  readonly run: Run;
  readonly emit: Emit;
  /** Calls of this process at once. */
  readonly concurrency: number;
  readonly signal: AbortSignal;
}

async function sleep(ms: number, signal: AbortSignal): Promise<void> {
  await wait(ms, undefined, { signal });
}
