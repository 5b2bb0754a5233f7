import type { JsonPointer } from '../json-pointer.js';
import { pointerTo } from '../json-pointer.js';
import { textOfJson } from '../json-tree.js';
import { isExactNumber, isJsonList, isJsonObject } from '../json-value.js';
import type { JsonValue } from '../json-value.js';
import type { Bound } from '../policy/prepared-policy.js';

/** A value that a bound is about, and its place. */
export interface BoundedValue {
  readonly value: JsonValue;
  readonly pointer: JsonPointer;
}

/**
 * The values at a path of names within arguments; `*` is every member or element. A name may itself hold dots: the
 * longest key that fits wins. Nothing where there is no such value, or it is null.
 */
export function valuesAt(
  args: JsonValue,
  path: readonly string[],
  pointer: JsonPointer,
): readonly BoundedValue[] {
  if (path.length === 0) return args === null ? [] : [{ value: args, pointer }];
  const [head = ''] = path;
  if (isJsonList(args)) {
    return args.flatMap((item, index) =>
      head === '*' || head === String(index) ? valuesAt(item, path.slice(1), pointerTo(pointer, index)) : [],
    );
  }
  if (!isJsonObject(args)) return [];
  if (head === '*')
    return Object.entries(args).flatMap(([key, item]) =>
      valuesAt(item, path.slice(1), pointerTo(pointer, key)),
    );
  for (let length = path.length; length > 0; length -= 1) {
    const key = path.slice(0, length).join('.');
    const value = Object.hasOwn(args, key) ? args[key] : undefined;
    if (value !== undefined) return valuesAt(value, path.slice(length), pointerTo(pointer, key));
  }
  return [];
}

/** What is wrong with a value under a bound, or null. Numbers count, strings that are numbers, and how many a list has. */
export function outOfBound(value: JsonValue, bound: Bound): string | null {
  if (isJsonList(value)) {
    return compare(value.length, bound) === 0
      ? null
      : `has ${value.length} elements, outside ${rangeOf(bound)}`;
  }
  const number = numberOf(value);
  if (number === null) return `is no number, so it is not within ${rangeOf(bound)}`;
  const order = compare(number, bound);
  return order === 0 ? null : `is ${textOfJson(value)}, ${order < 0 ? 'below' : 'above'} ${rangeOf(bound)}`;
}

/** Bounds as a policy writes them. */
export function rangeOf({ least, greatest }: Bound): string {
  return `[${least === -Infinity ? 'null' : least}, ${greatest === Infinity ? 'null' : greatest}]`;
}

/** Below (-1), within (0) or above (1) both bounds, which are within. */
function compare(value: number | bigint, { least, greatest }: Bound): number {
  if (value < least) return -1;
  return value > greatest ? 1 : 0;
}

/** A number, also one beyond what a double holds and one that stands in a string; null for `NaN` and all else. */
function numberOf(value: JsonValue): number | bigint | null {
  if (isExactNumber(value) || typeof value === 'number') return exact(String(value));
  if (typeof value !== 'string') return null;
  const text = value.trim();
  if (/^[+-]?infinity$/i.test(text)) return text.startsWith('-') ? -Infinity : Infinity;
  return /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i.test(text) ? exact(text.replace(/^\+/, '')) : null;
}

function exact(text: string): number | bigint {
  return /^-?\d{16,400}$/.test(text) ? BigInt(text) : Number(text);
}
