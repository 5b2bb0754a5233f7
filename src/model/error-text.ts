import * as z from 'zod';
import { truncate } from '../kernel/truncate.js';

/** What a server said of a request it did not fulfil. */
export interface ServerError {
  readonly message: string;
  readonly code: string | undefined;
  /** The request's field that was refused, where the server says so. */
  readonly param: string | undefined;
}

const MAX_LENGTH = 300;
const word = z
  .union([z.string(), z.number().transform(String)])
  .optional()
  .catch(undefined);
const errorSchema = z.looseObject({ message: z.unknown(), code: word, type: word, param: word });
const bodySchema = z.looseObject({ error: z.unknown() }).catch({ error: undefined });

/** Reads an error body in OpenAI's shape, in FastAPI's (`detail`), as `{message}`, as a string, or as any text. */
export function readErrorBody(text: string): ServerError {
  const body = bodySchema.parse(parseJson(text));
  const parsed = errorSchema.safeParse(body.error ?? body);
  const said = body.error ?? body['detail'] ?? body['message'];
  const { message, code, type, param } = parsed.data ?? { message: said };
  return {
    message: textOf(message ?? said ?? text),
    code: code ?? type,
    param,
  };
}

/** One line of at most 300 columns, for a message to people. */
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
