import type { Rule } from '../rule.js';

/** SUPPRESSION_INVALID: a suppression that does not hold. The engine reports it, for only it knows what was suppressed. */
export const suppressionInvalid: Rule = {
  id: 'SUPPRESSION_INVALID',
  severity: 'error',
  summary: 'a suppression that has no reason or rule, suppresses nothing, or is not allowed',
  explanation: `A suppression needs a reason, so that the next reader can judge it. Without a reason or rule it is an error and has no effect.
One that suppresses nothing, or that is not allowed, is a warning: a plan cannot excuse its own errors unless \`allow_suppressions\` of the policy
names the rule. POLICY_INVALID and this rule cannot be suppressed.`,
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
