import { newGoalIds } from '../shared/new-goal-ids.js';
import { setMaxListeners } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';

import { PlanError } from '../../kernel/errors.js';
import type { EventPayload } from '../../plan/events.js';
import { namedGoal } from '../../plan/goal-in-words.js';
import { NO_USAGE } from '../../plan/plan.js';
import type { Plan } from '../../plan/plan.js';
import type { Estimate, PauseCause, Run, Settings, Usage } from '../../plan/schema.js';
import type { Expander } from '../../planning/expander.js';
import { planGoals } from '../../planning/planner.js';
import type { PlanningEnd } from '../../planning/planner-state.js';
import { processStart } from '../../host/process.js';
import type { Outcome, PlanLog } from '../../storage/plan-store.js';
import type { StopSignals } from '../operation.js';
import type { Context } from '../shared/context.js';
import { planningResult } from './planning-result.js';
import type { Emit, PlanningResult } from './planning-run.js';
import { wordRefusal } from '../../plan/refusals.js';
import { isDriven, noteDriven } from '../shared/driven-runs.js';
import { timeNow } from '../shared/environment.js';
import { budgetReached } from '../shared/budget-reached.js';
import { forwardAbort } from '../../kernel/forward-abort.js';

/** How often a planning process looks whether another has paused the plan. */
const LOOK_EVERY_MS = 250;
/** How long after the first calls were begun what planning will use is worked out. */
const FIRST_CALLS_MS = 30;
/** A run on another machine counts as alive while its last change is younger than this. */
const FOREIGN_RUN_MS = 10 * 60_000;

export interface RunPlanningOptions extends StopSignals {
  readonly log: PlanLog;
  readonly settings: Settings;
  readonly expander: Expander;
  /** Written once it is sure that no other process plans. */
  readonly first?: readonly EventPayload[] | undefined;
  /** What planning is expected to use, worked out beside the first calls; null where that cannot be told. */
  readonly estimate?: (() => Promise<Estimate | null>) | undefined;
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
    const end = await drive(context, { ...options, pause: pause.signal, drop: drop.signal });
    await estimated();
    const stopped = await endRun(options, run, end);
    return planningResult(log.plan, stopped);
  } finally {
    for (const release of unlink) release();
    drop.abort();
    await estimated();
    await log.publish('now');
  }
}

/**
 * Does something as the one process that plans a plan. The run ends with it: what is done says so in the log, and where
 * it throws instead this does, as far as that can be written.
 * @throws PlanError PLANNER_BUSY; what the work throws
 */
export async function inRun<T>(
  context: Context,
  options: Pick<RunPlanningOptions, 'log' | 'settings' | 'emit'>,
  work: (run: Run) => Promise<T>,
): Promise<T> {
  const run = await beginRun(context, options);
  const letGo = noteDriven(run.id);
  try {
    return await work(run);
  } catch (thrown) {
    const end: EventPayload = { type: 'planning_ended', run: run.id, usage: NO_USAGE };
    // Where even this cannot be stored, the next run takes over all the same; what is told is why it ended.
    await appendAndTell(options.log, [end], options.emit).catch(() => undefined);
    throw thrown;
  } finally {
    letGo();
  }
}

/** Says that this process plans from here on, with these settings, or that workers do. @throws PlanError PLANNER_BUSY */
export async function beginRun(
  context: Context,
  {
    log,
    settings,
    emit,
    workers = false,
  }: Pick<RunPlanningOptions, 'log' | 'settings' | 'emit'> & { readonly workers?: boolean },
): Promise<Run> {
  const { environment } = context;
  const before = log.plan.header.run;
  if (before !== undefined && (await isAlive(before, log.plan, context))) throw busy(before);
  const started = await processStart(environment.pid);
  const run: Run = {
    id: environment.ids.eventId(),
    host: environment.host,
    pid: environment.pid,
    ...(started === undefined ? {} : { process_start: started }),
    started_at: timeNow(environment),
    ...(workers ? { workers } : {}),
  };
  const [outcome] = await appendAndTell(
    log,
    [{ type: 'planning_started', run, replaces: before?.id ?? null, settings }],
    emit,
  );
  if (outcome?.refused !== null) throw busy(log.plan.header.run ?? run);
  return run;
}

