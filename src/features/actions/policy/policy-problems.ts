import { ruleIdOf } from '../lint/rule-ids.js';
import { canApply, readingsOfBound } from './bound-keys.js';
import { compilePattern } from './patterns.js';
import type { Policy } from './policy.js';
import type { PolicyProblem } from './policy-problem.js';
import { matchesAny } from './tool-glob.js';

/**
 * What is wrong with a policy of the right shape: patterns that are none or that match emptiness,
 * bounds whose least is above their greatest, weights of rules that there are none of.
 */
export function policyProblems(policy: Policy): readonly PolicyProblem[] {
  const problems: PolicyProblem[] = [];
  for (const [index, source] of (policy.deny_tokens_regex ?? []).entries()) {
    const compiled = compilePattern(source);
    if ('refused' in compiled)
      problems.push({
        path: ['deny_tokens_regex', index],
        message: `${JSON.stringify(source)} ${compiled.refused}`,
      });
  }
  for (const [key, [least, greatest]] of Object.entries(policy.bounds ?? {})) {
    const path = ['bounds', key];
    if (!/^[^.].*\.[^.]+$/s.test(key)) problems.push({ path, message: 'is not of the form tool.argument' });
    if (least === null && greatest === null)
      problems.push({ path, message: 'has neither a minimum nor a maximum, so it excludes nothing' });
    if (least !== null && greatest !== null && least > greatest)
      problems.push({ path, message: `has a minimum ${least} above its maximum ${greatest}` });
  }
  for (const key of Object.keys(policy.risk_weights ?? {})) {
    if (ruleIdOf(key) === null)
      problems.push({
        path: ['risk_weights', key],
        message: 'is not a rule; `plan lint --list-rules` lists them',
      });
  }
  return problems;
}

/**
 * Finds bounds of a policy that no step can ever come under, because no tool that is allowed has a name that they
 * begin with. They are looked for in the policy as a whole, after `extends`.
 */
export function unmeetableBounds(policy: Policy): readonly PolicyProblem[] {
  const { allow_tools: allowed = [], deny_tools: denied = [] } = policy;
  return Object.keys(policy.bounds ?? {}).flatMap((key) => {
    const readings = readingsOfBound(key, allowed);
    if (readings.some((reading) => canApply(reading, allowed, denied))) return [];
    const kind = readings.some(({ tool }) => matchesAny(denied, tool))
      ? 'a tool that is denied'
      : 'no tool that is allowed';
    const message = `bounds ${kind}, so it applies to no step`;
    return [{ path: ['bounds', key], message }];
  });
}
