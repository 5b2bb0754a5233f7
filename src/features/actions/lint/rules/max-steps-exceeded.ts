import type { Rule } from '../rule.js';
import { quantityOf } from '../../../../kernel/text/quantity-of.js';

/** MAX_STEPS_EXCEEDED: more steps than the policy allows. */
export const maxStepsExceeded: Rule = {
  id: 'MAX_STEPS_EXCEEDED',
  severity: 'error',
  summary: 'more steps than the policy allows',
  explanation: `A plan of very many steps is mostly one that went astray. \`max_steps\` of the policy says how many there may be, 100 where it
says nothing; steps of fallbacks and nested plans count too.`,
  example: {
    policy: 'max_steps: 1\n',
    bad: `{
  "goal": "Copy the file",
  "steps": [
    { "id": "read", "tool": "file.read", "parameters": { "path": "a.txt" }, "on_fail": "abort" },
    { "id": "write", "tool": "file.write", "parameters": { "path": "b.txt" }, "on_fail": "abort" }
  ]
}`,
    good: `{
  "goal": "Copy the file",
  "steps": [{ "id": "copy", "tool": "file.copy", "parameters": { "from": "a.txt", "to": "b.txt" }, "on_fail": "abort" }]
}`,
  },
  *check({ steps, policy, placeOf }) {
    const first = steps[policy.maxSteps];
    if (first === undefined) return;
    const message = `the plan has ${quantityOf(steps.length, 'step')}; the policy allows ${policy.maxSteps}`;
    yield { message, about: [steps.length, policy.maxSteps], region: placeOf(`${first.pointer}/id`) };
  },
};
