import { POLICY_DEFAULTS } from '../policy/policy.js';
import type { PreparedPolicy } from '../policy/prepared-policy.js';
import type { Finding, SuppressedFinding } from './finding.js';
import { RULE_IDS } from './rule-ids.js';
import type { RuleId } from './rule-ids.js';

/** How risky a plan is by what was found, and what that is made of. */
export interface RiskScore {
  /** From 0 to 1. */
  readonly score: number;
  /** The score at which the check fails. */
  readonly threshold: number;
  readonly reached: boolean;
  /** What each rule that fired adds, in the order of the rules; together they may be more than the score, which ends at 1. */
  readonly parts: readonly { readonly rule: RuleId; readonly weight: number }[];
}

/**
 * The risk of findings: min(1, the sum of the weights of the rules that fired, each counted once). A rule weighs
 * what the policy says, else 0.2, or nothing if all it found are notes. What a plan has suppressed on its own weighs too:
 * else a plan would set its own risk.
 */
export function riskScore(
  findings: readonly Finding[],
  suppressed: readonly SuppressedFinding[],
  policy: PreparedPolicy,
): RiskScore {
  const weighing = [...findings, ...suppressed.filter(({ weighs }) => weighs)];
  const parts = RULE_IDS.flatMap((rule) => {
    const fired = weighing.filter((finding) => finding.rule === rule);
    if (fired.length === 0) return [];
    const usual = fired.every(({ severity }) => severity === 'note') ? 0 : POLICY_DEFAULTS.risk_weight;
    return [{ rule, weight: policy.weightOf(rule) ?? usual }];
  });
  const sum = parts.reduce((total, { weight }) => total + weight, 0);
  // Sums of tenths, such as 0.1 + 0.7, must reach thresholds as they do on paper.
  const score = Math.min(1, Number(sum.toFixed(9)));
  const { threshold } = policy;
  return { score, threshold, reached: weighing.length > 0 && score >= threshold, parts };
}
