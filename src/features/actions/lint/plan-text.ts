import { pointerTo } from '../../../kernel/json/json-pointer.js';
import type { JsonPointer } from '../../../kernel/json/json-pointer.js';
import { textOfJson } from '../../../kernel/json/json-text.js';
import { isExactNumber } from '../../../kernel/json/json-value.js';
import type { JsonValue } from '../../../kernel/json/json-value.js';

/** A plan that was an object as text, and what in it is no JSON. */
export interface PlanText {
  readonly text: string;
  readonly deviations: readonly { readonly pointer: JsonPointer; readonly message: string }[];
}

/** No plan is nested deeper; an object that holds itself is. */
const MOST_LEVELS = 400;

/**
 * The text of an object. What JSON has no word for becomes null and is named; members that are undefined are left out.
 */
export function planText(plan: object): PlanText {
  const deviations: { readonly pointer: JsonPointer; readonly message: string }[] = [];
  const convert = (value: unknown, pointer: JsonPointer, levels: number): JsonValue => {
    if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
    if (isExactNumber(value) || (typeof value === 'number' && Number.isFinite(value))) return value;
    if (typeof value === 'object' && levels > 0) {
      if (Array.isArray(value))
        return value.map((item: unknown, index) => convert(item, pointerTo(pointer, index), levels - 1));
      const members = Object.entries(value).filter(([, member]) => member !== undefined);
      return Object.fromEntries(
        members.map(([key, member]) => [key, convert(member, pointerTo(pointer, key), levels - 1)]),
      );
    }
    const name = typeof value === 'number' ? String(value) : `a ${typeof value}`;
    const what = typeof value === 'object' ? 'nested too deep' : `${name}, which is no JSON value`;
    deviations.push({ pointer, message: `this is ${what}` });
    return null;
  };
  return { text: textOfJson(convert(plan, '', MOST_LEVELS), '  '), deviations };
}
