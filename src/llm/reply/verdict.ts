import { PlanError } from '../../kernel/errors.js';
import { shorten } from '../error-text.js';
import type { ServerError } from '../error-text.js';
import { secureCure } from '../secure-fault.js';
import type { Exchange } from '../transport.js';

/** What an HTTP status other than 2xx means for the question that was asked. */
export type Verdict =
  | { readonly kind: 'retry'; readonly reason: string }
  /** The question itself is refused for good; others may go on. */
  | { readonly kind: 'rejected'; readonly code: 'refused' | 'cut_off'; readonly reason: string }
  /** The model replied, and its server would not pass the reply on. */
  | { readonly kind: 'bad_reply'; readonly reply: string; readonly reason: string }
  | Unavailable;

/** The model is of no use for this question. */
export interface Unavailable {
  readonly kind: 'unavailable';
  readonly error: PlanError;
  /** Whether that holds for every question, or is known of this request alone. */
  readonly scope: 'model' | 'request';
}

/** The server and model that an error message names. */
export interface ModelName {
  readonly server: string;
  readonly model: string;
  /** The proxy that the server is reached through, as people may see it. */
  readonly proxy: string | undefined;
}

// 498: no slot is free at the moment.
const RETRIED = new Set([408, 409, 425, 429, 498]);
const TOO_LONG =
  /context_length_exceeded|exceed_context_size|tokens_limit_reached|string_above_max_length|maximum context length|context (?:window|size|length|limit)|(?:prompt|input) is too long|input token count|too many (?:input )?tokens|exceeds? the (?:maximum|max|limit)[^.]{0,40}tokens|range of input length|request (?:entity |body )?(?:is )?too large|reduce the (?:length|size)|reduce your (?:message|prompt)/i;
const FILTERED =
  /content_filter|content_policy|content management policy|content exists risk|content violates|data_?inspection_?failed|inappropriate content|invalid_prompt|flagged|requires moderation|usage (?:policy|policies|guidelines)|considered high risk|safety_check|safety system|prohibited_content/i;
const UNKNOWN_MODEL = /model_not_found|unknown model|model .{0,200}(?:not found|does not exist)/i;
const BAD_KEY = /api[ _-]?key|authentication_error|invalid_authentication/i;
const NO_CREDIT =
  /insufficient (?:balance|credit|funds|quota)|credit balance|(?:used|out of|no|more) .{0,20}credits|spending limit|arrear|overdue|billing_not_active/i;
const BAD_JSON = /json_validate_failed/i;

/**
 * The verdict on a reply by its HTTP status, where that is no refusal of an optional field (`withoutRefused` has
 * seen it before).
 */
export function judgeStatus(
  { status, headers, error }: Extract<Exchange, { kind: 'status' }>,
  named: ModelName,
): Verdict {
  const said = shorten(`HTTP ${status}: ${error.message}`);
  const text = [...error.labels, error.message].join(' ');
  if (status < 400) return redirected(named, headers);
  // What is said of the text may speak of credits too: that none were charged.
  if (isFiltered(status, text)) return { kind: 'rejected', code: 'refused', reason: said };
  if (status === 402 || hasNoCredit(status, error, text)) return withoutCredit(named, said);
  if (isTooLong(status, text))
    return { kind: 'rejected', code: 'cut_off', reason: `the prompt is too long for the model: ${said}` };
  if (status >= 500 || RETRIED.has(status)) return { kind: 'retry', reason: said };
  if (BAD_JSON.test(text)) return { kind: 'bad_reply', reply: error.failedReply ?? '', reason: said };
  if (status === 401 || status === 403 || BAD_KEY.test(text)) return unauthorized(named, said);
  if (status === 404 || status === 405 || UNKNOWN_MODEL.test(text)) return unknownModel(named, said);
  return unavailable('MODEL_FAILED', named, said, 'the server did not accept the request', 'request');
}

/** The verdict on a connection that did not come about; undefined where it may at another time. */
export function judgeConnection(
  { proxyStatus: status, reason, secure }: Extract<Exchange, { kind: 'fault' }>,
  named: ModelName,
): Unavailable | undefined {
  if (secure !== undefined)
    return unavailable('MODEL_FAILED', named, shorten(reason), secureCure(secure.fault, secure.at));
  if (status === undefined || status >= 500 || RETRIED.has(status)) return undefined;
  const said = `the proxy refused: ${shorten(reason)}`;
  const hint =
    status === 407
      ? 'put user and password into the address of the proxy, http://user:password@host:port'
      : 'let the proxy through to this server';
  return unavailable('MODEL_FAILED', named, said, `${hint}, or name the server in NO_PROXY`);
}

