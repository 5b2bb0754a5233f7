import { SANDBOXES } from '../tools/bindings.js';
import type { Policy } from './policy.js';

/**
 * What two policies come to together. What forbids adds up (deny_tools, deny_tokens_regex); maps (bounds,
 * risk_weights, severities, tool_patterns) are joined key by key; of two sandboxes the narrower counts; of everything else the added one's word counts.
 */
export function mergePolicies(base: Policy, added: Policy): Policy {
  const { extends: _extends, $schema: _schema, ...own } = added;
  const { extends: _from, $schema: _of, ...below } = base;
  return {
    ...below,
    ...own,
    deny_tools: joined(below.deny_tools, own.deny_tools),
    deny_tokens_regex: joined(below.deny_tokens_regex, own.deny_tokens_regex),
    bounds: overlaid(below.bounds, own.bounds),
    risk_weights: overlaid(below.risk_weights, own.risk_weights),
    severities: overlaid(below.severities, own.severities),
    tool_patterns: overlaid(below.tool_patterns, own.tool_patterns),
    ...confinementOf(below, own),
  };
}

/** What is added can confine commands more, and not less. */
function confinementOf(below: Policy, own: Policy): Pick<Policy, 'sandbox' | 'require_sandbox'> {
  const asked = new Set([below.sandbox, own.sandbox]);
  const sandbox = SANDBOXES.findLast((kind) => asked.has(kind));
  const isRequired = below.require_sandbox === true || own.require_sandbox === true;
  return {
    ...(sandbox === undefined ? {} : { sandbox }),
    ...(isRequired ? { require_sandbox: true } : {}),
  };
}

function joined<T>(first: readonly T[] | undefined, second: readonly T[] | undefined): T[] | undefined {
  if (first === undefined && second === undefined) return undefined;
  return [...new Set([...(first ?? []), ...(second ?? [])])];
}

function overlaid<T extends object>(first: T | undefined, second: T | undefined): T | undefined {
  return first === undefined || second === undefined ? (second ?? first) : { ...first, ...second };
}
