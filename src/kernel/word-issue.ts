import type * as z from 'zod';

import { isNestedTooDeep } from './json/nesting.js';
import { truncate } from './text/truncate.js';

type Issue = z.core.$ZodRawIssue | z.core.$ZodIssue;

/**
 * One problem with a value, in words: `--max-depth must be at most 64, not 99`.
 * @param name what is wrong, as the user knows it
 * @param mayQuote whether a text that stands there may be quoted; else it may be a secret, or a megabyte
 */
export function wordIssue(issue: Issue, name: string, mayQuote = true): string {
  return worded(issue, name, mayQuote ? issue.input : undefined);
}

/** The issue to tell first: of the bounds that a number is beyond, the one that it must keep to. */
export function foremostIssue(issues: readonly z.core.$ZodIssue[]): z.core.$ZodIssue | undefined {
  const [first, ...others] = issues;
  if (first === undefined) return undefined;
  return others.reduce((foremost, issue) => (isNarrower(issue, foremost) ? issue : foremost), first);
}

/** Whether both are about one value, which is beyond both bounds, and the first bound is the narrower one. */
function isNarrower(one: z.core.$ZodIssue, other: z.core.$ZodIssue): boolean {
  if (one.path.join('\n') !== other.path.join('\n')) return false;
  if (one.code === 'too_big' && other.code === 'too_big') return one.maximum < other.maximum;
  return one.code === 'too_small' && other.code === 'too_small' && one.minimum > other.minimum;
}

/** Has zod say what is wrong in these words where a schema has none of its own. Of what stands there only numbers are quoted, and a word where some words may stand. */
export const IN_OUR_WORDS = {
  error: (issue: z.core.$ZodRawIssue): string => worded(issue, '').trimStart(),
} as const;

function worded(issue: Issue, name: string, quoted?: unknown): string {
  const given = quoted === undefined ? kindOf(issue.input) : shown(quoted);
  if (issue.code === 'invalid_union' && issue.discriminator !== undefined)
    return `${name} ${ofKind(issue, issue.discriminator, quoted !== undefined)}`;
  switch (issue.code) {
    case 'unrecognized_keys':
      return `${name === '' ? '' : `${name}: `}there is no ${issue.keys.map((key) => JSON.stringify(key)).join(', ')}`;
    case 'invalid_type':
      return issue.input === undefined
        ? `${name} is missing`
        : `${name} must be ${TYPES[issue.expected] ?? article(issue.expected)}, not ${given}`;
    case 'invalid_value':
      return issue.input === undefined
        ? `${name} is missing: ${oneOf(issue.values)}`
        : `${name} must be ${oneOf(issue.values)}, not ${asWord(issue.input) ?? given}`;
    case 'too_big':
      return `${name} must ${verbOf(issue)} ${issue.inclusive === false ? 'less than' : 'at most'} ${sizeOf(issue, issue.maximum, quoted)}`;
    case 'too_small':
      return `${name} must ${verbOf(issue)} ${issue.inclusive === false ? 'more than' : 'at least'} ${sizeOf(issue, issue.minimum, quoted)}`;
    default:
      return `${name} ${otherwise(issue, given)}`;
  }
}

/** What is wrong in a way that few schemas ask for. */
function otherwise(issue: Issue, given: string): string {
  // What a schema says of itself is in our words already.
  if (issue.message !== undefined && issue.message !== '' && !OF_ZOD.test(issue.message))
    return given === 'a text' && issue.message.startsWith('not ')
      ? `is ${issue.message}`
      : `cannot be ${given}: ${issue.message}`;
  switch (issue.code) {
    case 'not_multiple_of':
      return `must be a multiple of ${issue.divisor}, not ${given}`;
    case 'invalid_format':
      return issue.format === 'regex' && issue.pattern !== undefined
        ? `must have the form ${issue.pattern}, not that of ${given}`
        : `must be ${FORMATS[issue.format] ?? article(issue.format)}, not ${given}`;
    case 'invalid_union':
      return `is none of what it may be: it is ${given}`;
    case 'invalid_key':
      return `is not allowed as a name: ${ofName(issue.issues[0])}`;
    case 'invalid_element':
      return 'holds what cannot be there';
    default:
      return `cannot be ${given}`;
  }
}

