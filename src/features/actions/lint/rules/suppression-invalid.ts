import type { Rule } from '../rule.js';

/** SUPPRESSION_INVALID: a suppression that does not hold. The engine reports it, for only it knows what was suppressed. */
export const suppressionInvalid: Rule = {
  id: 'SUPPRESSION_INVALID',
  severity: 'error',
  summary: 'a suppression without a reason, of no rule, of nothing, or that does not count',
  explanation: `Whoever suppresses a finding says why, so that the next reader can judge whether it still holds. A suppression that gives no reason or names
no rule does not suppress and is an error. One that suppresses nothing (any more) is a warning, and so is one that does not count: a plan
cannot pass over errors that are held against it, unless \`allow_suppressions\` of the policy names the rule. POLICY_INVALID and this rule
cannot be suppressed.`,
  example: {
    policy: 'allow_suppressions: [SQL_WRITE]\n',
    bad: `{
  "goal": "Clean up",
  "steps": [
    { "id": "q", "tool": "db.query", "parameters": { "query": "DELETE FROM sessions" }, "on_fail": "abort", "x-frctl-suppress": [{ "rule": "SQL_WRITE" }] }
  ]
}`,
    good: `{
  "goal": "Clean up",
  "steps": [
    { "id": "q", "tool": "db.query", "parameters": { "query": "DELETE FROM sessions" }, "on_fail": "abort", "x-frctl-suppress": [{ "rule": "SQL_WRITE", "reason": "agreed in OPS-112" }] }
  ]
}`,
  },
  check: () => [],
};
