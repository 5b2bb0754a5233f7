import { matchesGlob } from '../../policy/tool-glob.js';
import type { Policy } from '../../policy/policy.js';
import { callsOf } from '../calls.js';
import type { Rule } from '../rule.js';

/** TOOL_DENY: a tool that the policy forbids. */
export const toolDeny: Rule = {
  id: 'TOOL_DENY',
  severity: 'error',
  summary: 'a tool that the policy does not allow',
  explanation: `\`allow_tools\` permits only those tools; \`deny_tools\` forbids tools and wins. In both, \`*\` matches any characters, dots
included. Steps of fallbacks and nested plans count, and so do tools that custom actions of wa or SoulBrowser name in their
arguments. \`allow_tools: []\` allows every tool, as in Plan-Lint; POLICY_INVALID warns of it.`,
  example: {
    policy: 'allow_tools: ["db.query_ro", "notify.*"]\n',
    bad: `{
  "goal": "Refund the order",
  "steps": [{ "id": "pay", "tool": "payments.refund", "parameters": { "order": "A-17" }, "on_fail": "abort" }]
}`,
    good: `{
  "goal": "Tell the customer",
  "steps": [{ "id": "tell", "tool": "notify.email", "parameters": { "order": "A-17" }, "on_fail": "abort" }]
}`,
  },
  *check({ steps, policy, placeOf }) {
    for (const { step, pointer } of steps) {
      for (const { tool, toolAt } of callsOf(step)) {
        const refusal = refusalOf(tool, policy.source);
        if (refusal !== null)
          yield {
            message: `the tool ${tool} ${refusal}`,
            about: [tool],
            region: placeOf(`${pointer}${toolAt}`),
          };
      }
    }
  },
};

function refusalOf(
  tool: string,
  { allow_tools: allowed = [], deny_tools: denied = [] }: Policy,
): string | null {
  const glob = denied.find((pattern) => matchesGlob(pattern, tool));
  if (glob !== undefined)
    return glob === tool ? 'is denied by the policy' : `is denied by ${glob} of the policy`;
  if (allowed.length === 0 || allowed.some((pattern) => matchesGlob(pattern, tool))) return null;
  return 'is not among the tools that the policy allows';
}
