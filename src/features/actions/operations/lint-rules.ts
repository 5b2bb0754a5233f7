import type { Rule } from '../lint/rule.js';
import { ruleIdOf } from '../lint/rule-ids.js';
import { RULES } from '../lint/rules.js';
import { PlanError } from '../../../kernel/errors.js';
import { truncate } from '../../../kernel/text/truncate.js';
import type { RuleReport } from './lint-report-schema.js';

/** Every rule of the check of action plans. */
export function lintRules(): readonly RuleReport[] {
  return RULES.map(reportOf);
}

/** Explains the lint rule of a name. @throws PlanError INVALID_INPUT for a name there is none of */
export function explainRule(name: string): RuleReport {
  const wanted = ruleIdOf(name);
  const rule = RULES.find(({ id }) => id === wanted);
  if (rule !== undefined) return reportOf(rule);
  throw new PlanError('INVALID_INPUT', `there is no rule ${JSON.stringify(truncate(name, 40))}`, {
    hint: { commandLine: '`plan lint --list-rules` lists them.' },
  });
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
