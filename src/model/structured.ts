import type * as z from 'zod';

import { messageOf } from '../errors.js';

/** What a reply's text holds: a value that satisfies its question, or what is wrong with it, in words. */
export type Reading<T> =
  | { readonly kind: 'value'; readonly value: T }
  | { readonly kind: 'invalid'; readonly errors: readonly string[] };

/** The part of a question that a reply is checked against. */
interface Expected<T> {
  readonly schema: z.ZodType<T>;
  readonly check?: (value: T) => readonly string[];
}

const MAX_ERRORS = 20;
// These keep the time within bounds for a text full of braces or tags.
const MAX_STARTS = 100;
const MAX_SCANNED = 50_000_000;

/**
 * Reads a reply tolerantly and checks it strictly. Reasoning blocks, code fences and text around the object are
 * passed over; of several objects the last that satisfies the question is taken, and if none does, the errors are
 * those of the longest. Values are not coerced; keys the schema does not know are dropped.
 */
export function readReply<T>(text: string, expected: Expected<T>): Reading<T> {
  let errors: readonly string[] = ['the reply holds no JSON object'];
  let longest = 0;
  for (const candidate of objectsIn(withoutReasoning(text)).toReversed()) {
    const reading = readObject(candidate, expected);
    if (reading.kind === 'value') return reading;
    if (candidate.length <= longest) continue;
    longest = candidate.length;
    errors = reading.errors;
  }
  return { kind: 'invalid', errors };
}

// The text after the model's thoughts, which stand before the object where they stand at all.
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

function readObject<T>(candidate: string, { schema, check }: Expected<T>): Reading<T> {
  let json: unknown;
  try {
    json = JSON.parse(candidate);
  } catch (thrown) {
    return { kind: 'invalid', errors: [`the reply is not valid JSON: ${messageOf(thrown)}`] };
  }
  const parsed = schema.safeParse(json);
  const errors = parsed.success ? (check?.(parsed.data) ?? []) : parsed.error.issues.map(describeIssue);
  return parsed.success && errors.length === 0
    ? { kind: 'value', value: parsed.data }
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

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
