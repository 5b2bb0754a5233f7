import { isRunning, processStart } from '../../../host/processes/recorded-process.js';
import { quantityOf } from '../../../kernel/text/quantity-of.js';
import type { Meter, Reservation } from '../../../llm/spend/meter.js';
import { NO_USAGE, usageOfBegun } from '../../../plan/plan.js';
import type { Plan } from '../../../plan/plan.js';
import type { BegunCall, Budget, Caller, Usage } from '../../../plan/schema.js';
import type { PlanLog } from '../../../storage/plan-store.js';
import type { Context } from '../../shared/context.js';
import type { Environment } from '../../shared/environment.js';
import type { CallBook } from './call-book.js';
import { delegateIn } from '../delegate.js';
import { FOREIGN_RUN_MS } from '../run/planned-now.js';

/** Ids of the calls that this process has entered and is at. */
const underWay = new Set<string>();

/** A book of the calls of this process. */
export function bookOf(environment: Environment, log: PlanLog | null = null): CallBook {
  return { log, caller: () => callerOf(environment), newId: () => environment.ids.eventId() };
}

/** This process, as one that makes calls. */
export async function callerOf({ host, pid }: Pick<Environment, 'host' | 'pid'>): Promise<Caller> {
  const started = await processStart(pid);
  return { host, pid, ...(started === undefined ? {} : { process_start: started }) };
}

/** Whether a budget limits what is known of calls; time is counted otherwise. */
export function limitsCalls({ calls, tokens, usd }: Budget): boolean {
  return calls !== undefined || tokens !== undefined || usd !== undefined;
}

/**
 * A meter that has the log of the plan say of each call that it is begun, before it is made: whatever becomes of the process,
 * the budget counts it. The event that says what it used names it.
 */
export function bookedMeter(meter: Meter, book: CallBook): Meter {
  return {
    ...meter,
    async reserve(demand, signal) {
      const leave = await meter.reserve(demand, signal);
      if (leave.kind !== 'reserved' || book.log === null) return leave;
      try {
        return await enterCall(book.log, book, leave);
      } catch (cause) {
        meter.settle(leave, NO_USAGE, false);
        throw cause;
      }
    },
    settle(reservation, usage, reported) {
      meter.settle(reservation, usage, reported);
      if (book.log !== null) void leaveCall(book.log, reservation, usage);
    },
  };
}

/** Enters a call that is about to be made. @returns the same reservation, which names it @throws PlanError STORAGE_FAILED */
export async function enterCall(
  log: PlanLog,
  { caller, newId }: Omit<CallBook, 'log'>,
  reservation: Reservation,
): Promise<Reservation> {
  const call = newId();
  underWay.add(call);
  try {
    await log.append([{ type: 'call_begun', call, caller: await caller(), usage: mostUsageOf(reservation) }]);
  } catch (cause) {
    underWay.delete(call);
    throw cause;
  }
  return Object.assign(reservation, { call });
}

/** Ends a call: one that was never sent is told of at once, the others with what came of them. Never throws. */
export async function leaveCall(log: PlanLog, { call }: Reservation, usage: Usage): Promise<void> {
  if (call === undefined) return;
  underWay.delete(call);
  if (usage.calls > 0) return;
  const because = 'a call was not made';
  const begun = [call];
  // Where this cannot be stored, it counts as made.
  await log.append([{ type: 'usage_added', because, usage: { ...NO_USAGE, begun } }]).catch(() => undefined);
}

function mostUsageOf({ most, demand }: Reservation): Usage {
  const { input_tokens, output_tokens } = most;
  return { calls: 1, input_tokens, output_tokens, cost_usd: demand.costOf(input_tokens, output_tokens) };
}

/**
 * Counts calls that nobody is at any more, at the most that they may have used: once, whoever does it at once.
 * @throws PlanError STORAGE_FAILED
 */
export async function countLostCalls(
  log: PlanLog,
  isLost: (call: BegunCall) => Promise<boolean>,
): Promise<void> {
  const lost: BegunCall[] = [];
  for (const call of log.plan.header.calls ?? []) if (await isLost(call)) lost.push(call);
  if (lost.length === 0) return;
  const unknown = lost.filter(({ ended }) => ended !== true).length;
  const because = `${quantityOf(lost.length, 'call')} of a process that has ended; ${unknown} of them without a known reply, counted at the most`;
  const begun = lost.map(({ id }) => id);
  await log.append([{ type: 'usage_added', because, usage: { ...usageOfBegun(lost), begun }, lost: true }]);
}

/** Tells whether somebody is still at a call that a plan says was begun. */
export async function lostCallFinder(
  context: Context,
  { header }: Plan,
): Promise<(call: BegunCall) => Promise<boolean>> {
  const { environment } = context;
  const ofWorkers = header.calls?.some(({ caller }) => caller.worker !== undefined) === true;
  // No worker reaches a store of files: such a plan was copied from a database.
  const workers = new Set(ofWorkers ? await (await delegateIn(context))?.callers(context) : []);
  return async ({ id, caller, at }) => {
    if (caller.worker !== undefined) return !workers.has(caller.worker);
    if (caller.host !== environment.host) return environment.now() - Date.parse(at) > FOREIGN_RUN_MS;
    return caller.pid === environment.pid ? !underWay.has(id) : !(await isRunning(caller));
  };
}
