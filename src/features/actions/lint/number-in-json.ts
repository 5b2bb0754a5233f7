import { isExactNumber } from '../../../kernel/json/json-value.js';
import type { JsonValue } from '../../../kernel/json/json-value.js';

/** A number of JSON as the nearest double; booleans are 1 and 0, as in Python; null for anything else. */
export function numberInJson(value: JsonValue | undefined): number | null {
  if (typeof value === 'boolean') return Number(value);
  return typeof value === 'number' || isExactNumber(value) ? Number(value) : null;
}