/** The verdict when all models of a server failed for now, as an error. `until` is when it wants to be asked again. */
export function allFailed(
  named: ModelName,
  { attempts, reason, until }: { attempts: number; reason: string; until: number | undefined },
): PlanError {
  const long =
    until === undefined ? '' : `; it is not to be asked before ${timeText(until)}, too late to wait for`;
  const proxy = named.proxy === undefined ? '' : ' and the proxy, or name the server in NO_PROXY,';
  const hint =
    until === undefined
      ? `check the server${proxy} and go on with \`plan resume\``
      : 'go on with `plan resume` then, or now with another `--model`';
  return new PlanError(
    'MODEL_FAILED',
    `${nameText(named)} failed after ${attempts} attempt${attempts === 1 ? '' : 's'}: ${reason}${long}`,
    { hint: { commandLine: hint }, details: { ...detailsOf(named), attempts, last_fault: reason } },
  );
}

/** The end of what a date can name. */
const LAST_MS = 8.64e15;

function timeText(ms: number): string {
  const time = new Date(Math.min(Math.ceil(ms / 60_000) * 60_000, LAST_MS)).toISOString();
  return `${time.slice(0, time.lastIndexOf('T'))} ${time.slice(time.lastIndexOf('T') + 1, -8)} UTC`;
}

// Servers answer a text that they refuse with the states of a bad key as well.
function isFiltered(status: number, text: string): boolean {
  const isRefusal = status < 500 && ![401, 402, 404].includes(status) && !RETRIED.has(status);
  return isRefusal && !BAD_JSON.test(text) && FILTERED.test(text);
}

// Some servers say so with the status of a limit that passes, whose texts may speak of plans and billing too.
function hasNoCredit(status: number, { labels }: ServerError, text: string): boolean {
  if (status === 429)
    return labels.includes('insufficient_quota') || /used all .{0,200}credits|spending limit/i.test(text);
  return [400, 403].includes(status) && NO_CREDIT.test(text);
}

function isTooLong(status: number, text: string): boolean {
  if (status === 413) return true;
  if ([400, 422].includes(status)) return TOO_LONG.test(text);
  // These say so of a request that will never fit, in place of a status of its own.
  if (status === 429) return /request too large/i.test(text);
  return status === 500 && /context size has been exceeded|exceed_context_size/i.test(text);
}

function withoutCredit(named: ModelName, said: string): Verdict {
  return unavailable('MODEL_FAILED', named, said, 'the account has no credit left with the server');
}

function unauthorized(named: ModelName, said: string): Verdict {
  return unavailable(
    'MODEL_UNAUTHORIZED',
    named,
    said,
    'set OPENAI_API_KEY to a key that this server accepts for this model',
  );
}

function unknownModel(named: ModelName, said: string): Verdict {
  return unavailable(
    'MODEL_UNKNOWN',
    named,
    said,
    'check the name of the model and the base URL, which mostly ends in /v1',
  );
}

function redirected(named: ModelName, headers: Headers): Verdict {
  const to = originOf(headers.get('location'), named.server);
  return unavailable(
    'MODEL_FAILED',
    named,
    `the server redirects to ${to}, and redirects are not followed, lest the key be sent elsewhere`,
    'set the base URL to where the server really is',
  );
}

function originOf(location: string | null, server: string): string {
  return location !== null && URL.canParse(location, server) ? new URL(location, server).origin : 'nowhere';
}

function unavailable(
  code: 'MODEL_FAILED' | 'MODEL_UNAUTHORIZED' | 'MODEL_UNKNOWN',
  named: ModelName,
  said: string,
  hint: string,
  scope: Unavailable['scope'] = 'model',
): Unavailable {
  return {
    kind: 'unavailable',
    scope,
    error: new PlanError(code, `${nameText(named)}: ${said}`, {
      hint: { commandLine: hint },
      details: detailsOf(named),
    }),
  };
}

function nameText({ model, server, proxy }: ModelName): string {
  return `${model} at ${server}${proxy === undefined ? '' : ` through ${proxy}`}`;
}

// A name may be more than that: an endpoint with all that is known of it.
function detailsOf({ server, model, proxy }: ModelName) {
  return { server, model, ...(proxy === undefined ? {} : { proxy }) };
}
