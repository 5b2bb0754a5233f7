/** A node of a JSON text: what a JsonTree says, and the offsets at which it begins and ends (exclusive). */
export type JsonNode =
  | (Range & { readonly kind: 'object'; readonly members: readonly JsonMember[] })
  | (Range & { readonly kind: 'array'; readonly elements: readonly JsonNode[] })
  | (Range & { readonly kind: 'string'; readonly value: string })
  | (Range & { readonly kind: 'number'; readonly text: string })
  | (Range & { readonly kind: 'literal'; readonly value: boolean | null });

interface Range {
  readonly start: number;
  readonly end: number;
}

/** A member of an object; `keyStart` and `keyEnd` enclose the key with its quotes. */
interface JsonMember {
  readonly key: string;
  readonly keyStart: number;
  readonly keyEnd: number;
  readonly value: JsonNode;
}

/** What a text comes to: its tree, or the first thing wrong with it and where. */
export type Scanned = { readonly root: JsonNode } | { readonly problem: string; readonly offset: number };

const SPACE = /[ \t\n\r]*/y;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const WORD = /true|false|null/y;
// oxlint-disable-next-line no-control-regex
const SPECIAL = /[\\\u0000-\u001f]/;

/** Thrown and caught in this file alone: leaving many levels at once. */
class ScanProblem extends Error {
  constructor(
    message: string,
    readonly offset: number,
  ) {
    super(message);
  }
}

interface Cursor {
  readonly text: string;
  offset: number;
  levels: number;
}

/** Reads JSON strictly. @param levels how deep arrays and objects may be within each other */
export function scanJson(text: string, levels: number): Scanned {
  const cursor: Cursor = { text, offset: text.startsWith('\uFEFF') ? 1 : 0, levels };
  try {
    const root = scanValue(cursor);
    skipSpace(cursor);
    if (cursor.offset < text.length) throw unexpected(cursor, 'the end');
    return { root };
  } catch (thrown) {
    if (!(thrown instanceof ScanProblem)) throw thrown;
    return { problem: thrown.message, offset: thrown.offset };
  }
}

function scanValue(cursor: Cursor): JsonNode {
  skipSpace(cursor);
  const start = cursor.offset;
  switch (cursor.text.charAt(start)) {
    case '{':
      return scanObject(cursor);
    case '[':
      return scanArray(cursor);
    case '"':
      return { kind: 'string', value: scanString(cursor), start, end: cursor.offset };
    default:
      return scanWord(cursor, start);
  }
}

function scanObject(cursor: Cursor): JsonNode {
  const start = enter(cursor);
  const members: JsonMember[] = [];
  skipSpace(cursor);
  while (cursor.text[cursor.offset] !== '}') {
    if (members.length > 0) expect(cursor, ',', 'a comma or }');
    skipSpace(cursor);
    const keyStart = cursor.offset;
    if (cursor.text[keyStart] !== '"') throw unexpected(cursor, 'a key in double quotes');
    const key = scanString(cursor);
    const keyEnd = cursor.offset;
    skipSpace(cursor);
    expect(cursor, ':', 'a colon');
    members.push({ key, keyStart, keyEnd, value: scanValue(cursor) });
    skipSpace(cursor);
  }
  leave(cursor);
  return { kind: 'object', members, start, end: cursor.offset };
}

function scanArray(cursor: Cursor): JsonNode {
  const start = enter(cursor);
  const elements: JsonNode[] = [];
  skipSpace(cursor);
  while (cursor.text[cursor.offset] !== ']') {
    if (elements.length > 0) expect(cursor, ',', 'a comma or ]');
    elements.push(scanValue(cursor));
    skipSpace(cursor);
  }
  leave(cursor);
  return { kind: 'array', elements, start, end: cursor.offset };
}

/** A lone half of a surrogate pair is allowed, as JSON.parse allows it. */
function scanString(cursor: Cursor): string {
  const { text, offset: start } = cursor;
  let end = text.indexOf('"', start + 1);
  while (end !== -1 && isEscaped(text, end)) end = text.indexOf('"', end + 1);
  const inner = end === -1 ? null : text.slice(start + 1, end);
  if (inner === null) throw brokenString(cursor);
  if (!SPECIAL.test(inner)) {
    cursor.offset = end + 1;
    return inner;
  }
  try {
    const value: unknown = JSON.parse(text.slice(start, end + 1));
    cursor.offset = end + 1;
    return String(value);
  } catch {
    throw brokenString(cursor);
  }
}

function isEscaped(text: string, quote: number): boolean {
  let slashes = 0;
  while (text.charAt(quote - 1 - slashes) === '\\') slashes += 1;
  return slashes % 2 === 1;
}

function scanWord(cursor: Cursor, start: number): JsonNode {
  const number = take(cursor, NUMBER);
  if (number !== null) return { kind: 'number', text: number, start, end: cursor.offset };
  const word = take(cursor, WORD);
  if (word === null) throw unexpected(cursor, 'a value');
  const value = word === 'null' ? null : word === 'true';
  return { kind: 'literal', value, start, end: cursor.offset };
}

function enter(cursor: Cursor): number {
  if (cursor.levels === 0) throw new ScanProblem('arrays and objects are nested too deep', cursor.offset);
  cursor.levels -= 1;
  cursor.offset += 1;
  return cursor.offset - 1;
}

function leave(cursor: Cursor): void {
  cursor.levels += 1;
  cursor.offset += 1;
}

function expect(cursor: Cursor, mark: string, name: string): void {
  if (cursor.text[cursor.offset] !== mark) throw unexpected(cursor, name);
  cursor.offset += 1;
}

function skipSpace(cursor: Cursor): void {
  take(cursor, SPACE);
}

function take(cursor: Cursor, pattern: RegExp): string | null {
  pattern.lastIndex = cursor.offset;
  const found = pattern.exec(cursor.text);
  if (found === null) return null;
  cursor.offset = pattern.lastIndex;
  return found[0];
}

function unexpected({ text, offset }: Cursor, expected: string): ScanProblem {
  const point = text.codePointAt(offset);
  const found =
    point === undefined ? 'the text ends' : `${JSON.stringify(String.fromCodePoint(point))} stands`;
  return new ScanProblem(`expected ${expected}, but ${found} here`, offset);
}

/** Which character of a string is wrong: one that must be escaped, an escape there is none of, or the end. */
function brokenString({ text, offset }: Cursor): ScanProblem {
  let at = offset + 1;
  while (at < text.length) {
    const unit = text.charCodeAt(at);
    if (unit < 0x20) return new ScanProblem('a control character in a string must be escaped', at);
    if (unit === 0x5c && !/^\\(?:["\\/bfnrt]|u[\da-fA-F]{4})/.test(text.slice(at, at + 6)))
      return new ScanProblem('there is no such escape in JSON', at);
    at += unit === 0x5c ? 2 : 1;
  }
  return new ScanProblem('the string that begins here has no end', offset);
}
