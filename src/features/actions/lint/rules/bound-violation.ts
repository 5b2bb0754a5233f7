import { boundProblems } from '../bounds/bound-values.js';
import { callsOf } from '../calls.js';
import { contextResolver } from '../bounds/context-resolver.js';
import type { Rule } from '../rule.js';

/** BOUND_VIOLATION: an argument outside what the policy allows. */
export const boundViolation: Rule = {
  id: 'BOUND_VIOLATION',
  severity: 'error',
  summary: 'an argument outside the bounds of the policy',
  explanation: `A bound is written \`tool.argument: [least, greatest]\`, both included; \`null\` leaves a side open. The tool may be a glob, and
tools with dots in their names work: \`a.b.c\` is about \`b.c\` of the tool \`a\` and about \`c\` of the tool \`a.b\`, unless \`allow_tools\` names one
of these outright; which tools a plan uses changes nothing. The rest is a path into the arguments (\`transfer.amount\`, \`items.0.price\`,
\`items.*.price\`); an argument that is itself named \`transfer.amount\` comes under it as well as the nested one. Numbers are compared exactly,
and so are strings that are numbers; \`"NaN"\`, \`"Infinity"\`, \`"0x1F"\`, \`"5,000"\` and other text are outside every bound. A list is
bounded by its size, and what in it is a number or reads like one must be within the bound, too; \`list.length\` bounds the size
alone. Lists and JSON text that stand where an object is expected are looked into. A value that cannot be known before the plan runs, such as a reference, is a warning; a
reference to the plan's own \`context\` is known.`,
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
