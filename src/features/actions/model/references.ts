import { isJsonList, isJsonObject } from '../../../kernel/json/json-value.js';
import type { JsonValue } from '../../../kernel/json/json-value.js';
import { pointerTo } from '../../../kernel/json/json-pointer.js';
import type { JsonPointer } from '../../../kernel/json/json-pointer.js';

/**
 * What a reference names. `step` is the output of a step; `variable` what `capture_as` or the host has
 * named; `context` the plan's context; `loop` a name that the step's foreach binds; `name` a bare name,
 * which whoever knows the plan's steps and variables must tell apart (a step's id first).
 */
export type ReferenceKind = 'step' | 'variable' | 'context' | 'loop' | 'name';

/**
 * One reference within a string.
 *
 * `path` are own properties and list indices below what is named, without the word `result` that stands
 * between a step's id and its output in the braced spellings. A variable's name may itself hold dots: then the
 * name is the longest known one that `name` and the first of `path` make.
 */
export interface Reference {
  readonly kind: ReferenceKind;
  readonly name: string;
  readonly path: readonly string[];
  /** As it is written, marks included. */
  readonly text: string;
  /** Offsets in the string, in UTF-16 units; `end` is exclusive. */
  readonly start: number;
  readonly end: number;
}

/** A stretch of a string: text that says itself, or a reference. */
export type StringPart =
  | { readonly kind: 'text'; readonly text: string; readonly start: number; readonly end: number }
  | { readonly kind: 'reference'; readonly reference: Reference };

/** Which spellings are references; the others are text. */
export interface ReferenceSyntax {
  /** `$steps.a.b` and `$vars.x`: anywhere, as a whole string alone, or nowhere. */
  readonly dollar: 'anywhere' | 'whole' | 'nowhere';
  /** `${a.b}`. */
  readonly dollarBraces: boolean;
  /** `{{a.b}}`. */
  readonly doubleBraces: boolean;
  /** `{item.path}` of the names that a foreach binds. */
  readonly loopBraces: boolean;
  /** `${a.b}` and `{{a.b}}` of names that nothing marks as a step, a variable or what a foreach binds; else these are text. */
  readonly bareNames: boolean;
}

/** Every spelling there is, as frctl's own plans have it. */
export const EVERY_REFERENCE: ReferenceSyntax = {
  dollar: 'anywhere',
  dollarBraces: true,
  doubleBraces: true,
  loopBraces: true,
  bareNames: true,
};

/** No spelling: every string says itself. */
export const NO_REFERENCE: ReferenceSyntax = {
  dollar: 'nowhere',
  dollarBraces: false,
  doubleBraces: false,
  loopBraces: false,
  bareNames: false,
};

export interface LexOptions {
  /** Which spellings count (default: every one). */
  readonly syntax?: ReferenceSyntax | undefined;
  /** The names that the step's foreach binds. */
  readonly loopNames?: readonly string[] | undefined;
}

/** Names that no path may go through: they are not data. */
const FORBIDDEN: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);

const NAME = String.raw`[A-Za-z_]\w*(?:-+\w+)*`;
const REST = String.raw`(?:\.(?:${NAME}|\d+)|\[\d+\])*`;
const DOLLAR = new RegExp(String.raw`\$(?:steps|vars)\.${NAME}${REST}`, 'y');
const WORD = String.raw`[\p{L}\p{N}_]+(?:(?:-+|:)[\p{L}\p{N}_]+)*`;
/** In braces an id may be of any script, begin with a digit, or hold colons: `step:0f3a`, `2`, `Prüfung`. */
const BRACED = new RegExp(String.raw`^${WORD}(?:\.${WORD}|\[\d+\])*$`, 'u');
/** No reference is longer; so a text full of open braces is read in linear time. */
const LONGEST = 1000;
const MARKS: readonly {
  readonly open: string;
  readonly close: string;
  readonly syntax: Exclude<keyof ReferenceSyntax, 'dollar'>;
}[] = [
  { open: '{{', close: '}}', syntax: 'doubleBraces' },
  { open: '${', close: '}', syntax: 'dollarBraces' },
  { open: '{', close: '}', syntax: 'loopBraces' },
];

/**
 * Cuts a string into text and references; the parts put together are the string. What only looks like a
 * reference is text: `$1`, `$5.00`, `${}`, `${a b}`, `{{#if x}}`, and the `$` of `${{a}}`, which is a literal
 * one before the reference `{{a}}`. In `$steps.a.b.` the last dot ends a sentence.
 */
export function lexReferences(text: string, options: LexOptions = {}): readonly StringPart[] {
  const parts: StringPart[] = [];
  let plain = 0;
  let offset = 0;
  const flush = (end: number) => {
    if (end > plain) parts.push({ kind: 'text', text: text.slice(plain, end), start: plain, end });
  };
  while (offset < text.length) {
    const next = nextMark(text, offset);
    if (next === -1) break;
    const reference = referenceAt(text, next, options);
    if (reference === null) {
      offset = next + 1;
      continue;
    }
    flush(next);
    parts.push({ kind: 'reference', reference });
    offset = reference.end;
    plain = offset;
  }
  flush(text.length);
  return parts;
}

/** The references of a string, in order. */
export function referencesOf(text: string, options: LexOptions = {}): readonly Reference[] {
  return lexReferences(text, options).flatMap((part) => (part.kind === 'reference' ? [part.reference] : []));
}

