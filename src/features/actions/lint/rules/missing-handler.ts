import type { ActionStep } from '../../model/action-plan.js';
import { callsOf } from '../calls.js';
import type { Rule } from '../rule.js';

/** MISSING_HANDLER: something irreversible, and no word on what happens when it fails. */
export const missingHandler: Rule = {
  id: 'MISSING_HANDLER',
  severity: 'error',
  summary: 'an irreversible step that does not say what happens when it fails',
  explanation: `A transfer that failed half-way is not like a query that failed. A step is irreversible if its tool is among
\`tool_patterns.irreversible\` of the policy, or if the step is tagged \`irreversible\` or has \`"irreversible": true\` in its metadata. It
must then say what happens on an error (\`on_fail\`, \`onError\`, \`on_failure\`, \`on_error\`), or the plan must for all its steps.
SoulBrowser's plans always abort and cannot say so; they are passed over.`,
  example: {
    policy: 'tool_patterns:\n  irreversible: ["payments.*"]\n',
    bad: `{
  "goal": "Pay the invoice",
  "steps": [{ "id": "pay", "tool": "payments.transfer", "parameters": { "amount": 12 } }]
}`,
    good: `{
  "goal": "Pay the invoice",
  "steps": [{ "id": "pay", "tool": "payments.transfer", "parameters": { "amount": 12 }, "on_fail": "abort" }]
}`,
  },
  *check({ read, steps, policy, placeOf }) {
    if (read.dialect === 'soulbrowser') return;
    for (const { step, pointer, scope } of steps) {
      const handled = step.on_error !== undefined || scope.plan.defaults?.on_error !== undefined;
      if (handled) continue;
      const called = callsOf(step).find(({ tool }) => policy.isKind('irreversible', tool));
      if (called === undefined && !isMarked(step)) continue;
      const tool = called?.tool ?? step.tool;
      const message = `${tool} cannot be taken back, and nothing says what happens when it fails`;
      yield { message, about: [tool], region: placeOf(`${pointer}/tool`) };
    }
  },
};

function isMarked({ tags = [], metadata }: ActionStep): boolean {
  return tags.includes('irreversible') || metadata?.irreversible === true;
}
