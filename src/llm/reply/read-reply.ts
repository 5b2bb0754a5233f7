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
 * longest. What is not JSON, or JSON in other wrappings, is read leniently (`readLenientJson`, `fitReply`) when nothing
 * satisfies the question as it stands. Nothing is added to what the reply says, and nothing of one that is cut off is
 * taken for the whole; keys the schema does not know are dropped.
 */
export function readReply<T>(text: string, expected: Expected<T>): Reading<T> {
  const said = withoutReasoning(text);
  const strict = lastThatSatisfies(objectsIn(said).toReversed(), (one) => readObject(one, expected));
  if (strict.kind === 'value') return strict;
  const lenient = lastThatSatisfies(lenientObjectsIn(said).toReversed(), (one) => readInside(one, expected));
  return lenient.kind === 'value' ? lenient : strict;
}

/** What is wrong with a reply as a person is told it; the model is told all. */
export function inShort(errors: readonly string[]): string {
  const more = errors.length - MOST_TOLD;
  return [...errors.slice(0, MOST_TOLD).map(shorten), ...(more > 0 ? [`and ${more} more`] : [])].join('; ');
}

function lastThatSatisfies<C, T>(candidates: readonly C[], read: (candidate: C) => Reading<T>): Reading<T> {
  let errors: readonly string[] = ['the reply holds no JSON object'];
  let longest = 0;
  for (const candidate of candidates) {
    const reading = read(candidate);
    if (reading.kind === 'value') return reading;
    const length = typeof candidate === 'string' ? candidate.length : 0;
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
    if (end === null) return thoughts;
    rest = thoughts.slice(end.index + end[0].length);
  }
  // Some templates put the opening tag into the prompt, so that only the closing one is in the reply.
  return /^\s*(?:[{[]|```)/.test(rest) ? rest : rest.slice(CLOSING.exec(rest)?.[0].length ?? 0);
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

// The value itself, or the only thing within it that satisfies the question.
function readInside<T>(value: unknown, expected: Expected<T>, layers = MAX_LAYERS): Reading<T> {
  const whole = readValue(fitReply(expected.schema, value), expected, true);
  if (whole.kind === 'value' || layers === 0) return whole;
  const inside = insidesOf(value).map((one) => readInside(one, expected, layers - 1));
  const found = inside.filter((one) => one.kind === 'value');
  return found.length === 1 && found[0] !== undefined ? found[0] : whole;
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
function objectsIn(text: string): string[] {
  const found: string[] = [];
  const most = Math.min(MAX_STARTS, Math.ceil(MAX_SCANNED / text.length));
  let start = text.indexOf('{');
  for (let starts = 0; start !== -1 && starts < most; starts += 1) {
    const end = endOfObject(text, start);
    const closed = end !== -1;
    if (closed) found.push(text.slice(start, end));
    else if (found.length === 0 && starts === 0) found.push(text.slice(start));
    start = text.indexOf('{', closed && isJson(text.slice(start, end)) ? end : start + 1);
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

// The same of a text that need not be JSON, as values: every outermost object that can be read from end to end.
function lenientObjectsIn(text: string): unknown[] {
  const found: unknown[] = [];
  const said = unpacked(text);
  const most = Math.min(MAX_STARTS, Math.ceil(MAX_SCANNED / said.length));
  let start = said.indexOf('{');
  for (let starts = 0; start !== -1 && starts < most; starts += 1) {
    const read = readLenientJson(said, start);
    if (read !== undefined) found.push(read.value);
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
