import type { Rule } from '../../action-plans/lint/rule.js';
import { ruleIdOf } from '../../action-plans/lint/rule-ids.js';
import { RULES } from '../../action-plans/lint/rules.js';
import { PlanError } from '../../kernel/errors.js';

/** What there is to know of a rule. */
export interface RuleReport {
  readonly rule: string;
  readonly severity: string;
  readonly summary: string;
  /** Markdown. */
  readonly explanation: string;
  /** A plan that breaks the rule, and one that does not. */
  readonly bad: string;
  readonly good: string;
  /** The policy that the examples are judged by, as YAML; null where they need none. */
  readonly policy: string | null;
  /** For the good plan, where it is the policy that is bad; else null. */
  readonly good_policy: string | null;
}

/** Every rule of the check of action plans, or the one of a name. @throws PlanError INVALID_INPUT for a name there is none of */
export function lintRules(name?: string): readonly RuleReport[] {
  const wanted = name === undefined ? null : ruleIdOf(name);
  if (name !== undefined && wanted === null) {
    throw new PlanError('INVALID_INPUT', `there is no rule ${JSON.stringify(name.slice(0, 40))}`, {
      hint: '`plan lint --list-rules` lists them.',
    });
  }
  return RULES.filter(({ id }) => wanted === null || id === wanted).map(reportOf);
}

function reportOf({ id, severity, summary, explanation, example }: Rule): RuleReport {
  const { bad, good, policy, goodPolicy } = example;
  return {
    rule: id,
    severity,
    summary,
    explanation,
    bad,
    good,
    policy: policy ?? null,
    good_policy: goodPolicy ?? null,
  };
}
