import * as z from 'zod';
import { truncate } from '../kernel/text/truncate.js';

/** What a server said of a request it did not fulfil. */
export interface ServerError {
  readonly message: string;
  readonly code: string | undefined;
  /** The request's field that was refused, where the server says so. */
  readonly param: string | undefined;
  /** All words by which the server sorts the error: codes, types, states, reasons. */
  readonly labels: readonly string[];
  /** The wait that is asked for in the body, in milliseconds. */
  readonly retryDelayMs?: number;
  /** A reply that the server itself found to be no JSON as asked. */
  readonly failedReply?: string;
  /** Tokens of the context window, and of the prompt, where the server names them outside the message. */
  readonly contextTokens?: number;
  readonly promptTokens?: number;
}

const MAX_LENGTH = 300;
/** Errors within errors, as gateways pass them on, are opened up to this depth. */
const MAX_LAYERS = 3;
const word = z
  .union([z.string(), z.number().transform(String)])
  .optional()
  .catch(undefined);
const text = z.string().optional().catch(undefined);
const tokens = z.int().positive().optional().catch(undefined);
const detailSchema = z.looseObject({ '@type': text, reason: text, retryDelay: text }).catch({});
const metadataSchema = z.looseObject({ raw: text, reasons: z.array(z.string()).optional().catch(undefined) });
const errorSchema = z.looseObject({
  message: z.unknown().optional(),
  code: word,
  type: word,
  param: word,
  status: word,
  failed_generation: text,
  n_ctx: tokens,
  n_prompt_tokens: tokens,
  details: z.array(detailSchema).optional().catch(undefined),
  metadata: metadataSchema.optional().catch(undefined),
});
const complaintSchema = z.looseObject({ loc: z.array(z.union([z.string(), z.number()])), msg: z.string() });
const bodySchema = z.looseObject({ error: z.unknown().optional() }).catch({ error: undefined });

type ErrorBody = z.infer<typeof errorSchema>;

/**
 * Reads an error body in the shapes of OpenAI, Google (also in a list), OpenRouter, xAI, vLLM, llama.cpp and FastAPI
 * (`detail`), as `{message}`, as a string, or as any text.
 */
export function readErrorBody(body: string, layers = MAX_LAYERS): ServerError {
  const json = parseJson(body);
  const first: unknown = Array.isArray(json) ? json[0] : json;
  const outer = bodySchema.parse(first);
  // The code of xAI is beside an error that is a text.
  const error = errorSchema.safeParse(typeof outer.error === 'string' ? outer : (outer.error ?? outer)).data;
  const said = outer.error ?? complaintsIn(outer['detail']) ?? outer['message'];
  const message = textOf(error?.message ?? said ?? body);
  const own = error === undefined ? { code: undefined, param: undefined, labels: [] } : factsOf(error);
  const within = [message, error?.metadata?.raw ?? ''].find((one) => /^\s*[[{]/.test(one));
  if (within === undefined || layers === 0) return { message, ...own };
  const inner = readErrorBody(within, layers - 1);
  return {
    ...inner,
    ...own,
    message: within === message ? inner.message : `${message}: ${inner.message}`,
    param: own.param ?? inner.param,
    labels: [...own.labels, ...inner.labels],
  };
}

/** What FastAPI finds wrong, field by field, without the input that it quotes. */
function complaintsIn(detail: unknown): unknown {
  const complaints = z.array(complaintSchema).nonempty().safeParse(detail).data;
  return complaints?.map(({ loc, msg }) => `${loc.join('.')}: ${msg}`).join('; ') ?? detail;
}

function factsOf(error: ErrorBody): Omit<ServerError, 'message'> {
  const { code, type, param, status, details = [], metadata } = error;
  const delay = details.find((detail) => detail['@type']?.endsWith('RetryInfo') === true)?.retryDelay;
  const seconds = /^(\d+(?:\.\d+)?)s$/.exec(delay ?? '')?.[1];
  const labels = [code, type, status, ...details.map(({ reason }) => reason), ...(metadata?.reasons ?? [])];
  return {
    code: code ?? type,
    param,
    labels: labels.filter((label) => label !== undefined),
    ...(seconds === undefined ? {} : { retryDelayMs: Number(seconds) * 1000 }),
    ...(error.failed_generation === undefined ? {} : { failedReply: error.failed_generation }),
    ...(error.n_ctx === undefined ? {} : { contextTokens: error.n_ctx }),
    ...(error.n_prompt_tokens === undefined ? {} : { promptTokens: error.n_prompt_tokens }),
  };
}

/** Shortens the text of an error to one line of at most 300 columns, for a message to people. */
export function shorten(text: string): string {
  return truncate(text.replaceAll(/\s+/g, ' ').trim(), MAX_LENGTH);
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
