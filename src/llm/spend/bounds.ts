import type { Usage } from '../../plan/schema.js';
import type { BudgetLimit } from '../chat-model.js';

/** The least reply worth paying for, in tokens. */
export const LEAST_OUTPUT_TOKENS = 256;

/** What a call may use. */
export interface Demand {
  /** Whose ratios apply, where a meter serves several models. */
  readonly model?: string;
  /** As well as the caller can count. */
  readonly input_tokens: number;
  /** What no tokenizer can exceed (bytes of the text); used until a server has reported its own count. */
  readonly most_input_tokens?: number;
  readonly max_output_tokens: number;
  /** The least output that is worth paying for; a short reply's by default. */
  readonly least_output_tokens?: number;
  /** US dollars for so many tokens; null when the price is not known. */
  readonly costOf: (inputTokens: number, outputTokens: number) => number | null;
}

/** What a call is allowed. */
export interface Bounds {
  /** At most what was asked for; less when the budget is nearly used up. */
  readonly max_output_tokens: number;
  /** The most the call may use within that; `tokens` is the sum of the other two. */
  readonly most: {
    readonly tokens: number;
    readonly usd: number;
    readonly input_tokens: number;
    readonly output_tokens: number;
  };
}

/** What is left of each limit, calls in flight being taken off at the most they may use. */
export type Remaining = Readonly<Partial<Record<BudgetLimit, number>>>;

/** How much more servers report than was counted; never below 1. */
export interface Scale {
  readonly input: number;
  readonly output: number;
}

/** The scale of the bounds on what requests may use, after one more report. */
export function greaterScale(
  seen: Scale | undefined,
  { demand, max_output_tokens }: Bounds & { readonly demand: Demand },
  usage: Usage,
): Scale {
  return {
    input: Math.max(seen?.input ?? 1, usage.input_tokens / Math.max(1, demand.input_tokens)),
    output: Math.max(seen?.output ?? 1, usage.output_tokens / max_output_tokens),
  };
}

/**
 * The bounds within which a call fits into `room`, or the limit in the way. Before any server has reported a count,
 * the input is bounded by what no tokenizer can exceed, if there is room for it. A call that is not `alone` is
 * let through in full or has to wait.
 */
export function boundedBy(
  demand: Demand,
  room: Remaining,
  seen: Scale | undefined,
  alone: boolean,
): Bounds | BudgetLimit | 'wait' {
  const counted = Math.ceil(demand.input_tokens * (seen?.input ?? 1));
  const most = Math.max(counted, demand.most_input_tokens ?? 0);
  const scale = seen?.output ?? 1;
  const full = fitting(demand, seen === undefined ? most : counted, scale, room);
  if (typeof full !== 'string' && full.max_output_tokens === demand.max_output_tokens) return full;
  return alone ? fitting(demand, counted, scale, room) : 'wait';
}

// The longest reply that fits, or the limit that even the shortest useful one exceeds.
function fitting(demand: Demand, inputTokens: number, scale: number, room: Remaining): Bounds | BudgetLimit {
  const bounds = (outputTokens: number): Bounds => {
    const output = Math.ceil(outputTokens * scale);
    const usd = demand.costOf(inputTokens, output) ?? 0;
    const most = { tokens: inputTokens + output, usd, input_tokens: inputTokens, output_tokens: output };
    return { max_output_tokens: outputTokens, most };
  };
  const whole = bounds(demand.max_output_tokens);
  if (exceeded(whole, room) === undefined) return whole;
  let least = Math.min(demand.least_output_tokens ?? LEAST_OUTPUT_TOKENS, demand.max_output_tokens);
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