/** What is wrong with the member by which the forms of an object are told apart. */
function ofKind(issue: Issue, member: string, mayQuote: boolean): string {
  const { input } = issue;
  const value: unknown = typeof input === 'object' && input !== null ? Reflect.get(input, member) : undefined;
  const options: unknown = Reflect.get(issue, 'options');
  const allowed = Array.isArray(options) ? oneOf(options) : 'another';
  if (value === undefined) return `is missing: ${allowed}`;
  return `must be ${allowed}, not ${mayQuote ? shown(value) : (asWord(value) ?? kindOf(value))}`;
}

/** Returns a short word of letters in quotes, which is no secret where one of a few words may stand; null for all else. */
function asWord(value: unknown): string | null {
  return typeof value === 'string' && /^[a-z]{1,16}$/i.test(value) ? JSON.stringify(value) : null;
}

/** Why a name is refused. */
function ofName(reason: z.core.$ZodIssue | undefined): string {
  return reason === undefined || OF_ZOD.test(reason.message) ? 'it is not allowed' : reason.message;
}

const OF_ZOD = /^(?:Invalid|Too big|Too small|Unrecognized)\b/;

const TYPES: Readonly<Record<string, string>> = {
  number: 'a number',
  int: 'a whole number',
  bigint: 'a whole number',
  nan: 'no number',
  string: 'a text',
  template_literal: 'a text of another form',
  array: 'a list',
  tuple: 'a list',
  set: 'a set',
  boolean: 'true or false',
  object: 'an object',
  record: 'an object',
  map: 'a map',
  date: 'a date',
  file: 'a file',
  symbol: 'a symbol',
  function: 'a function',
  promise: 'a promise',
  null: 'null',
  undefined: 'left out',
  void: 'left out',
  never: 'left out',
  nonoptional: 'there',
};

const FORMATS: Readonly<Record<string, string>> = {
  url: 'a URL',
  datetime: 'a moment of ISO 8601',
  email: 'an e-mail address',
};

function article(noun: string): string {
  return `${/^[aeiou]/.test(noun) ? 'an' : 'a'} ${noun}`;
}

function oneOf(values: readonly unknown[]): string {
  const words = values.map(String);
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} or ${words.at(-1) ?? ''}`;
}

/** A list has entries; a text or a number is long or large. */
function verbOf({ origin, input }: { readonly origin?: unknown; readonly input?: unknown }): string {
  return Array.isArray(input) || origin === 'array' ? 'have' : 'be';
}

/** A bound, and what was given: how long or how many it is where the bound counts. */
function sizeOf(
  { origin, input }: { readonly origin?: unknown; readonly input?: unknown },
  bound: unknown,
  quoted: unknown,
): string {
  const entries = String(bound) === '1' ? 'entry' : 'entries';
  if (Array.isArray(input)) return `${String(bound)} ${entries}, not ${input.length}`;
  const characters = String(bound) === '1' ? 'character' : 'characters';
  if (typeof input === 'string')
    return `${String(bound)} ${characters} long, not ${quoted === undefined ? input.length : shown(quoted)}`;
  const unit = origin === 'string' ? ` ${characters} long` : origin === 'array' ? ` ${entries}` : '';
  return `${String(bound)}${unit}, not ${shown(input)}`;
}

/** What kind of value something is; a number or a truth value is told itself. */
function kindOf(value: unknown): string {
  if (value === null || typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (value === undefined) return 'nothing';
  if (Array.isArray(value)) return 'a list';
  if (value instanceof Date) return 'a date';
  if (typeof value === 'bigint') return String(value);
  return TYPES[typeof value] ?? article(typeof value);
}

function shown(value: unknown): string {
  return isNestedTooDeep(value) ? kindOf(value) : truncate(JSON.stringify(value) ?? String(value), 80);
}
