import type { Rule } from '../rule.js';

/** POLICY_INVALID: a policy that can be used and makes one wonder. A wrong one is an error before any plan is looked at. */
export const policyInvalid: Rule = {
  id: 'POLICY_INVALID',
  severity: 'warning',
  summary: 'a policy that does not mean what it seems to',
  explanation: `A policy with mistakes is refused with the error of the same name (exit status 2) and nothing is checked. This warning is about
an empty \`allow_tools\`, which allows everything although it looks like the opposite.`,
  example: {
    policy: 'allow_tools: []\n',
    bad: `{
  "goal": "Greet",
  "steps": [{ "id": "tell", "tool": "notify.email", "parameters": { "body": "Hello!" }, "on_fail": "abort" }]
}`,
    good: `{
  "goal": "Greet",
  "steps": [{ "id": "tell", "tool": "notify.email", "parameters": { "body": "Hello!" }, "on_fail": "abort" }]
}`,
    goodPolicy: 'allow_tools: ["notify.*"]\n',
  },
  *check({ policy, placeOf }) {
    for (const { path, message, position } of policy.warnings) {
      const file = policy.file ?? 'the policy';
      const region = position === null ? file : `${file}:${position.line}:${position.column}`;
      yield {
        message: `${region}: ${path.join('.')} ${message}`,
        about: [...path, message],
        region: placeOf('/steps/0/id'),
      };
    }
  },
};
