import type { Budget, Usage } from '../../plan/schema.js';
import { addUsage, tokensOfUsage } from '../../plan/plan.js';
import { PlanError } from '../../kernel/errors.js';
import { boundedBy, greaterScale, type Bounds, type Demand, type Remaining, type Scale } from './bounds.js';
import type { BudgetLimit } from '../chat-model.js';

/** No request is begun with less time left. */
const LEAST_SECONDS = 0.1;

/** Leave to make one call, within these bounds. To be settled once, whatever becomes of the call. */
export interface Reservation extends Bounds {
  readonly kind: 'reserved';
  readonly demand: Demand;
  /** Of the call, where the plan says that it was begun. */
  readonly call?: string;
}

type Leave =
  Reservation | { readonly kind: 'limit'; readonly limit: BudgetLimit } | { readonly kind: 'aborted' };

/** Hard budgets: a call is let through only when what it may use at most still fits. */
export interface Meter {
  /**
   * Leave to make one call, or the limit that is in the way. Where the room is short only because of
   * calls in flight, waits for them to settle; leave is given in the order asked for.
   */
  reserve(demand: Demand, signal: AbortSignal): Promise<Leave>;
  /** Ends a reservation with what the call really used, and learns from servers that count otherwise. */
  settle(reservation: Reservation, usage: Usage, reported: boolean): void;
  /** How much more the server of a model reports than was counted; undefined until one has reported. */
  scaleOf(model: string): Scale | undefined;
  /** Takes a ratio that was seen before for a model's, unless a greater one is known. */
  assume(model: string, scale: Scale): void;
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

/** A demand that waits for leave. */
interface Asked {
  readonly demand: Demand;
  readonly resolve: (leave: Leave) => void;
}

/** A meter that starts its clock now. Throws INVALID_CONFIG for a limit in dollars after spending of unknown cost. */
export function createMeter({ budget = {}, spent, now }: MeterOptions): Meter {
  if (budget.usd !== undefined && spent.cost_usd === null) throw unknownCost();
  const started = now();
  const inFlight = new Set<Reservation>();
  const queue: Asked[] = [];
  let used = spent;
  const seen = new Map<string, Scale>();

  const remaining = (): Remaining => {
    const elapsed = (now() - started) / 1000;
    const reserved = [...inFlight].map((reservation) => reservation.most);
    return {
      ...left('calls', budget.calls, used.calls + inFlight.size),
      ...left('tokens', budget.tokens, tokensOfUsage(used) + sum(reserved.map((most) => most.tokens))),
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
    const fits = boundedBy(demand, room, seen.get(demand.model ?? ''), alone);
    if (fits === 'wait') return fits;
    if (typeof fits === 'string') return { kind: 'limit', limit: fits };
    const reservation: Reservation = { kind: 'reserved', ...fits, demand };
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
      const leave = leaveFrom(queue, demand, signal, serve);
      serve();
      return leave;
    },
    settle(reservation, usage, reported) {
      if (!inFlight.delete(reservation)) return;
      used = addUsage(used, usage);
      const { model = '' } = reservation.demand;
      if (reported) seen.set(model, greaterScale(seen.get(model), reservation, usage));
      serve();
    },
    scaleOf: (model) => seen.get(model),
    assume(model, { input, output }) {
      const known = seen.get(model);
      seen.set(model, {
        input: Math.max(known?.input ?? 1, input),
        output: Math.max(known?.output ?? 1, output),
      });
    },
    remaining,
    limits: (limit) => budget[limit] !== undefined,
  };
}

/** Waits in a queue for leave. @param onLeft called when the signal has ended the waiting: others may come first now */
function leaveFrom(queue: Asked[], demand: Demand, signal: AbortSignal, onLeft: () => void): Promise<Leave> {
  return new Promise((resolve) => {
    const leaveQueue = (): void => {
      queue.splice(queue.indexOf(asked), 1);
      resolve({ kind: 'aborted' });
      onLeft();
    };
    const asked: Asked = {
      demand,
      resolve(leave) {
        signal.removeEventListener('abort', leaveQueue);
        resolve(leave);
      },
    };
    signal.addEventListener('abort', leaveQueue, { once: true });
    queue.push(asked);
  });
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
    { hint: { commandLine: 'set a budget in tokens or calls instead (--budget-tokens, --budget-calls)' } },
  );
}

/** What a call has used, with which call it was. One that was never sent is none. */
export function usageOfCall({ call }: Reservation, usage: Usage): Usage {
  return call === undefined || usage.calls === 0 ? usage : { ...usage, begun: [call] };
}
