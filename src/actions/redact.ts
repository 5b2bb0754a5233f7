import { isJsonList, isJsonObject } from './json-value.js';
import type { JsonObject, JsonValue } from './json-value.js';
import { secretsIn } from './lint/secrets.js';

/** What stands where a secret was. */
const REDACTED = '[secret]';

/** Keys whose value is what somebody typed to prove who he is; a code that is used up is one still. */
const CODE_KEY = /^approval_code$/;

/**
 * A value with every secret in its strings replaced: what looks like a key, a token or a password, and what stands under a key
 * such as `password`. Keys stay.
 * @param key the key that the value stands under
 */
export function redacted(value: JsonValue, key: string | null = null): JsonValue {
  if (typeof value === 'string') return redactedText(value, key);
  if (isJsonList(value)) return value.map((item) => redacted(item, key));
  return isJsonObject(value) ? redactedMembers(value) : value;
}

/** The members of an object, redacted. */
export function redactedMembers(members: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(members).map(([name, member]) => [name, redacted(member, name)]));
}

/** A text with its secrets replaced. */
export function redactedText(text: string, key: string | null = null): string {
  if (key !== null && CODE_KEY.test(key)) return REDACTED;
  let result = '';
  let from = 0;
  for (const { start, end } of secretsIn(text, key).toSorted((a, b) => a.start - b.start)) {
    if (start < from) continue;
    result += text.slice(from, start) + REDACTED;
    from = end;
  }
  return result + text.slice(from);
}
