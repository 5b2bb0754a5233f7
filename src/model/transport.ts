import type OpenAI from 'openai';
import type { ChatCompletionCreateParamsNonStreaming } from 'openai/resources/chat/completions';

import { readErrorBody, type ServerError } from './error-text.js';

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
    }
  | { readonly kind: 'aborted'; readonly sent: boolean };

/** Sends single requests to one server: no retries, no redirects, no streaming. */
export interface Transport {
  /** Must not reject: whatever happens is an `Exchange`. */
  send(
    body: ChatCompletionCreateParamsNonStreaming,
    timeoutMs: number,
    signal: AbortSignal,
  ): Promise<Exchange>;
}

export interface TransportOptions {
  readonly baseUrl: string;
  /** Without one, no Authorization header is sent. */
  readonly apiKey: string | undefined;
  readonly userAgent: string;
  readonly maxReplyBytes: number;
}

/** A transport on the `openai` package, which is loaded at the first request. */
export function createTransport(options: TransportOptions): Transport {
  let client: Promise<OpenAI> | undefined;
  return {
    async send(body, timeoutMs, signal) {
      if (signal.aborted) return { kind: 'aborted', sent: false };
      client ??= createClient(options);
      // A signal of this call's own: the package never takes its listener off the one it is given.
      const call = new AbortController();
      const abort = (): void => call.abort();
      signal.addEventListener('abort', abort);
      try {
        const request = { timeout: Math.max(1, Math.floor(timeoutMs)), signal: call.signal };
        const reply: unknown = await (await client).chat.completions.create(body, request);
        return { kind: 'success', text: typeof reply === 'string' ? reply : '' };
      } catch (thrown) {
        return call.signal.aborted ? { kind: 'aborted', sent: true } : exchangeOf(thrown, options.apiKey);
      } finally {
        signal.removeEventListener('abort', abort);
      }
    },
  };
}

// What the package would take from the environment (organisation, project, headers, log level) is shut off:
// settings come from the caller alone, and a log would hold the key.
async function createClient(options: TransportOptions): Promise<OpenAI> {
  const { OpenAI } = await import('openai');
  return new OpenAI({
    baseURL: options.baseUrl,
    apiKey: options.apiKey ?? 'none',
    adminAPIKey: null,
    organization: null,
    project: null,
    webhookSecret: null,
    logLevel: 'off',
    maxRetries: 0,
    fetch: (url, init) => fetchWhole(url, init, options),
  });
}

// Reads the body before it returns, so that the package's timeout covers it, and with headers of our own.
// A redirect is handed back as it is: following one would show the key to another origin.
async function fetchWhole(
  url: string | URL | Request,
  init: RequestInit | undefined,
  options: TransportOptions,
): Promise<Response> {
  const headers: Record<string, string> = {
    accept: 'application/json',
    'content-type': 'application/json',
    'user-agent': options.userAgent,
    ...(options.apiKey === undefined ? {} : { authorization: `Bearer ${options.apiKey}` }),
  };
  const response = await fetch(url, { ...init, headers, redirect: 'manual' });
  const text = scrubReply(await readText(response, options.maxReplyBytes), options.apiKey);
  if (response.ok) return new Response(text, { status: 200, headers: { 'content-type': 'text/plain' } });
  // The whole text in the one field that the package passes on; no Response can be made with an odd status.
  const odd = response.status === 304 || response.status > 599;
  const status = odd ? 502 : response.status;
  return new Response(JSON.stringify({ error: { message: text } }), { status, headers: response.headers });
}

async function readText(response: Response, maxBytes: number): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > maxBytes) throw new ReplyTooLarge(`the reply is larger than ${maxBytes} bytes`);
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}

class ReplyTooLarge extends Error {
  override readonly name = 'ReplyTooLarge';
}

function exchangeOf(thrown: unknown, apiKey: string | undefined): Exchange {
  const status = property(thrown, 'status');
  const headers = property(thrown, 'headers');
  if (typeof status === 'number' && headers instanceof Headers) {
    const body = property(property(thrown, 'error'), 'message');
    const error = readErrorBody(typeof body === 'string' ? scrub(body, apiKey) : '');
    return { kind: 'status', status, headers, error };
  }
  const causes = [...causesOf(thrown)];
  const deepest = causes.at(-1);
  const code = causes.map((cause) => property(cause, 'code')).find((code) => typeof code === 'string');
  const message = deepest instanceof Error && deepest.message !== '' ? deepest.message : String(thrown);
  return {
    kind: 'fault',
    reason: scrub(code === undefined || message.includes(code) ? message : `${message} (${code})`, apiKey),
    sent: code === undefined || !NEVER_CONNECTED.has(code),
    tooLarge: deepest instanceof ReplyTooLarge,
  };
}

const NEVER_CONNECTED = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
  'CERT_HAS_EXPIRED',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'ERR_TLS_CERT_ALTNAME_INVALID',
]);

function* causesOf(thrown: unknown): Generator {
  for (let next = thrown, depth = 0; next !== undefined && depth < 8; depth += 1) {
    yield next;
    next = property(next, 'cause');
  }
}

function property(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined;
}

/** `text` without the key, in an error or a message, also where JSON escapes it. */
export function scrub(text: string, apiKey: string | undefined): string {
  if (apiKey === undefined || apiKey === '') return text;
  return text.replaceAll(new RegExp(Array.from(apiKey, inAnyWriting).join(''), 'g'), '[key]');
}

// A character as it stands, after backslashes, or as the escape of one JSON text within another. Their number is
// bounded, for a text of nothing but backslashes must not take long.
function inAnyWriting(character: string): string {
  const code = character.charCodeAt(0).toString(16).padStart(4, '0');
  const digits = Array.from(code, (digit) => `[${digit}${digit.toUpperCase()}]`).join('');
  return `\\\\{0,4}(?:\\u${code}|(?<=\\\\)u${digits})`;
}

// A key such as `none` or `ollama`, which local servers are given, is a word that replies may well hold.
function scrubReply(text: string, apiKey: string | undefined): string {
  return apiKey !== undefined && apiKey.length >= 16 ? scrub(text, apiKey) : text;
}
