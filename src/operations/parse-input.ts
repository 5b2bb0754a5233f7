import type * as z from 'zod';

import { PlanError } from '../kernel/errors.js';
import { foremostIssue, wordIssue } from '../kernel/word-issue.js';

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
  const issue = foremostIssue(parsed.error.issues);
  if (issue === undefined) throw new TypeError('a schema that refuses says why');
  const isMissing =
    (issue.code === 'invalid_type' || issue.code === 'invalid_value') && issue.input === undefined;
  throw new PlanError(isMissing ? 'USAGE' : 'INVALID_INPUT', wordIssue(issue, nameOf(issue.path)), {
    details: { setting: memberName(issue.path), problems: parsed.error.issues.length },
  });
}
