/** A number exactly as it is written in decimal: 0.DIGITS times ten to the exponent; no digits are zero. */
export interface Decimal {
  readonly negative: boolean;
  /** Without zeros at either end. */
  readonly digits: string;
  readonly exponent: number;
}

const NUMBER = /^([+-]?)(?:(\d+)(?:\.(\d*))?|\.(\d+))(?:e([+-]?\d+))?$/i;

/** Reads a decimal number, of any size and precision; null for anything else, such as `NaN`, `0x1F` or `5,000`. */
export function decimalOf(text: string): Decimal | null {
  const found = NUMBER.exec(text);
  if (found === null) return null;
  const [, sign, whole = '', part, bare = '', power = '0'] = found;
  const all = whole + (part ?? bare);
  const digits = all.replace(/^0+/, '');
  if (digits === '') return { negative: false, digits: '', exponent: 0 };
  const exponent = whole.length - (all.length - digits.length) + Number(power);
  return { negative: sign === '-', digits: withoutEndingZeros(digits), exponent };
}

/** Below 0, 0 or above 0, as `a` is less than, equal to or greater than `b`. Takes time linear in the digits. */
export function compareDecimals(a: Decimal, b: Decimal): number {
  const [first, second] = [signOf(a), signOf(b)];
  if (first !== second || first === 0) return first - second;
  return first < 0 ? compareSizes(b, a) : compareSizes(a, b);
}

function signOf({ negative, digits }: Decimal): number {
  if (digits === '') return 0;
  return negative ? -1 : 1;
}

function compareSizes(a: Decimal, b: Decimal): number {
  if (a.exponent !== b.exponent) return a.exponent < b.exponent ? -1 : 1;
  // Digits after the point compare as text: 0.25 < 0.3.
  if (a.digits === b.digits) return 0;
  return a.digits < b.digits ? -1 : 1;
}

/** A pattern such as `/0+$/` takes quadratic time for many zeros that do not end the text. */
function withoutEndingZeros(digits: string): string {
  let end = digits.length;
  while (digits[end - 1] === '0') end -= 1;
  return digits.slice(0, end);
}
