import { isExactNumber, isJsonList, isJsonObject, isJsonValue } from './json-value.js';
import type { JsonValue } from './json-value.js';

/**
 * A document for JSON.stringify in which each number that JavaScript would write as another one (`1e400`,
 * 9007199254740993) stands as its text, in quotation marks. What is no JSON stays as it is.
 */
export function numbersAsText(document: unknown): unknown {
  return isJsonValue(document) ? withTexts(document) : document;
}

function withTexts(value: JsonValue): JsonValue {
  if (isExactNumber(value)) {
    const [text, number] = [value.toString(), value.toJSON()];
    return Number.isFinite(number) && decimalOf(String(number)) === decimalOf(text) ? number : text;
  }
  if (isJsonList(value)) return value.map(withTexts);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, withTexts(member)]));
}

const NUMBER = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;

/** The same text for every way to write a number: its digits without zeros around them, and its power of ten. */
function decimalOf(text: string): string {
  const [, sign = '', whole = '', fraction = '', power = '0'] = NUMBER.exec(text) ?? [];
  const digits = `${whole}${fraction}`.replace(/^0+/, '');
  let end = digits.length;
  while (digits[end - 1] === '0') end -= 1;
  if (end === 0) return '0';
  return `${sign}${digits.slice(0, end)}e${Number(power) - fraction.length + digits.length - end}`;
}
