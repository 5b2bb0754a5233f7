import type { DialectName } from '../dialect.js';
import type { PreparedPolicy } from '../policy/prepared-policy.js';
import { checkPlan } from './check-plan.js';
import type { PlanCheck } from './check-plan.js';

/**
 * Judges a plan where the verdict decides something: whether a draft is good, whether a plan is put before a person and may
 * run. The policy alone judges. Nothing that the plan says of itself counts: no suppression in it, also none that the policy
 * lets `plan lint` pass over.
 * @throws PlanError INVALID_INPUT for what is no JSON, UNSUPPORTED_VERSION for a plan of a newer version
 */
export function judgePlan(text: string, policy: PreparedPolicy, dialect?: DialectName): PlanCheck {
  const {
    clean,
    dialect: found,
    findings,
    suppressed,
    risk,
  } = checkPlan(text, policy, {
    dialect,
    suppressions: 'never',
  });
  return { clean, dialect: found, findings, suppressed, risk };
}
