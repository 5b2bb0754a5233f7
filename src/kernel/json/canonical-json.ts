import { isExactNumber, isJsonList, isJsonObject } from './json-value.js';
import type { JsonValue } from './json-value.js';

/**
 * A value in the canonical form of RFC 8785: keys by UTF-16 units, no spaces, numbers as JavaScript prints them.
 *
 * A number that would lose by it, such as an integer beyond 2^53 or `1.0` for `1`, enters as `{"$number": "its text"}`;
 * and an object that has such a key of its own enters as `{"$object": …}`, so that no two values meet in one text.
 */
export function canonicalJson(value: JsonValue): string {
  if (isExactNumber(value)) return `{"$number":${JSON.stringify(value.toString())}}`;
  if (isJsonList(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (!isJsonObject(value)) return JSON.stringify(value);
  const members = Object.keys(value)
    .toSorted(byUnits)
    .map((key) => `${JSON.stringify(key)}:${canonicalJson(value[key] ?? null)}`);
  const text = `{${members.join(',')}}`;
  return Object.hasOwn(value, '$number') || Object.hasOwn(value, '$object') ? `{"$object":${text}}` : text;
}

function byUnits(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
