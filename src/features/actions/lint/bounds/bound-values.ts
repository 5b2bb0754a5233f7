import type { JsonPointer } from '../../../../kernel/json/json-pointer.js';
import { pointerTo } from '../../../../kernel/json/json-pointer.js';
import { scanJson } from '../../../../kernel/json/json-scanner.js';
import { textOfJson } from '../../../../kernel/json/json-text.js';
import { valueOfTree } from '../../../../kernel/json/json-tree.js';
import { isExactNumber, isJsonList, isJsonObject } from '../../../../kernel/json/json-value.js';
import type { JsonObject, JsonValue } from '../../../../kernel/json/json-value.js';
import type { Bound } from '../../policy/prepared-policy.js';
import { matchesGlob } from '../../policy/tool-glob.js';
import { compareDecimals, decimalOf } from './decimal.js';

/** What is wrong with arguments under a bound, and where. */
export interface BoundProblem {
  readonly message: string;
  /** The bound, the limits, and what is outside of them where that is known. */
  readonly about: readonly string[];
  readonly pointer: JsonPointer;
  /** A warning where nobody can tell; else an error. */
  readonly severity?: 'warning';
}

/**
 * What a string that holds references comes to, as far as that is known before the plan runs; null for a string that holds
 * none.
 */
export type Resolve = (
  text: string,
  pointer: JsonPointer,
) => { readonly value: JsonValue | undefined } | null;

/** A bound, what strings come to, and the place that is said instead of one that the document does not have. */
interface Looking {
  readonly bound: Bound;
  readonly resolve: Resolve;
  readonly shownAt: JsonPointer | null;
}

/**
 * Checks arguments against a bound. Every way to read the path counts: an argument named `a.b` hides nothing that is in
 * `a`, in a list each element is looked at, and text that is itself JSON is looked into. Where a value cannot be known, such
 * as one that a reference names, that is a warning; a value that is left out or null is nothing.
 * @param path names below the arguments; `*` is every member or element, `length` at the end the size of a list
 * @param pointer the place of the arguments
 */
export function boundProblems(
  args: JsonValue,
  path: readonly string[],
  pointer: JsonPointer,
  bound: Bound,
  resolve: Resolve,
): readonly BoundProblem[] {
  return [...problemsBelow(args, path, pointer, { bound, resolve, shownAt: null })];
}

/** Bounds as a policy writes them. */
function rangeOf({ least, greatest }: Bound): string {
  return `[${least === -Infinity ? 'null' : least}, ${greatest === Infinity ? 'null' : greatest}]`;
}

function* problemsBelow(
  value: JsonValue,
  path: readonly string[],
  at: JsonPointer,
  looking: Looking,
): Generator<BoundProblem> {
  const { shownAt } = looking;
  const known = typeof value === 'string' && shownAt === null ? looking.resolve(value, at) : null;
  if (known !== null) yield* problemsOfReference(known.value, path, at, looking);
  else if (value === null) return;
  else if (path.length === 0) yield* problemsOfValue(value, at, looking);
  else if (isJsonList(value)) yield* problemsInList(value, path, at, looking);
  else if (isJsonObject(value)) yield* problemsInObject(value, path, at, looking);
  else yield* problemsOfScalar(value, path, at, looking);
}

function* problemsOfReference(
  value: JsonValue | undefined,
  path: readonly string[],
  at: JsonPointer,
  looking: Looking,
): Generator<BoundProblem> {
  const { bound } = looking;
  const found = value === undefined ? [] : [...problemsBelow(value, path, at, { ...looking, shownAt: at })];
  yield* found;
  if (found.length > 0) return;
  const message = `whether ${bound.key} is within ${rangeOf(bound)} is known only when the plan runs, for it is a reference`;
  yield { message, about: [bound.key, rangeOf(bound)], pointer: at, severity: 'warning' };
}

function* problemsInList(
  list: readonly JsonValue[],
  path: readonly string[],
  at: JsonPointer,
  looking: Looking,
): Generator<BoundProblem> {
  const [head = '', ...rest] = path;
  if (head === 'length' && rest.length === 0) return yield* problemsOfSize(list, at, looking);
  const isIndex = /^(?:0|[1-9]\d*)$/.test(head);
  for (const [index, item] of list.entries()) {
    if (isIndex && head !== String(index)) continue;
    // A list where none is expected, as of one element, is looked through as well.
    const below = isIndex || head === '*' ? rest : path;
    yield* problemsBelow(item, below, pointerTo(at, index), looking);
  }
}

function* problemsInObject(
  object: JsonObject,
  path: readonly string[],
  at: JsonPointer,
  looking: Looking,
): Generator<BoundProblem> {
  for (const [key, member] of Object.entries(object)) {
    for (let length = 1; length <= path.length; length += 1) {
      if (isNamed(key, path.slice(0, length)))
        yield* problemsBelow(member, path.slice(length), pointerTo(at, key), looking);
    }
  }
}

