import { PlanError } from '../../../kernel/errors.js';
import { policySchema } from '../policy/policy.js';
import type { Policy } from '../policy/policy.js';
import { policyError } from '../policy/policy-problem.js';
import { noPolicy, preparePolicy } from '../policy/prepared-policy.js';
import type { PreparedPolicy } from '../policy/prepared-policy.js';
import { checkPlan } from './check-plan.js';
import type { PlanCheck } from './check-plan.js';
import type { DialectName } from '../model/dialect.js';
import { planText } from './plan-text.js';
import { IN_OUR_WORDS } from '../../../kernel/word-issue.js';

export interface LintOptions {
  /** The dialect; found by the shape of the plan when it is left out. */
  readonly dialect?: DialectName | undefined;
}

/**
 * Checks an action plan as `plan lint` does, by the same engine: the verdict on a text is that on a file of it.
 * @param plan the text of a plan, or the plan as an object, of any dialect; what is no JSON in an object (NaN,
 *   a function) is a finding, and positions are then those of the object printed with two spaces
 * @param policy a policy as an object, or the text of one as YAML or JSON; it cannot extend a file
 * @throws PlanError INVALID_INPUT for a text that is no JSON, UNSUPPORTED_VERSION, POLICY_INVALID
 */
export async function lint(
  plan: string | object,
  policy?: Policy | string,
  options: LintOptions = {},
): Promise<PlanCheck> {
  const prepared = await prepare(policy);
  const { text, deviations } = typeof plan === 'string' ? { text: plan, deviations: [] } : planText(plan);
  const { clean, dialect, findings, suppressed, risk } = checkPlan(text, prepared, {
    ...options,
    deviations,
  });
  return { clean, dialect, findings, suppressed, risk };
}

async function prepare(policy: Policy | string | undefined): Promise<PreparedPolicy> {
  if (policy === undefined) return noPolicy();
  if (typeof policy === 'string') {
    const { readPolicy } = await import('../policy/read-policy.js');
    return readPolicy(policy, 'the policy', { resolve: refuse, read: refuse });
  }
  const parsed = policySchema.safeParse(policy, IN_OUR_WORDS);
  if (!parsed.success) {
    const problems = parsed.error.issues.map(({ path, message }) => ({
      path: path.filter((key) => typeof key !== 'symbol'),
      message,
      position: null,
    }));
    throw policyError('the policy', problems);
  }
  if (parsed.data.extends !== undefined) await refuse();
  return preparePolicy(parsed.data, { file: null });
}

function refuse(): Promise<string> {
  return Promise.reject(new PlanError('POLICY_INVALID', 'extends is for policies that are files'));
}
