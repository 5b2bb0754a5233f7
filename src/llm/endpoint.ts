import { ALL_CAPABILITIES, type Capabilities } from './capabilities.js';
import type { Limiter } from './limiter.js';
import type { Meter } from './spend/meter.js';
import type { ModelEvent } from './model-event.js';
import type { ModelFacts } from './spend/prices.js';
import type { Extras } from './request.js';
import type { Transport } from './transport.js';
import type { Unavailable } from './reply/verdict.js';

/** One model of a server, with what has been learnt about it. */
export interface Endpoint {
  readonly model: string;
  readonly server: string;
  /** The proxy that the server is reached through, as people may see it. */
  readonly proxy: string | undefined;
  readonly facts: ModelFacts;
  /** The longest reply that is asked for as long as nothing else is known. */
  readonly maxOutputTokens: number;
  /** Tokens of prompt and reply together. */
  contextTokens: number | undefined;
  /** The same as far as it was known beforehand. */
  readonly knownContext: number | undefined;
  /** The longest reply that the server lets anybody ask for. */
  outputCap: number;
  /** How many times as long a reply is asked for, because the model thinks before it replies. */
  room: number;
  capabilities: Capabilities;
  /** Until when the server is left alone, as it has asked for or after asking it in vain; milliseconds since 1970. */
  cooldownUntil: number;
  /** Why the model is of no use for any question, once that is known. */
  lost: Unavailable | undefined;
  /** Set while the server answers that it is at its limit: since when, and how often it was asked again. */
  crowded: { readonly since: number; readonly waves: number } | undefined;
}

/** What the endpoints of one client share. */
export interface CallContext {
  readonly transport: Transport;
  readonly extras: Extras;
  readonly limiter: Limiter;
  readonly meter: Meter;
  readonly timeoutMs: number;
  readonly maxRetries: number;
  readonly random: () => number;
  readonly now: () => number;
  /** Resolves when the time is over or the signal aborts. */
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
  readonly report: (event: ModelEvent) => void;
}

/** An endpoint of which nothing has been learnt yet. */
export function createEndpoint(
  known: Pick<Endpoint, 'model' | 'server' | 'proxy' | 'facts' | 'maxOutputTokens' | 'contextTokens'>,
): Endpoint {
  return {
    ...known,
    knownContext: known.contextTokens,
    outputCap: Number.MAX_SAFE_INTEGER,
    room: 1,
    capabilities: ALL_CAPABILITIES,
    cooldownUntil: 0,
    lost: undefined,
    crowded: undefined,
  };
}

/** No reply is asked for that is longer, however much room a model wants, unless the setting says so. */
const MOST_OUTPUT_TOKENS = 65_536;

/**
 * How many tokens of reply an endpoint is asked for at most: the setting, more of it for a model that thinks, no
 * more than its server allows.
 */
export function outputTokens({ maxOutputTokens, outputCap, room }: Endpoint, wanted = room): number {
  const most = Math.max(maxOutputTokens, MOST_OUTPUT_TOKENS);
  return Math.min(maxOutputTokens * Math.max(room, wanted), most, outputCap);
}
