import { setMaxListeners } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';

import { repeatedly } from '../../host/repeatedly.js';
import type { EventPayload } from '../../plan/events.js';
import { addUsage } from '../../plan/plan.js';
import type { Estimate, Run, Settings } from '../../plan/schema.js';
import type { Expander } from '../../planning/expander.js';
import { planGoals } from '../../planning/planner.js';
import type { PlanningEnd, Writing } from '../../planning/planner-state.js';
import type { PlanLog } from '../../storage/plan-store.js';
import type { StopSignals } from '../operation.js';
import type { Context } from '../shared/context.js';
import { newGoalIds } from '../shared/new-goal-ids.js';
import { planningResult } from './planning-result.js';
import { appendAndTell, usageOfRefused } from './run/append-and-tell.js';
import { inRun } from './run/begin-run.js';
import { linkAtEnd } from './run/link-at-end.js';
import { triageFirst } from './run/triage-first.js';
import { endPlanningRun } from './run/end-planning-run.js';
import type { Emit, PlanningResult } from './planning-progress.js';
import { forwardAbort } from '../../kernel/forward-abort.js';

/** How often a planning process looks whether another has paused the plan. */
const LOOK_EVERY_MS = 250;
/** How long after the first calls were begun what planning will use is worked out. */
const FIRST_CALLS_MS = 30;
export interface RunPlanningOptions extends StopSignals {
  readonly log: PlanLog;
  readonly settings: Settings;
  readonly expander: Expander;
  /** Written once it is sure that no other process plans. */
  readonly first?: readonly EventPayload[] | undefined;
  /** What planning is expected to use, worked out beside the first calls; null where that cannot be told. */
  readonly estimate?: (() => Promise<Estimate | null>) | undefined;
  /** Whether it does not end with the question which leaves need each other. */
  readonly withoutLinks?: boolean | undefined;
  readonly emit: Emit;
}

/**
 * Plans until nothing is left or it must stop; every change is durable before the next depends on it. The
 * plan file is fresh when this resolves, also when planning stopped.
 * @throws PlanError PLANNER_BUSY, STORAGE_FAILED
 */
export async function runPlanning(context: Context, options: RunPlanningOptions): Promise<PlanningResult> {
  return inRun(context, options, (run) => planInRun(context, options, run));
}

async function planInRun(context: Context, options: RunPlanningOptions, run: Run): Promise<PlanningResult> {
  const { log } = options;
  await appendAndTell(log, options.first ?? [], options.emit);
  const pause = new AbortController();
  const drop = new AbortController();
  // Every call in flight listens to it.
  setMaxListeners(0, drop.signal);
  const unlink = [
    forwardAbort(options.signal, pause),
    forwardAbort(options.dropSignal, drop),
    watchForPause(log, run, pause),
  ];
  const estimated = estimateBeside(options, run, AbortSignal.any([pause.signal, drop.signal]));
  try {
    const driving = { ...options, pause: pause.signal, drop: drop.signal };
    const planned = (await triageFirst(context, driving)) ?? (await drive(context, driving));
    const asks = planned.kind === 'done' && options.withoutLinks !== true;
    const end = asks ? await linked(context, driving, planned) : planned;
    await estimated();
    const stopped = await endPlanningRun(options, run, end);
    return planningResult(context, log.plan, stopped);
  } finally {
    for (const release of unlink) release();
    drop.abort();
    await estimated();
    await log.publish('now');
  }
}

/**
 * Works out what planning will use and stores it, while the first calls are under way: it takes about as long as
 * one of them, for a tokenizer must be loaded.
 * @returns waits for that, once planning is over
 */
function estimateBeside(
  { log, estimate, emit }: RunPlanningOptions,
  run: Run,
  stop: AbortSignal,
): () => Promise<void> {
  if (estimate === undefined) return async () => undefined;
  const over = new AbortController();
  const work = async (): Promise<void> => {
    // Not earlier, so that the first requests are on their way and wait for the server alone.
    await wait(FIRST_CALLS_MS, undefined, { signal: over.signal }).catch(() => undefined);
    const made = stop.aborted ? null : await estimate();
    if (made === null) return;
    await appendAndTell(log, [{ type: 'planning_estimated', run: run.id, estimate: made }], emit);
  };
  // An append that fails here fails for the replies as well, and is reported there.
  const done = work().catch(() => undefined);
  return async () => {
    over.abort();
    await done;
  };
}

interface Driving extends RunPlanningOptions {
  readonly pause: AbortSignal;
  readonly drop: AbortSignal;
}

async function drive(
  context: Context,
  { log, settings, expander, pause, drop, emit }: Driving,
): Promise<PlanningEnd> {
  const writing: Writing = { noteWritten: () => undefined };
  const planner = planGoals(log.plan, {
    writing,
    expander,
    settings,
    newGoalId: newGoalIds(context.environment, log.plan.header.id, (id) => log.plan.goals.has(id)),
    now: context.environment.now,
    pause,
    abort: drop,
    observe: emit,
  });
  for (let step = await planner.next(); ; step = await planner.next(log.plan)) {
    if (step.done === true) return step.value;
    try {
      const outcomes = await appendAndTell(log, step.value, emit, () => writing.noteWritten());
      await appendAndTell(
        log,
        outcomes.flatMap((one) => usageOfRefused(log.plan, one)),
        emit,
      );
      await log.publish('cheaply');
    } catch (cause) {
      // What cannot be stored is not asked for.
      await planner.throw(cause);
    }
  }
}

/** Asks the last question of a plan whose goals are all planned. */
async function linked(
  { environment }: Context,
  driving: Driving,
  { usage }: Extract<PlanningEnd, { kind: 'done' }>,
): Promise<PlanningEnd> {
  const end = await linkAtEnd({ ...driving, now: environment.now });
  return { ...end, usage: addUsage(usage, end.usage) };
}

/** Pauses when the plan was paused, or taken over, by another process. */
function watchForPause(log: PlanLog, run: Run, pause: AbortController): () => void {
  return repeatedly(LOOK_EVERY_MS, async () => {
    const { header } = await log.refresh();
    if ((header.paused_because ?? null) !== null || header.run?.id !== run.id) pause.abort();
  });
}
