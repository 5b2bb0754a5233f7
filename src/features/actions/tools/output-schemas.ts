import type { Binding } from './bindings.js';
import type { JsonObject } from '../../../kernel/json/json-value.js';

const text = { type: 'string' } as const;
const number = { type: 'integer' } as const;
const flag = { type: 'boolean' } as const;
const written = { path: text, bytes: number, sha256: text, replaced: text } as const;

const FILES: Readonly<Record<Extract<Binding, { file: string }>['file'], JsonObject>> = {
  read: object({ path: text, text, sha256: text }),
  list: object({ path: text, entries: list(object({ name: text, kind: text })), truncated: flag }),
  write: object(written),
  append: object(written),
  move: object({ ...written, from: text, kept: text }),
  remove: object({ path: text, removed: flag, replaced: text }),
};

/** Returns the JSON Schema of what a binding brings; undefined where nobody knows it before the call. */
export function outputSchemaOf(run: Binding): JsonObject | undefined {
  if ('file' in run) return FILES[run.file];
  if ('http' in run) {
    if (run.http.output === 'value') return undefined;
    const headers = { type: 'object', additionalProperties: text };
    return object({ status: number, headers, text, json: {}, truncated: flag });
  }
  if (!('command' in run) || run.output === 'value') return undefined;
  return object({
    text,
    exit: number,
    truncated: flag,
    ...(run.output === 'lines' ? { lines: list(text) } : {}),
    ...(run.output === 'json' ? { json: {} } : {}),
  });
}

function object(properties: JsonObject): JsonObject {
  return { type: 'object', properties, additionalProperties: false };
}

function list(items: JsonObject): JsonObject {
  return { type: 'array', items };
}