/** Names may hold dots, so several words of a path can be one name. */
function isNamed(key: string, words: readonly string[]): boolean {
  const name = words.join('.');
  return words.includes('*') ? matchesGlob(name, key) : key === name;
}

/** A scalar where something that has members is expected: text may be JSON, or whatever else a tool reads in it. */
function* problemsOfScalar(
  value: Exclude<JsonValue, null>,
  path: readonly string[],
  at: JsonPointer,
  looking: Looking,
): Generator<BoundProblem> {
  const { bound, shownAt } = looking;
  const pointer = shownAt ?? at;
  const inner = typeof value === 'string' ? containerIn(value) : null;
  if (inner !== null) yield* problemsBelow(inner, path, at, { ...looking, shownAt: pointer });
  else if (value !== '') {
    const message = `whether ${bound.key} is within ${rangeOf(bound)} cannot be told, for this has no ${path.join('.')}`;
    yield { message, about: [bound.key, rangeOf(bound)], pointer, severity: 'warning' };
  }
}

/** The object or list that a text is as JSON. */
function containerIn(text: string): JsonValue | null {
  if (!/^\s*[[{]/.test(text)) return null;
  const scanned = scanJson(text, 100);
  return 'root' in scanned ? valueOfTree(scanned.root) : null;
}

function* problemsOfValue(
  value: Exclude<JsonValue, null>,
  at: JsonPointer,
  looking: Looking,
): Generator<BoundProblem> {
  const { bound, shownAt } = looking;
  if (!isJsonList(value)) {
    const problem = outOfBound(value, bound);
    const about = [bound.key, rangeOf(bound), textOfJson(value)];
    if (problem !== null) yield { message: `${bound.key} ${problem}`, about, pointer: shownAt ?? at };
    return;
  }
  yield* problemsOfSize(value, at, looking);
  yield* problemsOfElements(value, at, looking);
}

function* problemsOfSize(
  { length }: readonly JsonValue[],
  at: JsonPointer,
  { bound, shownAt }: Looking,
): Generator<BoundProblem> {
  if (compare(String(length), bound) === 0) return;
  const message = `${bound.key} has ${length} elements, outside ${rangeOf(bound)}`;
  const about = [bound.key, rangeOf(bound), 'length', String(length)];
  yield { message, about, pointer: shownAt ?? at };
}

/** In a list that is bounded as a whole, what is or reads like a number must be within the bound itself. */
function* problemsOfElements(
  list: readonly JsonValue[],
  at: JsonPointer,
  looking: Looking,
): Generator<BoundProblem> {
  for (const [index, item] of list.entries()) {
    const below = pointerTo(at, index);
    if (isJsonList(item)) yield* problemsOfElements(item, below, looking);
    else if (typeof item === 'string' && looking.shownAt === null && looking.resolve(item, below) !== null)
      yield* problemsBelow(item, [], below, looking);
    else if (readsLikeNumber(item)) yield* problemsBelow(item, [], below, looking);
  }
}

/** Numbers, and text whose first letter or digit is a digit of any script, which many a tool takes for a number. */
function readsLikeNumber(value: JsonValue): boolean {
  if (typeof value === 'number' || isExactNumber(value)) return true;
  if (typeof value !== 'string') return false;
  return /^[^\p{L}\p{N}]*\p{N}/u.test(value) || /^[\s+-]*(?:inf|nan|∞)/i.test(value);
}

/** What is wrong with a value under a bound, or null. Numbers count, and strings that are numbers. */
function outOfBound(value: Exclude<JsonValue, null>, bound: Bound): string | null {
  const text = numberText(value);
  const order = text === null ? null : compare(text, bound);
  if (order === null) return `is not a number, so it is not within ${rangeOf(bound)}`;
  return order === 0 ? null : `is ${textOfJson(value)}, ${order < 0 ? 'below' : 'above'} ${rangeOf(bound)}`;
}

function numberText(value: Exclude<JsonValue, null>): string | null {
  if (typeof value === 'string') return value.trim();
  return typeof value === 'number' || isExactNumber(value) ? String(value) : null;
}

/** Below (-1), within (0) or above (1) both bounds, which are within; null for what is no number. Exact at any size. */
function compare(text: string, { least, greatest }: Bound): number | null {
  const value = decimalOf(text);
  if (value === null) return null;
  const [low, high] = [decimalOf(String(least)), decimalOf(String(greatest))];
  if (low !== null && compareDecimals(value, low) < 0) return -1;
  return high !== null && compareDecimals(value, high) > 0 ? 1 : 0;
}