/** The reference that a string is as a whole, whose value keeps its type; null where text is beside it. */
export function wholeReference(text: string, options: LexOptions = {}): Reference | null {
  const [part, more] = lexReferences(text, options);
  return part?.kind === 'reference' && more === undefined ? part.reference : null;
}

/**
 * The reference to what a foreach goes over: `$steps.a.items`, `${…}`, or a bare path such as `files` or
 * `a.items`, which is a `name`. Null for anything else.
 */
export function foreachSource(from: string, options: LexOptions = {}): Reference | null {
  const whole = wholeReference(from, options);
  if (whole !== null) return whole;
  return BRACED.test(from) ? pathReference(from, 0, from.length, from, options) : null;
}

/** A reference, the string it is in, and the pointer to that string below the value searched. */
export interface FoundReference {
  readonly reference: Reference;
  readonly pointer: JsonPointer;
}

/** Every reference in the strings of a value, in document order; keys of objects hold none. */
export function referencesWithin(
  value: JsonValue,
  options: LexOptions = {},
  pointer: JsonPointer = '',
): readonly FoundReference[] {
  if (typeof value === 'string')
    return referencesOf(value, options).map((reference) => ({ reference, pointer }));
  if (isJsonList(value))
    return value.flatMap((item, index) => referencesWithin(item, options, pointerTo(pointer, index)));
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([key, member]) =>
    referencesWithin(member, options, pointerTo(pointer, key)),
  );
}

/** What {@link followPath} came to: the value, or the key that is missing. */
export type Followed = { readonly found: JsonValue } | { readonly missing: string };

/**
 * Follows the path of a reference through own properties and list indices, and nothing else: no `length`, no
 * `__proto__`, no inherited name.
 */
export function followPath(value: JsonValue, path: readonly string[]): Followed {
  let current = value;
  for (const key of path) {
    const next = memberAt(current, key);
    if (next === undefined) return { missing: key };
    current = next;
  }
  return { found: current };
}

function memberAt(value: JsonValue, key: string): JsonValue | undefined {
  if (isJsonList(value)) return /^(?:0|[1-9]\d*)$/.test(key) ? value[Number(key)] : undefined;
  return isJsonObject(value) && !FORBIDDEN.has(key) && Object.hasOwn(value, key) ? value[key] : undefined;
}

function nextMark(text: string, from: number): number {
  for (let offset = from; offset < text.length; offset += 1) {
    const unit = text.charCodeAt(offset);
    if (unit === 0x24 || unit === 0x7b) return offset;
  }
  return -1;
}

function referenceAt(text: string, start: number, options: LexOptions): Reference | null {
  const syntax = options.syntax ?? EVERY_REFERENCE;
  if (syntax.dollar !== 'nowhere') {
    DOLLAR.lastIndex = start;
    const found = DOLLAR.exec(text);
    const isMeant = syntax.dollar === 'anywhere' || found?.[0].length === text.length;
    if (found !== null && isMeant) return dollarReference(found[0], start, DOLLAR.lastIndex, found[0]);
  }
  // A `$` before `{{` is a literal one, whether or not a reference follows.
  if (text.startsWith('${{', start)) return null;
  const mark = MARKS.find(({ open, syntax: name }) => syntax[name] && text.startsWith(open, start));
  if (mark === undefined) return null;
  const ahead = text.slice(start, start + LONGEST);
  const close = ahead.indexOf(mark.close, mark.open.length);
  if (close === -1) return null;
  const end = start + close + mark.close.length;
  const inner = ahead.slice(mark.open.length, close).trim();
  const reference = bracedReference(inner, { start, end, text: text.slice(start, end) }, options);
  const isMarked = reference?.kind === 'loop' || inner.startsWith('$');
  return (mark.open === '{' && reference?.kind !== 'loop') || !(isMarked || syntax.bareNames)
    ? null
    : reference;
}

interface Written {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

function bracedReference(
  inner: string,
  { start, end, text }: Written,
  options: LexOptions,
): Reference | null {
  DOLLAR.lastIndex = 0;
  const dollar = DOLLAR.exec(inner);
  if (dollar !== null && dollar[0] === inner) return dollarReference(inner, start, end, text);
  return BRACED.test(inner) ? pathReference(inner, start, end, text, options) : null;
}

function dollarReference(inner: string, start: number, end: number, text: string): Reference | null {
  const [head, name = '', ...path] = segments(inner);
  const kind = head === '$steps' ? 'step' : 'variable';
  return { kind, name, path, text, start, end };
}

function pathReference(
  inner: string,
  start: number,
  end: number,
  text: string,
  { loopNames = [] }: LexOptions,
): Reference | null {
  const [head = '', second, ...rest] = segments(inner);
  const below = second === undefined ? [] : [second, ...rest];
  const written = { text, start, end };
  if (loopNames.includes(head)) return { kind: 'loop', name: head, path: below, ...written };
  if (head === 'context' && second !== undefined) {
    return { kind: 'context', name: second, path: rest, ...written };
  }
  if ((head === 'steps' || head === 'vars') && second !== undefined) {
    return { kind: head === 'steps' ? 'step' : 'variable', name: second, path: rest, ...written };
  }
  if (second === 'result') return { kind: 'step', name: head, path: rest, ...written };
  return { kind: 'name', name: head, path: below, ...written };
}

function segments(path: string): readonly string[] {
  return path.replaceAll(/\[(\d+)\]/g, '.$1').split('.');
}
