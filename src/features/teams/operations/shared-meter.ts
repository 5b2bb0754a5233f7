import { AsyncLocalStorage } from 'node:async_hooks';

import { messageOf } from '../../../kernel/errors.js';
import { boundedBy } from '../../../llm/spend/bounds.js';
import { createMeter, mostUsageOf } from '../../../llm/spend/meter.js';
import type { Meter, Reservation } from '../../../llm/spend/meter.js';
import { NO_USAGE } from '../../../plan/plan.js';
import type { Budget, Usage } from '../../../plan/schema.js';
import type { KnownUsage, Ledger, Limits } from '../team.js';

/** How long to wait before looking again for room that others may give back. */
const AGAIN_MS = 100;
/** How long to wait before the ledger is told again what it could not be told. */
const TELL_AGAIN_MS = 1000;
const LEAST_SECONDS = 0.1;

export interface SharedMeterOptions {
  /** Undefined where there is none: then every call is let through, and stands in the ledger all the same. */
  readonly budget: Budget | undefined;
  readonly ledger: Ledger;
  /** What the log of the plan says it has used, as it was last read; `anew`: as it is now. */
  readonly known: (anew: boolean) => Promise<KnownUsage>;
  /** Seconds it had used before the workers began. */
  readonly secondsBefore: number;
  readonly newId: () => string;
  readonly now: () => number;
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
  /** Told that the ledger cannot be reached; no leave is given then. */
  readonly onFailure: (cause: unknown) => void;
}

/** A call that was made for some work, and what it has used. */
export interface MadeCall {
  readonly id: string;
  /** Null while that is not known. */
  usage: Usage | null;
}

/** The meter of one worker of several. */
export interface SharedMeter extends Meter {
  /** Does some work, and collects the calls that are made for it. */
  during<T>(calls: MadeCall[], work: () => Promise<T>): Promise<T>;
  /** Waits until the ledger was told what calls have used, or could not be told at once. */
  settled(): Promise<void>;
}

/** Keeps all workers together to one budget: a call is made only when the most it may use stands in the ledger. */
export function createSharedMeter(options: SharedMeterOptions): SharedMeter {
  const { ledger, newId, onFailure, sleep } = options;
  const limits = limitsOf(options);
  // Knows how models count; that it has no limits of its own leaves those to the ledger.
  const local = createMeter({ budget: {}, spent: NO_USAGE, now: options.now });
  const held = new Map<Reservation, { readonly call: MadeCall; readonly local: Reservation }>();
  const working = new AsyncLocalStorage<MadeCall[]>();
  const { settled, settleLater } = settlementsIn(ledger, sleep);

  const enter = async (reservation: Reservation, first: Reservation, isAgain: boolean) => {
    const call: MadeCall = { id: newId(), usage: null };
    const known = await options.known(isAgain);
    const grant = await ledger
      .reserve(call.id, mostUsageOf(reservation), limits, known)
      .catch((cause: unknown) => {
        // It may stand there all the same, and nobody else would ever take it out.
        settleLater(call.id, NO_USAGE);
        throw cause;
      });
    if (grant.kind === 'granted') {
      held.set(reservation, { call, local: first });
      working.getStore()?.push(call);
    }
    return grant;
  };
  const tryReserve = async (
    first: Reservation,
    isAgain: boolean,
  ): Promise<Reservation | 'wait' | keyof Limits> => {
    const { demand } = first;
    const grant = await enter(first, first, isAgain);
    if (grant.kind === 'granted') return first;
    const { left, others } = grant;
    if ((left.seconds ?? Infinity) < LEAST_SECONDS) return 'seconds';
    if (others) return 'wait';
    if ((left.calls ?? Infinity) < 1) return 'calls';
    const fits = boundedBy(demand, left, local.scaleOf(demand.model ?? ''), true);
    if (typeof fits === 'string') return fits;
    const smaller: Reservation = { ...first, ...fits };
    return (await enter(smaller, first, isAgain)).kind === 'granted' ? smaller : 'wait';
  };

  return {
    ...local,
    async reserve(demand, signal) {
      const first = await local.reserve(demand, signal);
      if (first.kind !== 'reserved') return first;
      try {
        for (let isAgain = false; !signal.aborted; isAgain = true) {
          const leave = await tryReserve(first, isAgain);
          if (typeof leave === 'object') return leave;
          if (leave !== 'wait') {
            local.settle(first, NO_USAGE, false);
            return { kind: 'limit', limit: leave };
          }
          await sleep(AGAIN_MS, signal).catch(() => undefined);
        }
      } catch (cause) {
        onFailure(cause instanceof Error ? cause : new Error(messageOf(cause)));
      }
      local.settle(first, NO_USAGE, false);
      return { kind: 'aborted' };
    },
    settle(reservation, usage, reported) {
      const own = held.get(reservation);
      if (own === undefined) return;
      held.delete(reservation);
      local.settle(own.local, usage, reported);
      own.call.usage = usage;
      settleLater(own.call.id, usage);
    },
    during: (calls, work) => working.run(calls, work),
    settled,
    limits: (limit) => limits[limit] !== undefined,
  };
}

/** Tells the ledger what calls have used without being waited for, each until it has been told. */
function settlementsIn(ledger: Ledger, sleep: SharedMeterOptions['sleep']) {
  /** The first try of each. */
  const settling = new Set<Promise<boolean>>();
  return {
    settled: async (): Promise<void> => void (await Promise.all(settling)),
    settleLater(id: string, used: Usage): void {
      const settle = () =>
        ledger.settle(id, used).then(
          () => true,
          () => false,
        );
      const first = settle();
      settling.add(first);
      void (async () => {
        let isSettled = await first;
        settling.delete(first);
        while (!isSettled) {
          // As long as it is not, the call counts at the most.
          await sleep(TELL_AGAIN_MS, new AbortController().signal);
          isSettled = await settle();
        }
      })();
    },
  };
}

function limitsOf({ budget = {}, secondsBefore }: SharedMeterOptions): Limits {
  const { calls, tokens, usd, seconds } = budget;
  return {
    ...(calls === undefined ? {} : { calls }),
    ...(tokens === undefined ? {} : { tokens }),
    ...(usd === undefined ? {} : { usd }),
    ...(seconds === undefined ? {} : { seconds: seconds - secondsBefore }),
  };
}
