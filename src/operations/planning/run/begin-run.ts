import { processStart } from '../../../host/processes/recorded-process.js';
import type { EventPayload } from '../../../plan/events.js';
import { NO_USAGE } from '../../../plan/plan.js';
import type { Run, Settings } from '../../../plan/schema.js';
import type { PlanLog } from '../../../storage/plan-store.js';
import type { Context } from '../../shared/context.js';
import { noteDriven } from '../../shared/driven-runs.js';
import { timeNow } from '../../shared/environment.js';
import type { Emit } from '../planning-progress.js';
import { countLostCalls, lostCallFinder } from '../budget/begun-calls.js';
import { lostTime } from '../budget/lost-time.js';
import { delegateIn } from '../delegate.js';
import { appendAndTell } from './append-and-tell.js';
import { busyWith, isPlannerAlive } from './planned-now.js';

const LOST_TIME = 'the time of a process that ended without a word, counted at the most';

/** What is planned, with what settings, and who is told of it. */
interface Beginning {
  readonly log: PlanLog;
  readonly settings: Settings;
  readonly emit: Emit;
}

/**
 * Does something as the one process that plans a plan. The run ends with it: what is done says so in the log, and where
 * it throws instead this does, as far as that can be written.
 * @throws PlanError PLANNER_BUSY; what the work throws
 */
export async function inRun<T>(
  context: Context,
  options: Beginning,
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
  { log, settings, emit, workers = false }: Beginning & { readonly workers?: boolean },
): Promise<Run> {
  const { environment } = context;
  const before = log.plan.header.run;
  if (before !== undefined && (await isPlannerAlive(before, log.plan, context))) throw busyWith(before);
  if (before?.workers === true) await (await delegateIn(context))?.end(context, { log, run: before, emit });
  await countLostCalls(log, await lostCallFinder(context, log.plan));
  const lost = lostTime(log.plan.header, settings, environment.now());
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
    [{ type: 'planning_started', run, replaces: log.plan.header.run?.id ?? null, settings }],
    emit,
  );
  if (outcome?.refused !== null) throw busyWith(log.plan.header.run ?? run);
  if (lost.seconds !== undefined)
    await appendAndTell(log, [{ type: 'usage_added', because: LOST_TIME, usage: lost }], emit);
  return run;
}
