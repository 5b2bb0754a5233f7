import { isPlainName } from '../../policy/tool-glob.js';
import type { Bound } from '../../policy/prepared-policy.js';
import { referencesOf } from '../../references.js';
import { dialectOf } from '../../dialects.js';
import { outOfBound, rangeOf, valuesAt } from '../bound-values.js';
import type { Rule } from '../rule.js';
import type { Subject } from '../subject.js';

/** BOUND_VIOLATION: an argument outside what the policy allows. */
export const boundViolation: Rule = {
  id: 'BOUND_VIOLATION',
  severity: 'error',
  summary: 'an argument outside the bounds of the policy',
  explanation: `A bound is written \`tool.argument: [least, greatest]\`, both included; \`null\` leaves a side open. Tools with dots in
their names work: of the tools that a plan or the policy knows, the longest that the key begins with is meant. The rest is a path
into the arguments (\`transfer.amount\`, \`items.0.price\`, \`items.*.price\`). A list is bounded by its size, a string that is a number by
that number; \`"NaN"\` and text are outside every bound. Where the value is a reference nobody can tell before the plan runs: that is a warning.`,
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
  *check(subject) {
    const { steps, policy, placeOf } = subject;
    if (policy.bounds.length === 0) return;
    const boundsOf = boundsByTool(subject);
    for (const { step, pointer } of steps) {
      for (const { bound, path } of boundsOf(step.tool)) {
        for (const { value, pointer: at } of valuesAt(step.args, path, `${pointer}/args`)) {
          if (typeof value === 'string' && isReferring(value, subject)) {
            const message = `whether ${bound.key} is within ${rangeOf(bound)} is known only when the plan runs, for it is a reference`;
            yield { message, place: placeOf(at), severity: 'warning' };
            continue;
          }
          const problem = outOfBound(value, bound);
          if (problem !== null) yield { message: `${bound.key} ${problem}`, place: placeOf(at) };
        }
      }
    }
  },
};

interface ToolBound {
  readonly bound: Bound;
  readonly path: readonly string[];
}

/** Which bounds a tool comes under: those whose key begins with it, and with no longer tool that is known. */
function boundsByTool({ steps, policy }: Subject): (tool: string) => readonly ToolBound[] {
  const { allow_tools: allowed = [], deny_tools: denied = [] } = policy.source;
  const known = new Set([
    ...steps.map(({ step }) => step.tool),
    ...[...allowed, ...denied].filter(isPlainName),
  ]);
  const byTool = new Map<string, ToolBound[]>();
  for (const bound of policy.bounds) {
    const words = bound.key.split('.');
    for (let length = words.length - 1; length > 0; length -= 1) {
      const tool = words.slice(0, length).join('.');
      if (!known.has(tool)) continue;
      byTool.set(tool, [...(byTool.get(tool) ?? []), { bound, path: words.slice(length) }]);
      break;
    }
  }
  return (tool) => byTool.get(tool) ?? [];
}

function isReferring(value: string, { read }: Subject): boolean {
  const syntax = dialectOf(read.dialect).references;
  return referencesOf(value, { syntax }).length > 0;
}
