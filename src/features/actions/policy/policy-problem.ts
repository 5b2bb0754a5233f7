import { PlanError } from '../../../kernel/errors.js';
import type { TextPosition } from '../../../kernel/json/json-document.js';
import type { PolicyPath } from './policy-document.js';

/** Something that a policy says wrongly. */
export interface PolicyProblem {
  readonly path: PolicyPath;
  readonly message: string;
}

/** A problem and where it is; the place is null for a policy that is no file. */
export interface LocatedPolicyProblem extends PolicyProblem {
  readonly position: TextPosition | null;
}

/** The error that a wrong policy is: POLICY_INVALID, naming the first problem; `details.problems` has all. */
export function policyError(file: string, problems: readonly LocatedPolicyProblem[]): PlanError {
  const [first] = problems;
  const more = problems.length > 1 ? `, and ${problems.length - 1} more` : '';
  return new PlanError('POLICY_INVALID', `${first === undefined ? file : lineOf(file, first)}${more}`, {
    hint: {
      commandLine: 'docs/lint.md describes every key of a policy; its schema is `plan schema policy-v1`.',
    },
    details: {
      file,
      problems: problems.slice(0, 50).map(({ path, message, position }) => ({
        path: path.join('.'),
        message,
        ...position,
      })),
    },
  });
}

function lineOf(file: string, { path, message, position }: LocatedPolicyProblem): string {
  const location = position === null ? file : `${file}:${position.line}:${position.column}`;
  return `${location}: ${path.length === 0 ? '' : `${path.join('.')} `}${message}`;
}
