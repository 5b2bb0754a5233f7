import { messageOf } from '../../../kernel/errors.js';
import { boundedBy } from '../../../llm/spend/bounds.js';
import type { Remaining } from '../../../llm/spend/bounds.js';
import { createMeter } from '../../../llm/spend/meter.js';
import type { Meter, Reservation } from '../../../llm/spend/meter.js';
import { addUsage, NO_USAGE, tokensOfUsage, usageOfBegun } from '../../../plan/plan.js';
import type { Plan } from '../../../plan/plan.js';
import type { BegunCall, Budget, Caller, Usage } from '../../../plan/schema.js';
import type { PlanLog } from '../../../storage/plan-store.js';
import { enterCall, leaveCall, limitsCalls } from '../../../operations/planning/budget/begun-calls.js';

/** How long to wait before looking again for room that others may give back. */
const AGAIN_MS = 100;
const LEAST_SECONDS = 0.1;

export interface SharedMeterOptions {
  readonly budget: Budget;
  readonly log: PlanLog;
  readonly caller: () => Promise<Caller>;
  /** Seconds since the workers began. */
  readonly seconds: () => Promise<number>;
  /** Seconds it had used before the workers began. */
  readonly secondsBefore: number;
  readonly newId: () => string;
  readonly now: () => number;
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
  /** Told that the database cannot be reached; no leave is given then. */
  readonly onFailure: (cause: unknown) => void;
}

/** A call of this process of which the log does not say yet what it used. */
interface OwnCall {
  /** As the meter of this process knows it. */
  readonly local: Reservation;
  /** What it has used; null while it is under way. */
  used: Usage | null;
}

/**
 * Keeps all workers together to one budget, by the log of the plan: a call is made only once the log says that it is begun,
 * and it fits there beside those that were begun before it.
 */
export function createSharedMeter(options: SharedMeterOptions): Meter {
  const { budget, log, onFailure, sleep } = options;
  // Knows how models count; that it has no limits of its own leaves those to the log.
  const local = createMeter({ budget: {}, spent: NO_USAGE, now: options.now });
  const own = new Map<string, OwnCall>();

  async function tryReserve(
    first: Reservation,
  ): Promise<Reservation | 'wait' | 'calls' | 'tokens' | 'usd' | 'seconds'> {
    if (
      budget.seconds !== undefined &&
      budget.seconds - options.secondsBefore - (await options.seconds()) < LEAST_SECONDS
    )
      return 'seconds';
    if (!limitsCalls(budget)) return first;
    const begun = log.plan.header.calls ?? [];
    for (const id of own.keys()) if (!begun.some((call) => call.id === id)) own.delete(id);
    const others = begun.some(({ ended }) => ended !== true);
    const room = roomIn(log.plan, begun, budget);
    const fits =
      (room.calls ?? 1) < 1
        ? 'calls'
        : boundedBy(first.demand, room, local.scaleOf(first.demand.model ?? ''), !others);
    if (typeof fits === 'string') {
      if (await tellEnded(options, own)) return 'wait';
      return fits === 'wait' || others ? 'wait' : fits;
    }
    const reservation = await enterCall(log, options, { ...first, ...fits });
    const upToOwn = callsUpTo(log.plan, reservation.call);
    if (isWithin(log.plan, upToOwn, budget)) {
      own.set(reservation.call ?? '', { local: first, used: null });
      return reservation;
    }
    // Another was faster.
    await leaveCall(log, reservation, NO_USAGE);
    return 'wait';
  }

  return {
    ...local,
    async reserve(demand, signal) {
      const first = await local.reserve(demand, signal);
      if (first.kind !== 'reserved') return first;
      try {
        while (!signal.aborted) {
          const leave = await tryReserve(first);
          if (typeof leave === 'object') return leave;
          if (leave !== 'wait') {
            local.settle(first, NO_USAGE, false);
            return { kind: 'limit', limit: leave };
          }
          await sleep(AGAIN_MS, signal).catch(() => undefined);
          await log.refresh();
        }
      } catch (cause) {
        onFailure(cause instanceof Error ? cause : new Error(messageOf(cause)));
      }
      local.settle(first, NO_USAGE, false);
      return { kind: 'aborted' };
    },
    settle(reservation, usage, reported) {
      const call = own.get(reservation.call ?? '');
      local.settle(call?.local ?? reservation, usage, reported);
      if (call !== undefined) call.used = usage;
      void leaveCall(log, reservation, usage);
    },
    limits: (limit) => budget[limit] !== undefined,
  };
}

/** Has the log say what own calls have used whose events are yet to come, so that nobody waits for their room. */
async function tellEnded(
  { log, caller: name }: SharedMeterOptions,
  own: ReadonlyMap<string, OwnCall>,
): Promise<boolean> {
  const caller = await name();
  const told = (log.plan.header.calls ?? []).flatMap(({ id, ended }) => {
    const usage = own.get(id)?.used ?? null;
    return usage === null || ended === true
      ? []
      : [{ type: 'call_begun', call: id, caller, usage, ended: true } as const];
  });
  if (told.length > 0) await log.append(told);
  return told.length > 0;
}

/** The calls that were begun up to one of them, in the order of the log. */
function callsUpTo({ header: { calls = [] } }: Plan, id: string | undefined): readonly BegunCall[] {
  return calls.slice(0, calls.findIndex((call) => call.id === id) + 1);
}

/** What a budget has left beside what the log says was used, and what calls may use that were begun. */
function roomIn(
  { header: { usage = NO_USAGE } }: Plan,
  begun: readonly BegunCall[],
  budget: Budget,
): Remaining {
  const used = addUsage(usage, usageOfBegun(begun));
  return {
    ...(budget.calls === undefined ? {} : { calls: budget.calls - used.calls }),
    ...(budget.tokens === undefined ? {} : { tokens: budget.tokens - tokensOfUsage(used) }),
    ...(budget.usd === undefined ? {} : { usd: budget.usd - (used.cost_usd ?? 0) }),
  };
}

function isWithin(plan: Plan, begun: readonly BegunCall[], budget: Budget): boolean {
  return Object.values(roomIn(plan, begun, budget)).every((left) => left >= 0);
}
