import { boundProblems } from '../bounds/bound-values.js';
import { callsOf } from '../calls.js';
import { contextResolver } from '../bounds/context-resolver.js';
import type { Rule } from '../rule.js';

/** BOUND_VIOLATION: an argument outside what the policy allows. */
export const boundViolation: Rule = {
  id: 'BOUND_VIOLATION',
  severity: 'error',
  summary: 'an argument outside the bounds of the policy',
  explanation: `A bound is \`tool.argument: [least, greatest]\`, inclusive; \`null\` is open. The tool may be a glob or contain dots: \`a.b.c\`
means \`b.c\` of the tool \`a\` and \`c\` of the tool \`a.b\`, unless \`allow_tools\` names one of them. The argument is a path
(\`transfer.amount\`, \`items.0.price\`, \`items.*.price\`). Numbers and numeric strings are compared exactly; \`"NaN"\`,
\`"Infinity"\`, \`"0x1F"\`, \`"5,000"\` and other text violate every bound. A list is bounded by its size, and so are the numbers in it;
\`list.length\` bounds the size alone. Lists and JSON text in place of an object are searched. A value unknown before the run, such as
a reference, is a warning; references to the plan's \`context\` are resolved.`,
  example: {
    policy: 'bounds:\n  payments.transfer.amount: [0.01, 500]\n',
    bad: `{
  "goal": "Pay the invoice",
  "steps": [{ "id": "pay", "tool": "payments.transfer", "parameters": { "amount": "5000" }, "on_fail": "abort" }]
}`,
    good: `{
  "goal": "Pay the invoice",
  "steps": [{ "id": "pay", "tool": "payments.transfer", "parameters": { "amount": "500" }, "on_fail": "abort" }]
}`,
  },
  *check({ steps, policy, read, placeOf }) {
    if (policy.bounds.length === 0) return;
    for (const scoped of steps) {
      const resolve = contextResolver(scoped, read.dialect);
      for (const { tool, args, argsAt } of callsOf(scoped.step)) {
        for (const { bound, path } of policy.boundsOn(tool)) {
          for (const { pointer, ...problem } of boundProblems(args, path, argsAt, bound, resolve))
            yield { ...problem, region: placeOf(`${scoped.pointer}${pointer}`) };
        }
      }
    }
  },
};
