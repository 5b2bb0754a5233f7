import type { JsonNode } from '../../../kernel/json/json-scanner.js';
import type { JsonTree } from '../../../kernel/json/json-tree.js';

/** In which order keys of a payload enter the canonical string: as the file has them, or sorted by their bytes. */
export type KeyOrder = 'file' | 'sorted';

/** Text of a payload as wa prints it: compact, integers and floats apart, of duplicate keys the last. */
export function waJson(node: JsonNode | JsonTree, order: KeyOrder): string {
  switch (node.kind) {
    case 'object': {
      // A Map keeps the place of a key that comes again and takes its last value, as wa's own map does.
      const members = [...new Map(node.members.map(({ key, value }) => [key, value])).entries()];
      if (order === 'sorted') members.sort(([a], [b]) => compareUtf8(a, b));
      return `{${members.map(([key, value]) => `${waString(key)}:${waJson(value, order)}`).join(',')}}`;
    }
    case 'array':
      return `[${node.elements.map((element) => waJson(element, order)).join(',')}]`;
    case 'string':
      return waString(node.value);
    case 'number':
      return waNumber(node.text);
    default:
      return String(node.value);
  }
}

/**
 * Compares two texts of a wa payload by their UTF-8 bytes, which is by code points; JavaScript itself compares
 * UTF-16 units.
 */
export function compareUtf8(a: string, b: string): number {
  const [left, right] = [a[Symbol.iterator](), b[Symbol.iterator]()];
  for (;;) {
    const [x, y] = [left.next(), right.next()];
    if (x.done === true || y.done === true) return Number(y.done ?? false) - Number(x.done ?? false);
    const difference = (x.value.codePointAt(0) ?? 0) - (y.value.codePointAt(0) ?? 0);
    if (difference !== 0) return difference;
  }
}

/** A double without exponent, as a wa payload has the multiplier of a retry: `2`, `0.0000001`, `-0`. */
export function plainDecimal(value: number): string {
  const sign = value < 0 || Object.is(value, -0) ? '-' : '';
  const { digits, point } = digitsOf(value);
  return `${sign}${placed(digits, point)}`;
}

/** JSON.stringify escapes the same characters in the same way, lower-case hexadecimal included. */
function waString(text: string): string {
  return JSON.stringify(text);
}

const [LEAST_INTEGER, GREATEST_INTEGER] = [-(2n ** 63n), 2n ** 64n - 1n];

function waNumber(text: string): string {
  if (/^-?\d+$/.test(text) && text !== '-0') {
    const value = BigInt(text);
    if (value >= LEAST_INTEGER && value <= GREATEST_INTEGER) return text;
  }
  return waFloat(Number(text));
}

/** A float is in decimal from 1e-5 to below 1e16, and always has a point or an exponent. */
function waFloat(value: number): string {
  const magnitude = Math.abs(value);
  const plain = plainDecimal(value);
  if (magnitude === 0 || (magnitude >= 1e-5 && magnitude < 1e16)) {
    return plain.includes('.') ? plain : `${plain}.0`;
  }
  const { digits, point } = digitsOf(value);
  const [first, rest] = [digits.charAt(0), digits.slice(1)];
  const exponent = point - 1;
  return `${value < 0 ? '-' : ''}${first}${rest === '' ? '' : `.${rest}`}e${exponent < 0 ? '-' : '+'}${Math.abs(exponent)}`;
}

/** The shortest digits that give the double back, and where the point is before or within them. */
function digitsOf(value: number): { readonly digits: string; readonly point: number } {
  const [mantissa = '0', exponent = '0'] = Math.abs(value).toExponential().split('e');
  return { digits: mantissa.replace('.', ''), point: Number(exponent) + 1 };
}

function placed(digits: string, point: number): string {
  if (point <= 0) return digits === '0' ? '0' : `0.${'0'.repeat(-point)}${digits}`;
  if (point >= digits.length) return digits + '0'.repeat(point - digits.length);
  return `${digits.slice(0, point)}.${digits.slice(point)}`;
}
