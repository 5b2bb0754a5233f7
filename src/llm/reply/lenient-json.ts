/** A value that was read, and where the text goes on after it. */
export interface LenientValue {
  readonly value: unknown;
  readonly end: number;
}

/** Deeper nesting is no reply. */
const MAX_DEPTH = 100;

/**
 * Reads the value that begins at `start` as JSON and as what models write in its place: comments, commas before a
 * closing bracket, names and texts in single quotes, names without quotes, line ends within a text, and Python's
 * `True`, `False` and `None`. Undefined when there is no such value. Nothing is added: a value that is cut off, a list
 * with `...` in it, a comma or quote that is missing is not read. Takes time in proportion to the text that it reads.
 */
export function readLenientJson(text: string, start: number): LenientValue | undefined {
  return valueAt(text, afterBlanks(text, start), 0);
}

const BLANKS = /(?:[\s\uFEFF]+|\/\/[^\n\r]*|#[^\n\r]*|\/\*[^*]*\*+(?:[^/*][^*]*\*+)*\/)*/y;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.])/y;
const WORD = /[A-Za-z_$][\w$]*/y;
const LITERALS: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ['true', true],
  ['True', true],
  ['false', false],
  ['False', false],
  ['null', null],
  ['None', null],
]);

function valueAt(text: string, at: number, depth: number): LenientValue | undefined {
  const first = text[at];
  if (first === '{') return depth < MAX_DEPTH ? objectAt(text, at, depth) : undefined;
  if (first === '[') return depth < MAX_DEPTH ? listAt(text, at, depth) : undefined;
  if (first === '"' || first === "'") return textAt(text, at);
  const number = matchAt(NUMBER, text, at);
  if (number !== '') return { value: Number(number), end: at + number.length };
  const word = matchAt(WORD, text, at);
  return LITERALS.has(word) ? { value: LITERALS.get(word), end: at + word.length } : undefined;
}

function objectAt(text: string, start: number, depth: number): LenientValue | undefined {
  const members: [string, unknown][] = [];
  let at = afterBlanks(text, start + 1);
  while (text[at] !== '}') {
    const name = nameAt(text, at);
    if (name === undefined) return undefined;
    at = afterBlanks(text, name.end);
    if (text[at] !== ':') return undefined;
    const member = valueAt(text, afterBlanks(text, at + 1), depth + 1);
    if (member === undefined) return undefined;
    members.push([name.value, member.value]);
    at = afterBlanks(text, member.end);
    if (text[at] === ',') at = afterBlanks(text, at + 1);
    else if (text[at] !== '}') return undefined;
  }
  // An own member whatever its name is, `__proto__` included.
  return { value: Object.fromEntries(members), end: at + 1 };
}

function listAt(text: string, start: number, depth: number): LenientValue | undefined {
  const items: unknown[] = [];
  let at = afterBlanks(text, start + 1);
  while (text[at] !== ']') {
    const item = valueAt(text, at, depth + 1);
    if (item === undefined) return undefined;
    items.push(item.value);
    at = afterBlanks(text, item.end);
    if (text[at] === ',') at = afterBlanks(text, at + 1);
    else if (text[at] !== ']') return undefined;
  }
  return { value: items, end: at + 1 };
}

function nameAt(text: string, at: number): { readonly value: string; readonly end: number } | undefined {
  if (text[at] === '"' || text[at] === "'") return textAt(text, at);
  const word = matchAt(WORD, text, at);
  return word === '' ? undefined : { value: word, end: at + word.length };
}

const ESCAPED: Readonly<Record<string, string>> = {
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  '"': '"',
  "'": "'",
  '\\': '\\',
  '/': '/',
};

function textAt(text: string, start: number): { readonly value: string; readonly end: number } | undefined {
  const stop = text[start] === '"' ? /["\\]/g : /['\\]/g;
  let value = '';
  for (let at = start + 1; ;) {
    stop.lastIndex = at;
    const found = stop.exec(text)?.index;
    if (found === undefined) return undefined;
    value += text.slice(at, found);
    if (text[found] !== '\\') return { value, end: found + 1 };
    const next = text[found + 1] ?? '';
    const hex = next === 'u' ? matchAt(HEX, text, found + 2) : '';
    // A backslash that escapes nothing, as in `C:\docs` or `\d+`, stands for itself.
    value += hex === '' ? (ESCAPED[next] ?? `\\${next}`) : String.fromCharCode(Number.parseInt(hex, 16));
    at = found + 2 + hex.length;
  }
}

const HEX = /[\da-fA-F]{4}/y;

function afterBlanks(text: string, at: number): number {
  return at + matchAt(BLANKS, text, at).length;
}

function matchAt(pattern: RegExp, text: string, at: number): string {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0] ?? '';
}
