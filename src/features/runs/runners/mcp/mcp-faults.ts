import * as z from 'zod';

import { messageOf } from '../../../../kernel/errors.js';
import { parseOrNull } from '../../../../kernel/json/parse-or-null.js';
import { oneLine } from '../../../../kernel/text/safe-text.js';
import { truncate } from '../../../../kernel/text/truncate.js';
import { RedirectRefused } from '../bounded-fetch.js';

/** Characters of what a server says in the body of a refusal. */
const LONGEST_BODY = 200;
const MOST_CAUSES = 8;

/** A refusal by HTTP: the server has answered, and has not done what it was asked. */
export interface HttpRefusal {
  readonly status: number;
  /** What was answered, in words. */
  readonly words: string;
}

const answerSchema = z.object({ status: z.number().int().min(300).max(599), text: z.string().nullish() });

/** The refusal by HTTP that an error tells of; null for any other. */
export function httpRefusalOf(thrown: unknown): HttpRefusal | null {
  for (const cause of causesOf(thrown)) {
    if (cause instanceof RedirectRefused) return { status: cause.status, words: cause.message };
    // An error of the SDK has the answer under `data`.
    const { success, data } = answerSchema.safeParse(property(cause, 'data'));
    if (!success) continue;
    const body = oneLine(data.text ?? '');
    const said = body === '' ? '' : `: ${truncate(body, LONGEST_BODY)}`;
    return { status: data.status, words: `was answered with ${data.status}${said}` };
  }
  return null;
}

/** Why a server could not be used, in words. */
export function mcpFault(thrown: unknown): string {
  const refusal = httpRefusalOf(thrown);
  if (refusal !== null) return `it ${refusal.words}`;
  const causes = [...causesOf(thrown)];
  const deepest = causes.at(-1);
  const code = codeOf(deepest);
  const words = code === null ? undefined : SYSTEM_CODES[code];
  if (code !== null && words !== undefined) return `${words} (${code})`;
  const message = messageOf(deepest);
  return isResultProblem(thrown)
    ? resultProblem(messageOf(thrown))
    : message === ''
      ? messageOf(thrown)
      : message;
}

const SYSTEM_CODES: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens at that address',
  ENOTFOUND: 'no address is known for that name',
  EAI_AGAIN: 'the name could not be looked up',
  EHOSTUNREACH: 'that address cannot be reached',
  ENETUNREACH: 'that network cannot be reached',
  ECONNRESET: 'the connection was broken off',
  UND_ERR_SOCKET: 'the connection was broken off',
  ETIMEDOUT: 'there was no connection in time',
  UND_ERR_CONNECT_TIMEOUT: 'there was no connection in time',
  UND_ERR_HEADERS_TIMEOUT: 'it did not answer in time',
  UND_ERR_BODY_TIMEOUT: 'it did not go on answering in time',
  REQUEST_TIMEOUT: 'it did not answer in time',
};

const INVALID_RESULT = 'INVALID_RESULT';
const issuesSchema = z.array(
  z.object({ path: z.array(z.union([z.string(), z.number()])), message: z.string() }),
);

function isResultProblem(thrown: unknown): boolean {
  return codeOf(thrown) === INVALID_RESULT;
}

/** What is wrong with a result, of which the SDK lists each problem as JSON. */
function resultProblem(message: string): string {
  const at = message.indexOf('[');
  const { data: issues = [] } = issuesSchema.safeParse(at < 0 ? null : parseOrNull(message.slice(at)));
  const [first] = issues;
  if (first === undefined) return message;
  const place = first.path.map((part) => (typeof part === 'number' ? `[${part}]` : `.${part}`)).join('');
  const wrong = first.message.endsWith('received undefined')
    ? 'is missing'
    : `is wrong: ${first.message.replace(/^Invalid input: /, '')}`;
  const others = issues.length === 1 ? '' : `, and ${issues.length - 1} more`;
  return `in what it answered, ${place.replace(/^\./, '') || 'the whole'} ${wrong}${others}`;
}

function codeOf(cause: unknown): string | null {
  const code = property(cause, 'code');
  return typeof code === 'string' ? code : null;
}

/** An error and what caused it. Of several addresses that were tried in turn, the first stands for all. */
function* causesOf(thrown: unknown): Generator {
  for (let next = thrown, depth = 0; next != null && depth < MOST_CAUSES; depth += 1) {
    yield next;
    next = next instanceof AggregateError ? (next.errors as readonly unknown[])[0] : property(next, 'cause');
  }
}

function property(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined;
}
