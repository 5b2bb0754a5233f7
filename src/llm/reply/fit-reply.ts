import * as z from 'zod';

import { isObject } from '../../plan/snapshot/shape-checks.js';
import { readLenientJson } from './lenient-json.js';

/** Texts within texts are opened up to this depth. */
const MAX_LAYERS = 3;
/** A reply that is wrong in more places than this is not mended place by place. */
const MAX_MENDED = 1000;

/**
 * `value` with what a model meant in place of what it wrote, where `schema` asks for another kind: the texts `"true"` and
 * `"false"` for a boolean, null for an empty list, a text that holds JSON for that list or object. Whatever else does
 * not fit is left as it is.
 */
export function fitReply(schema: z.ZodType, value: unknown): unknown {
  let fitted = value;
  for (let layer = 0; layer < MAX_LAYERS; layer += 1) {
    const { error } = schema.safeParse(fitted);
    if (error === undefined || error.issues.length > MAX_MENDED) return fitted;
    const mended = error.issues.reduce(mendedAt, fitted);
    if (mended === fitted) return fitted;
    fitted = mended;
  }
  return fitted;
}

/** The members of an object that are objects themselves, or texts that hold one: where a reply may be wrapped up. */
export function insidesOf(value: unknown): readonly unknown[] {
  return isObject(value) ? Object.values(value).map(jsonIn).filter(isObject) : [];
}

function mendedAt(root: unknown, issue: z.core.$ZodIssue): unknown {
  if (issue.code !== 'invalid_type') return root;
  const { expected, path } = issue;
  return replacedAt(root, path, (found) => meantBy(found, expected));
}

function meantBy(found: unknown, expected: string): unknown {
  if (expected === 'array' && found === null) return [];
  if (typeof found !== 'string') return found;
  const word = found.trim().toLowerCase();
  if (expected === 'boolean' && (word === 'true' || word === 'false')) return word === 'true';
  const inside = expected === 'array' || expected === 'object' ? jsonIn(found) : found;
  return Array.isArray(inside) === (expected === 'array') ? inside : found;
}

// The value in a text that is JSON from its beginning to its end; anything else as it is.
function jsonIn(value: unknown): unknown {
  if (typeof value !== 'string' || !/^\s*[[{]/.test(value)) return value;
  const read = readLenientJson(value, 0);
  return read !== undefined && value.slice(read.end).trim() === '' ? read.value : value;
}

function replacedAt(
  value: unknown,
  [key, ...rest]: readonly PropertyKey[],
  change: (found: unknown) => unknown,
): unknown {
  if (key === undefined) return change(value);
  if (Array.isArray(value) && typeof key === 'number') {
    const item: unknown = value[key];
    const changed = replacedAt(item, rest, change);
    return changed === item ? value : value.with(key, changed);
  }
  if (!isObject(value) || typeof key !== 'string' || !Object.hasOwn(value, key)) return value;
  const changed = replacedAt(value[key], rest, change);
  return changed === value[key]
    ? value
    : Object.fromEntries([...Object.entries(value).filter(([name]) => name !== key), [key, changed]]);
}
