import type { Budget, Usage } from '../plan/schema.js';
import { addUsage, tokensOf } from '../plan/plan.js';
import { PlanError } from '../errors.js';
import type { BudgetLimit } from './chat-model.js';

/** The least reply worth paying for, in tokens. */
const LEAST_OUTPUT_TOKENS = 256;
const LEAST_SECONDS = 1;

/** What a call may use. */
export interface Demand {
  /** As well as the caller can count. */
  readonly input_tokens: number;
  /** What no tokenizer can exceed (bytes of the text); used until a server has reported its own count. */
  readonly most_input_tokens?: number;
  readonly max_output_tokens: number;
  /** US dollars for so many tokens; null when the price is not known. */
  readonly costOf: (inputTokens: number, outputTokens: number) => number | null;
}

/** Leave to make one call, within these bounds. To be settled once, whatever becomes of the call. */
export interface Reservation {
  readonly kind: 'reserved';
  /** At most what was asked for; less when the budget is nearly used up. */
  readonly max_output_tokens: number;
  /** How long the call may take; undefined without a limit. */
  readonly seconds: number | undefined;
  readonly demand: Demand;
  readonly most: { readonly tokens: number; readonly usd: number };
}

export type Leave =
  Reservation | { readonly kind: 'limit'; readonly limit: BudgetLimit } | { readonly kind: 'aborted' };

/** What is left of each limit, calls in flight being taken off at the most they may use. */
export type Remaining = Readonly<Partial<Record<BudgetLimit, number>>>;

/** Hard budgets: a call is let through only when what it may use at most still fits. */
export interface Meter {
  /**
   * Leave to make one call, or the limit that stands in the way. Where the room is short only because of
   * calls in flight, waits for them to settle; leave is given in the order asked for.
   */
  reserve(demand: Demand, signal: AbortSignal): Promise<Leave>;
  /** Ends a reservation with what the call really used, and learns from servers that count otherwise. */
  settle(reservation: Reservation, usage: Usage, reported: boolean): void;
  remaining(): Remaining;
  /** Whether `limit` is set at all. */
  limits(limit: BudgetLimit): boolean;
}

export interface MeterOptions {
  readonly budget: Budget | undefined;
  /** What the plan has used so far, `seconds` included: limits hold over its whole life. */
  readonly spent: Usage;
  /** Milliseconds; only differences are used. */
  readonly now: () => number;
}

/** A meter that starts its clock now. Throws INVALID_CONFIG for a limit in dollars after spending of unknown cost. */
export function createMeter({ budget = {}, spent, now }: MeterOptions): Meter {
  if (budget.usd !== undefined && spent.cost_usd === null) throw unknownCost();
  const started = now();
  const inFlight = new Set<Reservation>();
  const queue: { demand: Demand; resolve: (leave: Leave) => void }[] = [];
  let used = spent;
  let seen: Scale | undefined;

  const remaining = (): Remaining => {
    const elapsed = (now() - started) / 1000;
    const reserved = [...inFlight].map((reservation) => reservation.most);
    return {
      ...left('calls', budget.calls, used.calls + inFlight.size),
      ...left('tokens', budget.tokens, tokensOf(used) + sum(reserved.map((most) => most.tokens))),
      ...left('usd', budget.usd, (used.cost_usd ?? 0) + sum(reserved.map((most) => most.usd))),
      ...left('seconds', budget.seconds, (spent.seconds ?? 0) + elapsed),
    };
  };
  const grant = (demand: Demand): Leave | 'wait' => {
    const room = remaining();
    const alone = inFlight.size === 0;
    const missing = missingLimit(room);
    if (missing !== undefined)
      return alone || missing === 'seconds' ? { kind: 'limit', limit: missing } : 'wait';
    const fits = boundedBy(demand, room, seen, alone);
    if (typeof fits === 'string') return alone ? { kind: 'limit', limit: fits } : 'wait';
    const reservation: Reservation = { kind: 'reserved', ...fits, seconds: room.seconds, demand };
    inFlight.add(reservation);
    return reservation;
  };
  const serve = (): void => {
    for (let first = queue[0]; first !== undefined; first = queue[0]) {
      const leave = grant(first.demand);
      if (leave === 'wait') return;
      queue.shift();
      first.resolve(leave);
    }
  };

  return {
    reserve(demand, signal) {
      if (signal.aborted) return Promise.resolve({ kind: 'aborted' });
      return new Promise((resolve) => {
        const leaveQueue = (): void => {
          queue.splice(queue.indexOf(waiter), 1);
          resolve({ kind: 'aborted' });
          serve();
        };
        const waiter = {
          demand,
          resolve: (leave: Leave): void => {
            signal.removeEventListener('abort', leaveQueue);
            resolve(leave);
          },
        };
        signal.addEventListener('abort', leaveQueue, { once: true });
        queue.push(waiter);
        serve();
      });
    },
    settle(reservation, usage, reported) {
      if (!inFlight.delete(reservation)) return;
      used = addUsage(used, usage);
      if (reported) seen = greater(seen, reservation, usage);
      serve();
    },
    remaining,
    limits: (limit) => budget[limit] !== undefined,
  };
}

