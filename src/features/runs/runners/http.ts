import { validateHeaderName, validateHeaderValue } from 'node:http';

import type { HttpBinding } from '../../actions/tools/bindings.js';
import { fillText, fillValue, parseTemplate } from '../../actions/tools/template.js';
import type { TemplateValues } from '../../actions/tools/template.js';
import { jsonDocumentValue } from '../../../kernel/json/json-document.js';
import { textOfJson } from '../../../kernel/json/json-text.js';
import type { JsonObject } from '../../../kernel/json/json-value.js';
import { truncate } from '../../../kernel/text/truncate.js';
import { wellFormed } from '../../../kernel/text/well-formed.js';
import { VERSION } from '../../../kernel/version.js';
import { CANCELLED } from '../model/events/attempt-ended.js';
import type { KnownCall, Outcome, ToolCall } from '../model/tool.js';
import { isPrivateHost } from './addresses.js';
import {
  concluded,
  statusFailure,
  toolFailure,
  lostOutcome,
  notSentOutcome,
  RefusedCall,
  timedOutOutcome,
} from './outcomes.js';
import { knownProblem, knownValues } from './known-problem.js';
import { MOST_BYTES } from './limits.js';
import { cutAnswer, whyNotKept } from './output-limits.js';
import { sendRequest } from './request.js';
import type { HttpEnd } from './request.js';
import { createSecrets } from './secrets.js';
import type { Secrets } from './secrets.js';
import type { RunnerEnvironment } from './runner-environment.js';

type Http = HttpBinding['http'];

/** Statuses after which the same request may succeed later. */

/** Makes the request of a binding once. */
export function callHttp(
  { http }: HttpBinding,
  call: ToolCall,
  { variables }: RunnerEnvironment,
): Promise<Outcome> {
  const secrets = createSecrets(variables);
  return concluded(secrets, async () => {
    const values = { args: call.args, secret: secrets.read, call: { ...call } };
    const url = urlOf(http, values);
    const { body, type } = bodyOf(http, values);
    const ended = await sendRequest({
      method: http.method,
      url,
      headers: headersOf(http, values, { type, key: call.key }),
      body,
      // A host that says itself that it is private is one that the binding lists.
      isPrivateAllowed: http.private === true || isPrivateHost(url.hostname),
      timeoutMs: call.timeoutMs,
      signal: call.signal,
      most: http.max_output ?? MOST_BYTES,
    });
    return outcomeOf(ended, { http, call, secrets }, `${http.method} ${url.origin}`);
  });
}

/** Why a request of a binding could not be made so, whenever it is; null where it could. */
export function problemOfHttp({ http }: HttpBinding, call: KnownCall): string | null {
  const values = knownValues(call);
  const { headers = {} } = http;
  return knownProblem([
    () => urlOf(http, values),
    () => bodyOf(http, values),
    ...Object.entries(headers).map(
      ([name, template]) =>
        () =>
          headersOf({ ...http, headers: { [name]: template } }, values, { type: null, key: '' }),
    ),
  ]);
}

/**
 * The address of a request: each value stands in it as one part of a path or a query, whatever it holds.
 * @throws RefusedCall for one that is not http(s), holds credentials, or goes to an origin that is not listed
 */
function urlOf(http: Http, values: TemplateValues): URL {
  const url = parsedUrl(filledUrl(http.url, values));
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    throw new RefusedCall('POLICY_DENIED', `${url.protocol} is neither http nor https`);
  if (url.username !== '' || url.password !== '')
    throw new RefusedCall('POLICY_DENIED', `the URL for ${url.host} holds credentials; they are refused`);
  const origins = originsOf(http);
  if (!origins.includes(url.origin))
    throw new RefusedCall(
      'POLICY_DENIED',
      `${url.origin} is none of the origins of the binding: ${origins.join(', ')}`,
    );
  return url;
}

/** A URL that is one placeholder is what it says; any other has values as parts that mean nothing in a URL. */
function filledUrl(template: string, values: TemplateValues): string {
  if (isWhole(template)) return fillText(template, values);
  const filled = fillText(template, values, (text) => encodeURIComponent(wellFormed(text)));
  refuseOtherPlace(template, filled);
  return filled;
}

/**
 * A part of a path that has a value in it must stay one: dots alone would lead up, and nothing at all to what is above,
 * such as to all items in place of one.
 */
