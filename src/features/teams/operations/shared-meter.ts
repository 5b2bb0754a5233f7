import { messageOf } from '../../../kernel/errors.js';
import { boundedBy } from '../../../llm/spend/bounds.js';
import { createMeter } from '../../../llm/spend/meter.js';
import type { Meter, Reservation } from '../../../llm/spend/meter.js';
import { NO_USAGE, tokensOfUsage } from '../../../plan/plan.js';
import type { Budget, Usage } from '../../../plan/schema.js';
import type { Ledger, Limits, Spending } from '../team.js';

/** How long to wait before looking again for room that others may give back. */
const AGAIN_MS = 100;
const LEAST_SECONDS = 0.1;

export interface SharedMeterOptions {
  readonly budget: Budget;
  readonly ledger: Ledger;
  /** What the plan says it has used, as it was last read. */
  readonly known: () => Usage;
  /** Seconds it had used before the workers began. */
  readonly secondsBefore: number;
  readonly newId: () => string;
  readonly now: () => number;
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
  /** Told that the ledger cannot be reached; no leave is given then. */
  readonly onFailure: (cause: unknown) => void;
}

/** The meter of one worker of several. */
interface SharedMeter extends Meter {
  /**
   * Waits until what calls have used stands in the ledger, or could not be written there at once. What the plan says before
   * that would count beside it, and the calls twice.
   */
  settled(): Promise<void>;
}

/** Keeps all workers together to one budget: a call is made only when the most it may use is reserved in the ledger. */
export function createSharedMeter(options: SharedMeterOptions): SharedMeter {
  const { ledger, newId, onFailure, sleep } = options;
  const limits = limitsOf(options);
  // Knows how models count; that it has no limits of its own leaves those to the ledger.
  const local = createMeter({ budget: {}, spent: NO_USAGE, now: options.now });
  const held = new Map<Reservation, { readonly id: string; readonly local: Reservation }>();
  const { settleLater, settled } = settlementsIn(ledger, sleep);
  const tryReserve = async (first: Reservation): Promise<Reservation | 'wait' | keyof Limits> => {
    const { demand } = first;
    const reserve = async (reservation: Reservation) => {
      const id = newId();
      const most = spendingOf(reservation);
      const grant = await ledger.reserve(id, most, limits, used(options.known())).catch((cause: unknown) => {
        // It may have been reserved all the same, and nobody else would ever give it back.
        void settleLater(id, used(NO_USAGE));
        throw cause;
      });
      if (grant.kind === 'granted') held.set(reservation, { id, local: first });
      return grant;
    };
    const grant = await reserve(first);
    if (grant.kind === 'granted') return first;
    const { left, others } = grant;
    if ((left.seconds ?? Infinity) < LEAST_SECONDS) return 'seconds';
    if (others) return 'wait';
    if ((left.calls ?? Infinity) < 1) return 'calls';
    const fits = boundedBy(demand, left, local.scaleOf(demand.model ?? ''), true);
    if (typeof fits === 'string') return fits;
    const smaller: Reservation = { ...first, ...fits };
    return (await reserve(smaller)).kind === 'granted' ? smaller : 'wait';
  };

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
      void settleLater(own.id, used(usage));
    },
    settled,
    limits: (limit) => limits[limit] !== undefined,
  };
}

/** Settles reservations without being waited for, each until the ledger has it. */
function settlementsIn(
  ledger: Ledger,
  sleep: SharedMeterOptions['sleep'],
): {
  readonly settled: () => Promise<void>;
  readonly settleLater: (id: string, spent: Spending) => Promise<void>;
} {
  /** The first try of each. */
  const settling = new Set<Promise<boolean>>();
  return {
    async settleLater(id, spent) {
      const trySettle = () =>
        ledger.settle(id, spent).then(
          () => true,
          () => false,
        );
      const first = trySettle();
      settling.add(first);
      let isSettled = await first;
      settling.delete(first);
      while (!isSettled) {
        // As long as it is not settled, it counts in full.
        await sleep(1000, new AbortController().signal);
        isSettled = await trySettle();
      }
    },
    async settled() {
      await Promise.all(settling);
    },
  };
}

function limitsOf({ budget, secondsBefore }: SharedMeterOptions): Limits {
  const { calls, tokens, usd, seconds } = budget;
  return {
    ...(calls === undefined ? {} : { calls }),
    ...(tokens === undefined ? {} : { tokens }),
    ...(usd === undefined ? {} : { usd }),
    ...(seconds === undefined ? {} : { seconds: seconds - secondsBefore }),
  };
}

function spendingOf({ most }: Reservation): Spending {
  return { calls: 1, tokens: most.tokens, usd: most.usd };
}

function used(usage: Usage): Spending {
  return { calls: usage.calls, tokens: tokensOfUsage(usage), usd: usage.cost_usd ?? 0 };
}
