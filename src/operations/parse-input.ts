import type * as z from 'zod';

import { PlanError } from '../kernel/errors.js';

/** How a member of the input is called where it was given: `--max-depth`, or `settings.max_depth`. */
export type NameOf = (path: readonly PropertyKey[]) => string;

/** What a member of an input is called in the library: `settings.budget.calls`. */
const memberName: NameOf = (path) => path.map(String).join('.');

/**
 * An input that its schema accepts.
 * @throws PlanError USAGE where a member is missing, INVALID_INPUT that names the first member that is wrong, what it may be and what it is
 */
export function parseInput<Input extends z.ZodType>(
  schema: Input,
  given: unknown,
  nameOf: NameOf = memberName,
): z.output<Input> {
  const parsed = schema.safeParse(given, { reportInput: true });
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  if (issue === undefined) throw new TypeError('a schema that refuses says why');
  const isMissing =
    (issue.code === 'invalid_type' || issue.code === 'invalid_value') && issue.input === undefined;
  throw new PlanError(isMissing ? 'USAGE' : 'INVALID_INPUT', wordIssue(issue, nameOf(issue.path)), {
    details: { setting: memberName(issue.path), problems: parsed.error.issues.length },
  });
}

/** One problem with an input, in words: `--max-depth must be at most 64, not 99`. */
export function wordIssue(issue: z.core.$ZodIssue, name: string): string {
  const counts = (issue.code === 'too_small' || issue.code === 'too_big') && Array.isArray(issue.input);
  const given = counts ? String(issue.input.length) : shown(issue.input);
  switch (issue.code) {
    case 'unrecognized_keys':
      return `${name === '' ? '' : `${name}: `}there is no ${issue.keys.map((key) => JSON.stringify(key)).join(', ')}`;
    case 'invalid_type':
      return issue.input === undefined
        ? `${name} is missing`
        : `${name} must be ${article(TYPES[issue.expected] ?? issue.expected)}, not ${given}`;
    case 'invalid_value':
      return issue.input === undefined
        ? `${name} is missing: ${oneOf(issue.values)}`
        : `${name} must be ${oneOf(issue.values)}, not ${given}`;
    case 'too_big':
      return `${name} must be at most ${String(issue.maximum)}${unitOf(issue.origin)}, not ${given}`;
    case 'too_small':
      return issue.inclusive === false
        ? `${name} must be more than ${String(issue.minimum)}, not ${given}`
        : `${name} must be at least ${String(issue.minimum)}${unitOf(issue.origin)}, not ${given}`;
    default:
      return `${name} cannot be ${given}: ${issue.message}`;
  }
}

const TYPES: Readonly<Record<string, string>> = { int: 'whole number', string: 'text', array: 'list' };

function article(noun: string): string {
  return `${/^[aeiou]/.test(noun) ? 'an' : 'a'} ${noun}`;
}

function oneOf(values: readonly z.core.util.Primitive[]): string {
  const words = values.map(String);
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} or ${words.at(-1) ?? ''}`;
}

function unitOf(origin: string): string {
  if (origin === 'string') return ' characters long';
  return origin === 'array' ? ' in number' : '';
}

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length <= 80 ? text : `${text.slice(0, 80)}…`;
}