/** Refuses what would cross a process that plans the plan just now. @throws PlanError PLANNER_BUSY */
export async function refuseWhilePlanned(context: Context, plan: Plan): Promise<void> {
  const { run } = plan.header;
  if (run !== undefined && (await isAlive(run, plan, context))) throw busy(run);
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

async function isAlive(run: Run, plan: Plan, context: Context): Promise<boolean> {
  const { environment } = context;
  // No worker reaches a store of files: such a plan was copied from a database. They stop when it is paused.
  if (run.workers === true)
    return (await context.team()) !== null && (plan.header.paused_because ?? null) === null;
  if (run.host === environment.host) return isDriven(run, environment);
  return environment.now() - Date.parse(plan.header.updated_at) < FOREIGN_RUN_MS;
}

function busy(run: Run): PlanError {
  if (run.workers === true)
    return new PlanError('PLANNER_BUSY', 'workers are planning this plan', {
      hint: '`plan pause` asks them to stop.',
      details: { workers: true },
    });
  return new PlanError('PLANNER_BUSY', `process ${run.pid} on ${run.host} is planning this plan`, {
    hint: '`plan pause` asks it to stop.',
    details: { host: run.host, pid: run.pid },
  });
}

interface Driving extends RunPlanningOptions {
  readonly pause: AbortSignal;
  readonly drop: AbortSignal;
}

async function drive(
  context: Context,
  { log, settings, expander, pause, drop, emit }: Driving,
): Promise<PlanningEnd> {
  const planner = planGoals(log.plan, {
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
      const outcomes = await appendAndTell(log, step.value, emit);
      await appendAndTell(
        log,
        outcomes.flatMap((one) => paidInVain(log.plan, one)),
        emit,
      );
      await log.publish('cheaply');
    } catch (cause) {
      // What cannot be stored is not asked for.
      await planner.throw(cause);
    }
  }
}

/** The event for what a reply cost that was refused, for a goal that somebody removed meanwhile say. */
export function paidInVain(plan: Plan, { event, refused }: Outcome): readonly EventPayload[] {
  if (refused === null || (event.type !== 'goal_expanded' && event.type !== 'goal_failed')) return [];
  if (event.usage === undefined) return [];
  return [
    {
      type: 'usage_added',
      because: `the reply was refused: ${wordRefusal(refused, (id) => namedGoal(plan, id))}`,
      usage: event.usage,
    },
  ];
}

/** Stores the events of planning and reports each with what became of it. */
export async function appendAndTell(
  log: PlanLog,
  payloads: readonly EventPayload[],
  emit: Emit,
): Promise<readonly Outcome[]> {
  const outcomes = payloads.length === 0 ? [] : await log.append(payloads);
  for (const { event, refused } of outcomes) {
    const reason = refused === null ? null : wordRefusal(refused, (id) => namedGoal(log.plan, id));
    emit({ type: 'changed', event, refused: reason, plan: log.plan });
  }
  return outcomes;
}

/** Writes down how the run ended, and says why when something is left to plan. */
async function endRun(
  { log, emit }: RunPlanningOptions,
  run: Run,
  end: PlanningEnd,
): Promise<PlanError | null> {
  const { usage } = end;
  const append = (payload: EventPayload) => appendAndTell(log, [payload], emit);
  const pauseFor = (because: PauseCause, detail: string): EventPayload => ({
    type: 'plan_paused',
    because,
    detail,
    run: run.id,
    usage,
  });
  switch (end.kind) {
    case 'budget':
      await append(pauseFor('budget', end.limit));
      return outOfBudget(end.limit, log.plan);
    case 'unavailable':
      await append(pauseFor('model', end.error.message));
      return end.error;
    case 'paused':
      await append(pauseOrEnd(log.plan, run, usage, pauseFor));
      return interrupted(log.plan);
    case 'done':
      await append({ type: 'planning_ended', run: run.id, usage });
      return rootFailure(log.plan);
  }
}

// When another process has paused the plan, that is written down already.
function pauseOrEnd(
  plan: Plan,
  run: Run,
  usage: Usage,
  pauseFor: (because: PauseCause, detail: string) => EventPayload,
): EventPayload {
  const paused = (plan.header.paused_because ?? null) !== null;
  return paused ? { type: 'planning_ended', run: run.id, usage } : pauseFor('user', 'interrupted');
}

function outOfBudget(limit: string, plan: Plan): PlanError {
  const budget = plan.header.settings?.budget ?? {};
  const found: unknown = Object.entries(budget).find(([name]) => name === limit)?.[1];
  const value = typeof found === 'number' ? found : undefined;
  return budgetReached({
    limit,
    value,
    so: 'the plan is paused',
    hint: `\`plan resume ${plan.header.id} --budget-${limit} N\` goes on with a larger one.`,
    details: { budget },
  });
}

function interrupted(plan: Plan): PlanError {
  return new PlanError(
    'INTERRUPTED',
    `planning was interrupted; ${plan.counts.pending === 1 ? '1 goal is' : `${plan.counts.pending} goals are`} left to plan`,
    {
      hint: `\`plan resume ${plan.header.id}\` goes on from here.`,
    },
  );
}

/** When not even the root could be expanded there is no plan to speak of. */
function rootFailure(plan: Plan): PlanError | null {
  const root = plan.goals.get(plan.header.root_goal_id);
  if (plan.header.status !== 'failed' || root === undefined) return null;
  return new PlanError(
    'MODEL_FAILED',
    `the goal could not be expanded: ${root.failure?.reason ?? 'no reason given'}`,
    {
      hint: `\`plan resume ${plan.header.id} --retry-failed\` asks again; --model picks another model.`,
    },
  );
}

/** Pauses when the plan was paused, or taken over, by another process. */
function watchForPause(log: PlanLog, run: Run, pause: AbortController): () => void {
  const timer = setInterval(() => {
    log.refresh().then(
      ({ header }) => {
        if ((header.paused_because ?? null) !== null || header.run?.id !== run.id) pause.abort();
      },
      // The next append meets the same trouble and reports it.
      () => undefined,
    );
  }, LOOK_EVERY_MS);
  return () => clearInterval(timer);
}
