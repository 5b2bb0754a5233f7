import { PlanError } from '../errors.js';
import { shorten } from './error-text.js';
import type { Exchange } from './transport.js';

/** What an HTTP status other than 2xx means for the question that was asked. */
export type Verdict =
  | { readonly kind: 'retry'; readonly reason: string }
  | { readonly kind: 'rejected'; readonly code: 'refused' | 'cut_off'; readonly reason: string }
  | { readonly kind: 'unavailable'; readonly error: PlanError };

/** The server and model an error message names. */
export interface Place {
  readonly server: string;
  readonly model: string;
}

const RETRIED = new Set([408, 409, 429]);
const TOO_LONG =
  /context_length_exceeded|maximum context length|context (?:window|size|length)|prompt is too long/i;
const FILTERED = /content_filter|content_policy|content management policy/i;
const UNKNOWN_MODEL = /model_not_found|unknown model|model .*(?:not found|does not exist)/i;

/** Judges a status that is no refusal of an optional field (`withoutRefused` has seen it before). */
export function judgeStatus(
  { status, headers, error }: Extract<Exchange, { kind: 'status' }>,
  place: Place,
): Verdict {
  const said = shorten(`HTTP ${status}: ${error.message}`);
  if (status === 429 && error.code === 'insufficient_quota')
    return unavailable('MODEL_FAILED', place, said, 'the account has no credit left with the server');
  if (status >= 500 || RETRIED.has(status)) return { kind: 'retry', reason: said };
  if (status < 400) return redirected(place, headers);
  if (status === 401 || status === 403) return unauthorized(place, said);
  const text = `${error.code ?? ''} ${error.message}`;
  if ((status === 400 || status === 413) && TOO_LONG.test(text))
    return { kind: 'rejected', code: 'cut_off', reason: `the prompt is too long for the model: ${said}` };
  if (status === 400 && FILTERED.test(text)) return { kind: 'rejected', code: 'refused', reason: said };
  if (status === 404 || UNKNOWN_MODEL.test(text)) return unknownModel(place, said);
  return unavailable('MODEL_FAILED', place, said, 'the server did not accept the request');
}

/** The error of a server all of whose models failed for good. */
export function allFailed(place: Place, attempts: number, lastFault: string): PlanError {
  return new PlanError(
    'MODEL_FAILED',
    `${place.model} at ${place.server} failed after ${attempts} attempt${attempts === 1 ? '' : 's'}: ${lastFault}`,
    {
      hint: 'check the server and go on with `plan resume`',
      details: { ...place, attempts, last_fault: lastFault },
    },
  );
}

function unauthorized(place: Place, said: string): Verdict {
  return unavailable(
    'MODEL_UNAUTHORIZED',
    place,
    said,
    'set OPENAI_API_KEY to a key that this server accepts for this model',
  );
}

function unknownModel(place: Place, said: string): Verdict {
  return unavailable(
    'MODEL_UNKNOWN',
    place,
    said,
    'check the name of the model and the base URL, which mostly ends in /v1',
  );
}

function redirected(place: Place, headers: Headers): Verdict {
  const to = originOf(headers.get('location'), place.server);
  return unavailable(
    'MODEL_FAILED',
    place,
    `the server redirects to ${to}, and redirects are not followed, lest the key be sent elsewhere`,
    'set the base URL to where the server really is',
  );
}

function originOf(location: string | null, server: string): string {
  return location !== null && URL.canParse(location, server) ? new URL(location, server).origin : 'nowhere';
}

function unavailable(
  code: 'MODEL_FAILED' | 'MODEL_UNAUTHORIZED' | 'MODEL_UNKNOWN',
  place: Place,
  said: string,
  hint: string,
): Verdict {
  return {
    kind: 'unavailable',
    error: new PlanError(code, `${place.model} at ${place.server}: ${said}`, {
      hint,
      details: { ...place },
    }),
  };
}
