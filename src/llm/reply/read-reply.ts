import type * as z from 'zod';

import { isJson } from '../../kernel/json/is-json.js';
import { messageOf } from '../../kernel/errors.js';
import { shorten } from '../error-text.js';
import { fitReply, insidesOf } from './fit-reply.js';
import { readLenientJson } from './lenient-json.js';
import { IN_OUR_WORDS } from '../../kernel/word-issue.js';

/** What a reply's text holds: a value that satisfies its question, or what is wrong with it, in words. */
export type Reading<T> =
  | {
      readonly kind: 'value';
      readonly value: T;
      /** Set when it was not JSON as asked and was read as what it stands for. */
      readonly lenient?: true;
    }
  | { readonly kind: 'invalid'; readonly errors: readonly string[] };

/** The part of a question that a reply is checked against. */
interface Expected<T> {
  readonly schema: z.ZodType<T>;
  readonly check?: (value: T) => readonly string[];
}

const MAX_ERRORS = 20;
const MOST_TOLD = 3;
// These keep the time within bounds for a text full of braces or tags.
const MAX_STARTS = 100;
const MAX_SCANNED = 50_000_000;
/** Objects around a reply, and texts around it, that are looked into. */
const MAX_LAYERS = 3;

/**
 * Reads a reply tolerantly and checks it. Reasoning blocks, code fences and text around the object are passed
 * over; of several objects the last that satisfies the question is taken, and if none does, the errors are those of the
 * longest, leniently read where it can be. What is not JSON, or JSON in other wrappings, is read leniently
 * (`readLenientJson`, `fitReply`) when nothing satisfies the question as it stands. Nothing is added to what the reply says, and nothing of one that is cut off is
 * taken for the whole; keys the schema does not know are dropped.
 */
export function readReply<T>(text: string, expected: Expected<T>): Reading<T> {
  const said = withoutReasoning(text);
  const strict = lastThatSatisfies(objectsIn(said), (one) => readObject(one, expected));
  if (strict.kind === 'value') return strict;
  const lenient = lastThatSatisfies(lenientObjectsIn(said), (one) => readInside(one, expected));
  return lenient.kind === 'invalid' && lenient.errors === NO_OBJECT ? strict : lenient;
}

/** What is wrong with a reply as a person is told it; the model is told all. */
export function inShort(errors: readonly string[]): string {
  const more = errors.length - MOST_TOLD;
  return [...errors.slice(0, MOST_TOLD).map(shorten), ...(more > 0 ? [`and ${more} more`] : [])].join('; ');
}

/** An object in a text, and how long it is there; 0 when it lies within another one. */
interface Found<C> {
  readonly object: C;
  readonly length: number;
}

const NO_OBJECT: readonly string[] = ['the reply holds no JSON object'];

function lastThatSatisfies<C, T>(
  candidates: readonly Found<C>[],
  read: (object: C) => Reading<T>,
): Reading<T> {
  let errors = NO_OBJECT;
  let longest = 0;
  for (const { object, length } of candidates.toReversed()) {
    const reading = read(object);
    if (reading.kind === 'value') return reading;
    if (length <= longest) continue;
    longest = length;
    errors = reading.errors;
  }
  return { kind: 'invalid', errors };
}

