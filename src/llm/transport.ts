import { readErrorBody, type ServerError } from './error-text.js';
import { NotReached, ReplyTooLarge, type HttpReply } from './http-post.js';
import { createCompletionPost, type CompletionPost } from './openai/completion-post.js';
import { ProxyRefusal } from './proxy-refusal.js';
import type { Proxy } from './proxy.js';
import type { RequestBody } from './request.js';
import { scrub, scrubReply } from './text/scrub.js';
import { secureFaultOf, withoutPlaces, type SecureFault } from './secure-fault.js';

/** What became of one HTTP request. Every text of the server has the key scrubbed. */
export type Exchange =
  | { readonly kind: 'success'; readonly text: string }
  | {
      readonly kind: 'status';
      readonly status: number;
      readonly headers: Headers;
      readonly error: ServerError;
    }
  | {
      readonly kind: 'fault';
      readonly reason: string;
      /** False when no connection came about, so that the server cannot have seen a request. */
      readonly sent: boolean;
      readonly tooLarge: boolean;
      /** What the proxy answered in the server's place. */
      readonly proxyStatus?: number;
      /** Why there is no encrypted connection to the server, or to the proxy, however often it is tried. */
      readonly secure?: { readonly fault: SecureFault; readonly at: 'server' | 'proxy' };
    }
  | { readonly kind: 'aborted'; readonly sent: boolean };

/** Sends single requests to one server: no retries, no redirects. */
export interface Transport {
  /** Must not reject: whatever happens is an `Exchange`. */
  send(body: RequestBody, timeoutMs: number, signal: AbortSignal): Promise<Exchange>;
  /** A text of the server without the key; what comes in pieces may hold it across them. */
  readonly scrub: (text: string) => string;
  /** An error's text without the key and other secrets, however short they are. */
  readonly scrubError: (text: string) => string;
}

export interface TransportOptions {
  readonly baseUrl: string;
  /** Without one, no Authorization header is sent. */
  readonly apiKey: string | undefined;
  /** Whom OpenAI counts requests for: `OpenAI-Organization` and `OpenAI-Project`. */
  readonly organization?: string | undefined;
  readonly project?: string | undefined;
  readonly userAgent: string;
  readonly maxReplyBytes: number;
  /** Sent as the query `api-version`. */
  readonly apiVersion?: string | undefined;
  /** Headers beside those of the protocol, by names in small letters. */
  readonly headers?: Readonly<Record<string, string>>;
  /** What is scrubbed besides the key. */
  readonly secrets?: readonly string[];
  readonly proxy?: Proxy | undefined;
}

/** A transport by the official client of the API, which is loaded with the first request. */
export function createTransport(options: TransportOptions): Transport {
  const { baseUrl, maxReplyBytes, apiVersion, proxy } = options;
  const secrets = [options.apiKey ?? '', ...(options.secrets ?? []), ...(proxy?.secrets ?? [])];
  let connecting: Promise<CompletionPost> | undefined;
  return {
    scrub: (text) => scrubReply(text, secrets),
    scrubError: (text) => scrub(text, secrets),
    async send(body, timeoutMs, signal) {
      connecting ??= createCompletionPost({ baseUrl, apiVersion, headers: headersOf(options), proxy });
      try {
        const post = await connecting;
        if (signal.aborted) return { kind: 'aborted', sent: false };
        const reply = await post(body, { timeoutMs, maxReplyBytes, signal });
        if (proxy !== undefined && reply.status === 407) throw new ProxyRefusal('HTTP 407', 407);
        return exchangeOf(reply, secrets);
      } catch (thrown) {
        const fault = faultOf(thrown, secrets);
        return signal.aborted ? { kind: 'aborted', sent: fault.sent } : fault;
      }
    },
  };
}

function headersOf(options: TransportOptions): Readonly<Record<string, string | null>> {
  const { apiKey, userAgent, organization = null, project = null, headers } = options;
  return {
    accept: 'application/json',
    'user-agent': userAgent,
    authorization: apiKey === undefined ? null : `Bearer ${apiKey}`,
    'openai-organization': organization,
    'openai-project': project,
    ...headers,
  };
}

function exchangeOf({ status, headers, text }: HttpReply, secrets: readonly string[]): Exchange {
  const withheld = status >= 200 && status < 300 ? statusWithin(text) : undefined;
  if (status >= 200 && status < 300 && withheld === undefined)
    return { kind: 'success', text: scrubReply(text, secrets) };
  const pairs = Object.entries(headers).flatMap(([name, value]) =>
    [value ?? []].flat().map((one) => [name, one]),
  );
  const error = readErrorBody(scrub(text, secrets));
  return { kind: 'status', status: withheld ?? status, headers: new Headers(pairs), error };
}

// Gateways that have begun to answer say with 200 what another server refused with a status of its own. A text alone
// is how some say so of a path, of the model or of the request.
function statusWithin(text: string): number | undefined {
  if (!/^\s*(?:\[\s*)?\{\s*"error"\s*:/.test(text)) return undefined;
  const { labels, message } = readErrorBody(text);
  const status = labels.find((label) => /^[45]\d\d$/.test(label));
  if (status !== undefined) return Number(status);
  if (!/^\s*\{\s*"error"\s*:\s*"[^"]/.test(text) || text.includes('"choices"')) return undefined;
  return /\b(?:endpoint|method|path|route|url|not found)\b/i.test(message) ? 404 : 400;
}

function faultOf(thrown: unknown, secrets: readonly string[]): Extract<Exchange, { kind: 'fault' }> {
  const causes = [...causesOf(thrown)];
  const deepest = causes.at(-1);
  const code = causes.map((cause) => property(cause, 'code')).find((code) => typeof code === 'string');
  const told = deepest instanceof Error && deepest.message !== '' ? deepest.message : String(thrown);
  const sent = !causes.some((cause) => cause instanceof NotReached || cause instanceof ProxyRefusal);
  const fault = sent ? undefined : secureFaultOf(code, told);
  const message = fault === undefined ? told : withoutPlaces(told);
  const refusal = causes.find((cause) => cause instanceof ProxyRefusal);
  return {
    kind: 'fault',
    reason: scrub(code === undefined || message.includes(code) ? message : `${message} (${code})`, secrets),
    sent,
    tooLarge: deepest instanceof ReplyTooLarge,
    ...(refusal?.status === undefined ? {} : { proxyStatus: refusal.status }),
    ...(fault === undefined ? {} : { secure: { fault, at: refusal === undefined ? 'server' : 'proxy' } }),
  };
}

// Of several addresses of a host that were tried in turn, the first stands for all.
function* causesOf(thrown: unknown): Generator {
  for (let next = thrown, depth = 0; next !== undefined && depth < 8; depth += 1) {
    yield next;
    next = next instanceof AggregateError ? next.errors[0] : property(next, 'cause');
  }
}

function property(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined;
}
