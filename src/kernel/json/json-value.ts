import { MAX_NESTING } from './nesting.js';

/**
 * JSON values as the action plan model holds them. A number is a JavaScript number where JavaScript prints it
 * as it was written; any other (`1.0`, `1e3`, `-0`, integers beyond 2^53, `1e400`) is an {@link ExactNumber},
 * which keeps its text. So nothing that a document says of a number is lost between reading and writing.
 */
export type JsonValue =
  | null
  | boolean
  | number
  | string
  | ExactNumber
  | readonly JsonValue[]
  | { readonly [key: string]: JsonValue };

/** A JSON object; `__proto__` is a key like any other, and read with `Object.hasOwn`. */
export type JsonObject = { readonly [key: string]: JsonValue };

const EXACT = Symbol('exact number');

/** A number whose text matters. `String(n)` and templates give the text, `Number(n)` and arithmetic the nearest double. */
export interface ExactNumber {
  readonly [EXACT]: string;
  toString(): string;
  valueOf(): number;
  /** The nearest double, for printers that know nothing of exact numbers; `textOfJson` keeps the text. */
  toJSON(): number;
}

const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** A number from its JSON text, exact where JavaScript would print another text. @throws RangeError for what is no JSON number */
export function numberFromText(text: string): number | ExactNumber {
  if (!NUMBER.test(text)) throw new RangeError(`${JSON.stringify(text)} is no JSON number`);
  const value = Number(text);
  if (String(value) === text) return value;
  const exact = { [EXACT]: text, toString: () => text, valueOf: () => value, toJSON: () => value };
  return Object.freeze(exact);
}

/** Whether a value is a number that keeps its text. */
export function isExactNumber(value: unknown): value is ExactNumber {
  return typeof value === 'object' && value !== null && EXACT in value;
}

/** Whether a value is an object with keys: no list, no null, no exact number. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !isExactNumber(value);
}

/** Whether a value is a list. */
export function isJsonList(value: unknown): value is readonly JsonValue[] {
  return Array.isArray(value);
}

/** Whether everything in a value can be written as JSON: finite numbers, no undefined, no functions, no deeper than {@link MAX_NESTING} levels. */
export function isJsonValue(value: unknown, levels = MAX_NESTING): value is JsonValue {
  if (value === null || typeof value === 'boolean' || typeof value === 'string') return true;
  if (typeof value === 'number') return Number.isFinite(value);
  if (isExactNumber(value)) return true;
  if (typeof value !== 'object' || levels === 0) return false;
  const members: readonly unknown[] = Array.isArray(value) ? value : Object.values(value);
  return members.every((member) => isJsonValue(member, levels - 1));
}

/**
 * Whether two values are the same: numbers by their text (`1` is not `1.0`), lists by order, objects by their
 * members in any order.
 */
export function isSameJsonValue(a: JsonValue | undefined, b: JsonValue | undefined): boolean {
  if (a === b) return true;
  if (isExactNumber(a) || isExactNumber(b))
    return isExactNumber(a) && isExactNumber(b) && a[EXACT] === b[EXACT];
  if (isJsonList(a))
    return (
      isJsonList(b) && a.length === b.length && a.every((item, index) => isSameJsonValue(item, b[index]))
    );
  if (!isJsonObject(a) || !isJsonObject(b)) return false;
  const keys = Object.keys(a);
  return (
    keys.length === Object.keys(b).length &&
    keys.every((key) => Object.hasOwn(b, key) && isSameJsonValue(a[key], b[key]))
  );
}

/** The members whose type allows undefined become optional. */
type Present<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>;
};

/** A JSON object without the members that are undefined, so that what is left out is not there. */
export function present<T extends object>(members: T): Present<T> {
  // Exactly the members that are undefined are gone, which is what the type says.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as Present<T>;
}

/** A list as a JSON value, or undefined when it is empty: in action plans an empty list and none are the same. */
export function unlessEmpty<T>(list: readonly T[] | undefined): readonly T[] | undefined {
  return list === undefined || list.length === 0 ? undefined : list;
}

/** A JSON object without some of its members, or undefined when nothing is left. */
export function withoutMembers(
  object: JsonObject | undefined,
  ...keys: readonly string[]
): JsonObject | undefined {
  const rest = Object.entries(object ?? {}).filter(([key]) => !keys.includes(key));
  return rest.length === 0 ? undefined : Object.fromEntries(rest);
}