// The text after the model's thoughts, which are before the object where they are at all.
function withoutReasoning(text: string): string {
  let rest = text;
  for (let blocks = 0; blocks < MAX_STARTS; blocks += 1) {
    const block = OPENING.exec(rest);
    if (block === null) break;
    const thoughts = rest.slice(block[0].length);
    const end = new RegExp(`</${block[1]}>`, 'i').exec(thoughts);
    if (end === null) return endsWithObject(thoughts) ? thoughts : '';
    rest = thoughts.slice(end.index + end[0].length);
  }
  // Some templates put the opening tag into the prompt, so that only the closing one is in the reply.
  return /^\s*(?:[{[]|```)/.test(rest) ? rest : rest.slice(CLOSING.exec(rest)?.[0].length ?? 0);
}

/** Whether thoughts end with an object, which is taken for the reply: a draft among them is none. */
export function endsWithObject(text: string): boolean {
  const end = text.trimEnd();
  return (end.endsWith('```') ? end.slice(0, -3).trimEnd() : end).endsWith('}');
}

const OPENING = /^[^{]*?<(think|thinking|reasoning)>/i;
const CLOSING = /^.*?<\/(?:think|thinking|reasoning)>/is;

function readObject<T>(candidate: string, expected: Expected<T>): Reading<T> {
  let json: unknown;
  try {
    json = JSON.parse(candidate);
  } catch (thrown) {
    return { kind: 'invalid', errors: [`the reply is not valid JSON: ${messageOf(thrown)}`] };
  }
  return readValue(json, expected, false);
}

// The value itself, or the only thing within it that satisfies the question; else what is the least wrong.
function readInside<T>(value: unknown, expected: Expected<T>, layers = MAX_LAYERS): Reading<T> {
  if (value === undefined) return { kind: 'invalid', errors: NO_OBJECT };
  const whole = readValue(fitReply(expected.schema, value), expected, true);
  if (whole.kind === 'value' || layers === 0) return whole;
  const inside = insidesOf(value).map((one) => readInside(one, expected, layers - 1));
  const found = inside.filter((one) => one.kind === 'value');
  if (found.length > 0) return found.length === 1 && found[0] !== undefined ? found[0] : whole;
  return inside.reduce((least, one) => (errorsOf(one) < errorsOf(least) ? one : least), whole);
}

function errorsOf(reading: Reading<unknown>): number {
  return reading.kind === 'value' ? 0 : reading.errors.length;
}

function readValue<T>(value: unknown, { schema, check }: Expected<T>, lenient: boolean): Reading<T> {
  const parsed = schema.safeParse(value, IN_OUR_WORDS);
  const errors = parsed.success ? (check?.(parsed.data) ?? []) : parsed.error.issues.map(describeIssue);
  return parsed.success && errors.length === 0
    ? { kind: 'value', value: parsed.data, ...(lenient ? { lenient } : {}) }
    : { kind: 'invalid', errors: errors.slice(0, MAX_ERRORS) };
}

function describeIssue(issue: z.core.$ZodIssue): string {
  const path = issue.path.map((key) => (typeof key === 'number' ? `[${key}]` : `.${String(key)}`));
  return `$${path.join('')}: ${issue.message}`;
}

// Every outermost balanced {…}, in order. A brace that is never closed is passed over, and what it
// encloses is looked through in turn. An unclosed last object is returned as it is, for its error to be told.
function objectsIn(text: string): Found<string>[] {
  const found: Found<string>[] = [];
  const most = Math.min(MAX_STARTS, Math.ceil(MAX_SCANNED / text.length));
  let start = text.indexOf('{');
  for (let starts = 0; start !== -1 && starts < most; starts += 1) {
    const end = endOfObject(text, start);
    const closed = end !== -1;
    const object = text.slice(start, closed ? end : undefined);
    if (closed || starts === 0) found.push({ object, length: object.length });
    start = text.indexOf('{', closed && isJson(object) ? end : start + 1);
  }
  return found;
}

function endOfObject(text: string, start: number): number {
  let depth = 0;
  let inString = false;
  for (let index = start; index < text.length; index += 1) {
    const character = text[index];
    if (inString) {
      if (character === '\\') index += 1;
      else if (character === '"') inString = false;
    } else if (character === '"') inString = true;
    else if (character === '{') depth += 1;
    else if (character === '}' && (depth -= 1) === 0) return index + 1;
  }
  return -1;
}

// The same of a text that need not be JSON, as values: every outermost object that can be read from end to end, those
// within one that cannot be read, and undefined in its own place.
function lenientObjectsIn(text: string): Found<unknown>[] {
  const found: Found<unknown>[] = [];
  const said = unpacked(text);
  const most = Math.min(MAX_STARTS, Math.ceil(MAX_SCANNED / said.length));
  let start = said.indexOf('{');
  for (let starts = 0, outer = 0; start !== -1 && starts < most; starts += 1) {
    const read = readLenientJson(said, start);
    const end = read?.end ?? (start < outer ? start : endOfObject(said, start));
    const closed = end === -1 ? said.length : end;
    found.push({ object: read?.value, length: start < outer ? 0 : closed - start });
    outer = Math.max(outer, closed);
    start = said.indexOf('{', read?.end ?? start + 1);
  }
  return found;
}

// What a reply says that is one JSON text altogether, quotation marks and all or without them.
function unpacked(text: string, layers = MAX_LAYERS): string {
  const fenced = text.trim().replace(/^```\w*\s*/, '');
  const bare = fenced.endsWith('```') ? fenced.slice(0, -3).trimEnd() : fenced;
  const packed = bare.startsWith('"') ? bare : /^\{\s*\\+"/.test(bare) ? `"${bare}"` : undefined;
  if (packed === undefined || layers === 0) return text;
  const read = readLenientJson(packed, 0);
  return typeof read?.value === 'string' && read.end === packed.length
    ? unpacked(read.value, layers - 1)
    : text;
}