function refuseOtherPlace(template: string, filled: string): void {
  // Values are encoded, so that they neither begin nor end a part.
  const [before, after] = [withoutValues(template), filled].map((url) =>
    url.replace(/[?#].*$/s, '').split('/'),
  );
  const leadsAway = after?.some(
    (part, index) => part !== before?.[index] && /^\.{0,2}$/.test(part.replace(/%2e/gi, '.')),
  );
  if (leadsAway !== true && partsOfPath(filled) === partsOfPath(withoutValues(template))) return;
  throw new RefusedCall(
    'VALIDATION_ERROR',
    'a value would lead to another place of the server: a part of the path is empty, `.` or `..` with it',
  );
}

function isWhole(template: string): boolean {
  const [only, ...others] = parseTemplate(template);
  return only !== undefined && only.kind !== 'text' && others.length === 0;
}

function withoutValues(template: string): string {
  return parseTemplate(template)
    .map((part) => (part.kind === 'text' ? part.text : 'x'))
    .join('');
}

function partsOfPath(url: string): number {
  return parsedUrl(url).pathname.split('/').length;
}

/** Where requests of a binding may go. */
function originsOf({ origins, url }: Http): readonly string[] {
  if (origins !== undefined) return origins.map((one) => parsedUrl(one).origin);
  return isWhole(url) ? [] : [parsedUrl(withoutValues(url)).origin];
}

function parsedUrl(text: string): URL {
  try {
    return new URL(text);
  } catch {
    throw new RefusedCall('VALIDATION_ERROR', `${JSON.stringify(truncate(text, 200))} is not a URL`);
  }
}

function bodyOf(
  { body }: Http,
  values: TemplateValues,
): { readonly body: Buffer | null; readonly type: string | null } {
  if (body === undefined) return { body: null, type: null };
  const filled = fillValue(body, values);
  return typeof filled === 'string'
    ? { body: Buffer.from(filled, 'utf8'), type: 'text/plain; charset=utf-8' }
    : { body: Buffer.from(textOfJson(filled), 'utf8'), type: 'application/json' };
}

function headersOf(
  { headers = {}, key_header }: Http,
  values: TemplateValues,
  { type, key }: { readonly type: string | null; readonly key: string },
): Readonly<Record<string, string>> {
  const own = Object.entries(headers).map(
    ([name, template]) => [name.toLowerCase(), fillText(template, values)] as const,
  );
  const all = [
    ['accept', '*/*'] as const,
    ['user-agent', `frctl/${VERSION}`] as const,
    ...(type === null ? [] : [['content-type', type] as const]),
    ...own,
    ...(key_header === undefined ? [] : [[key_header.toLowerCase(), key] as const]),
  ];
  for (const [name, value] of all) {
    try {
      validateHeaderName(name);
      validateHeaderValue(name, value);
    } catch {
      throw new RefusedCall('VALIDATION_ERROR', `the header ${name} cannot have the value that it would get`);
    }
  }
  return Object.fromEntries(all);
}

interface Sent {
  readonly http: Http;
  readonly call: ToolCall;
  readonly secrets: Secrets;
}

function outcomeOf(ended: HttpEnd, sent: Sent, what: string): Outcome {
  const { timeoutMs } = sent.call;
  switch (ended.kind) {
    case 'refused':
      return notSentOutcome('POLICY_DENIED', `${what}: ${ended.reason}`);
    case 'not_sent':
      return notSentOutcome('NOT_SENT', `${what}: ${ended.reason}`, true);
    case 'lost':
      return lostOutcome('CONNECTION_LOST', `${what}: ${ended.reason}`);
    case 'timed_out':
      return ended.wasSent
        ? timedOutOutcome(timeoutMs, what)
        : notSentOutcome('TIMEOUT', `${what}: no connection within ${timeoutMs} ms`, true);
    case 'dropped':
      return ended.wasSent
        ? lostOutcome(CANCELLED, `${what} was dropped before it was answered`)
        : notSentOutcome(CANCELLED, `${what} was dropped before it was sent`);
    case 'answered':
      return answered(ended, sent, what);
  }
}

type Answer = Extract<HttpEnd, { kind: 'answered' }>;

function answered(ended: Answer, { http, secrets }: Sent, what: string): Outcome {
  const { status } = ended;
  const output = outputOf(ended, secrets, http);
  const isOk = http.ok === undefined ? status >= 200 && status < 300 : http.ok.includes(status);
  if (typeof output === 'string')
    return {
      outcome: 'failed',
      error: toolFailure('OUTPUT_INVALID', `${what} answered what cannot be kept: ${output}`, false),
    };
  if (isOk)
    return http.output === 'value' ? valueAlone(output, http, what) : { outcome: 'succeeded', output };
  const location = status >= 300 && status < 400 ? ended.headers.location : undefined;
  const where = location === undefined ? '' : `; it leads to ${location}, and redirects are not followed`;
  const error = statusFailure(status, `${what} was answered with ${status}${where}`);
  return { outcome: 'failed', error, output };
}

/** The JSON of an answer as the output itself; null for an answer without a body, such as 204. */
function valueAlone(
  { text, truncated }: JsonObject,
  { max_output: most = MOST_BYTES }: Http,
  what: string,
): Outcome {
  const value = text === '' ? null : jsonDocumentValue(typeof text === 'string' ? text : '');
  if (truncated !== true && value !== undefined) return { outcome: 'succeeded', output: value };
  const why = truncated === true ? cutAnswer(most) : 'answered no JSON';
  return { outcome: 'failed', error: toolFailure('OUTPUT_INVALID', `${what} ${why}`, false) };
}

/** What was answered, or why that cannot be kept. Cookies are sent back by nobody, and kept by nobody. */
function outputOf(
  { status, headers: { 'set-cookie': _cookies, ...headers }, body, isCut }: Answer,
  secrets: Secrets,
  { output }: Http,
): JsonObject | string {
  const all = secrets.blotText(body.toString('utf8'));
  // The beginning of a secret may stand where it was cut.
  const text = wellFormed(isCut ? all.slice(0, Math.max(0, all.length - secrets.longest())) : all);
  const isJson = !isCut && /[/+]json\b/.test(headers['content-type'] ?? '');
  const unkept = whyNotKept(text, isJson || output === 'value');
  if (unkept !== null) return unkept;
  const json = isJson ? jsonDocumentValue(text) : undefined;
  return {
    status,
    headers,
    text,
    ...(json === undefined ? {} : { json }),
    ...(isCut ? { truncated: true } : {}),
  };
}