/** How much more servers report than was counted; never below 1. */
interface Scale {
  readonly input: number;
  readonly output: number;
}

function greater(seen: Scale | undefined, { demand, max_output_tokens }: Reservation, usage: Usage): Scale {
  return {
    input: Math.max(seen?.input ?? 1, usage.input_tokens / Math.max(1, demand.input_tokens)),
    output: Math.max(seen?.output ?? 1, usage.output_tokens / max_output_tokens),
  };
}

type Bounds = Pick<Reservation, 'max_output_tokens' | 'most'>;

// Before any server has reported a count, the bound is one no tokenizer can exceed, if there is room for it.
function boundedBy(
  demand: Demand,
  room: Remaining,
  seen: Scale | undefined,
  alone: boolean,
): Bounds | BudgetLimit {
  const counted = Math.ceil(demand.input_tokens * (seen?.input ?? 1));
  const most = Math.max(counted, demand.most_input_tokens ?? 0);
  const scale = seen?.output ?? 1;
  const full = fitting(demand, seen === undefined ? most : counted, scale, room);
  if (typeof full !== 'string' && full.max_output_tokens === demand.max_output_tokens) return full;
  if (!alone) return typeof full === 'string' ? full : (exceeded(full, room) ?? 'tokens');
  return fitting(demand, counted, scale, room);
}

// The longest reply that fits, or the limit that even the shortest useful one exceeds.
function fitting(demand: Demand, inputTokens: number, scale: number, room: Remaining): Bounds | BudgetLimit {
  const bounds = (outputTokens: number): Bounds => {
    const output = Math.ceil(outputTokens * scale);
    const usd = demand.costOf(inputTokens, output) ?? 0;
    return { max_output_tokens: outputTokens, most: { tokens: inputTokens + output, usd } };
  };
  const whole = bounds(demand.max_output_tokens);
  if (exceeded(whole, room) === undefined) return whole;
  let least = Math.min(LEAST_OUTPUT_TOKENS, demand.max_output_tokens);
  const limit = exceeded(bounds(least), room);
  if (limit !== undefined) return limit;
  for (let most = demand.max_output_tokens; most - least > 1;) {
    const middle = Math.floor((least + most) / 2);
    if (exceeded(bounds(middle), room) === undefined) least = middle;
    else most = middle;
  }
  return bounds(least);
}

function exceeded({ most }: Bounds, room: Remaining): 'tokens' | 'usd' | undefined {
  if (most.tokens > (room.tokens ?? Infinity)) return 'tokens';
  return most.usd > (room.usd ?? Infinity) ? 'usd' : undefined;
}

function missingLimit(room: Remaining): 'calls' | 'seconds' | undefined {
  if ((room.calls ?? Infinity) < 1) return 'calls';
  return (room.seconds ?? Infinity) < LEAST_SECONDS ? 'seconds' : undefined;
}

function left(limit: BudgetLimit, most: number | undefined, used: number): Remaining {
  return most === undefined ? {} : { [limit]: Math.max(0, most - used) };
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

function unknownCost(): PlanError {
  return new PlanError(
    'INVALID_CONFIG',
    'a budget in US dollars cannot be kept: what this plan has cost so far is not known',
    { hint: 'set a budget in tokens or calls instead (--budget-tokens, --budget-calls)' },
  );
}
