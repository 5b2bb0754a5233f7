import { lint } from '../../src/features/actions/lint/lint.js';
import type { LintOptions } from '../../src/features/actions/lint/lint.js';
import type { Policy } from '../../src/features/actions/policy/policy.js';

/** A step of a plan in Plan-Lint's documented form. */
export interface PlannedStep {
  readonly id?: string;
  readonly tool?: string;
  readonly parameters?: object | undefined;
  readonly [key: string]: unknown;
}

/** A Plan-Lint plan of steps; a step's id, tool and payload may be left out. */
export function planOf(...steps: readonly PlannedStep[]): object {
  return {
    goal: 'Try it',
    steps: steps.map((step, index) => ({ id: `s${index + 1}`, tool: 'note.write', parameters: {}, ...step })),
  };
}

/** The rules that fire, in the order of the findings, as `RULE severity`. */
export async function firing(
  plan: object | string,
  policy?: Policy | string,
  options?: LintOptions,
): Promise<readonly string[]> {
  const { findings } = await lint(plan, policy, options);
  return findings.map(({ rule, severity }) => `${rule} ${severity}`);
}

/** The severities of what one rule finds. */
export async function foundBy(
  rule: string,
  plan: object | string,
  policy?: Policy | string,
): Promise<readonly string[]> {
  const { findings } = await lint(plan, policy);
  return findings.filter((finding) => finding.rule === rule).map(({ severity }) => severity);
}
