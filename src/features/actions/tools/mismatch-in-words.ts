import type { ErrorObject } from 'ajv';

import { canonicalJson } from '../../../kernel/json/canonical-json.js';
import { keysOfPointer } from '../../../kernel/json/json-pointer.js';
import type { JsonObject, JsonValue } from '../../../kernel/json/json-value.js';
import { isJsonValue } from '../../../kernel/json/json-value.js';
import { followPath } from '../model/references.js';
import { firstMismatch } from './argument-checker.js';

/** A longer value is cut in words, in characters. */
const MOST_SHOWN = 200;

/**
 * Says in words where a value is not as a JSON Schema asks, and what is there instead: `json.holds is false, and must be
 * true`. Null where the value is as the schema asks.
 */
export function mismatchInWords(schema: JsonObject | boolean, value: JsonValue): string | null {
  const found = firstMismatch(schema, value);
  if (found === null || typeof found === 'string') return found;
  const path = keysOfPointer(found.instancePath);
  const place = path.length === 0 ? 'the output' : path.join('.');
  const there = followPath(value, path);
  const seen = 'found' in there ? shownValue(there.found) : 'missing';
  const { missingProperty: missing, additionalProperty: extra } = found.params;
  if (found.keyword === 'required') return `${place} has no member ${JSON.stringify(missing)}; seen: ${seen}`;
  if (found.keyword === 'additionalProperties')
    return `${place} has the member ${JSON.stringify(extra)}, which is not expected; seen: ${seen}`;
  return `${place} is ${seen}, and ${demandOf(found)}`;
}

function demandOf({ keyword, message = 'must match its schema', params }: ErrorObject): string {
  const { allowedValue: only, allowedValues: several }: Readonly<Record<string, unknown>> = params;
  if (keyword === 'const' && isJsonValue(only)) return `must be ${shownValue(only)}`;
  if (keyword === 'enum' && isJsonValue(several)) return `must be one of ${shownValue(several)}`;
  return message;
}

/** A value in a message: a text in quotes, anything else as JSON, cut where it is long. */
export function shownValue(value: JsonValue): string {
  const text = typeof value === 'string' ? JSON.stringify(value) : canonicalJson(value);
  return text.length > MOST_SHOWN ? `${text.slice(0, MOST_SHOWN)}…` : text;
}
