import type { ActionStep } from '../../actions/model/action-plan.js';
import { judgeCall } from '../../actions/lint/judge-plan.js';
import { noPolicy } from '../../actions/policy/prepared-policy.js';
import type { PreparedPolicy } from '../../actions/policy/prepared-policy.js';
import type { Run } from '../model/run.js';
import { canonicalJson } from '../../../kernel/json/canonical-json.js';
import { isJsonObject } from '../../../kernel/json/json-value.js';
import type { JsonObject } from '../../../kernel/json/json-value.js';
import { sha256 } from '../../../kernel/sha256.js';
import { loadPolicy } from '../../actions/operations/load-policy.js';
import type { Context } from '../../../operations/shared/context.js';
import { preflightRefusal } from './preflight.js';

/** Why a policy refuses a call, now that its arguments are known; null where it does not. */
export type PolicyRefusal = (step: ActionStep, args: JsonObject) => string | null;

/**
 * The policy that the plan was judged by, for what could not be judged then.
 * @returns undefined where there was none
 * @throws PlanError E_PLAN_HASH_MISMATCH when the policy is another one by now, FILE_NOT_FOUND
 */
export async function policyOfRun(context: Context, run: Run): Promise<PreparedPolicy | undefined> {
  const { policy, policy_digest: digest } = run.prepared;
  if (policy === undefined) return undefined;
  const now = await loadPolicy(context, policy.file);
  if (policyDigest(now) !== digest)
    throw preflightRefusal(
      'E_PLAN_HASH_MISMATCH',
      run,
      `the policy ${policy.file} has changed since it was prepared`,
      'Prepare it again.',
    );
  return now;
}

/** The digest of a policy with all that it extends, as it is judged by. */
export function policyDigest({ source }: PreparedPolicy): string {
  const plain: unknown = JSON.parse(JSON.stringify(source));
  return sha256(canonicalJson(isJsonObject(plain) ? plain : null));
}

/**
 * Judges calls by a policy, for what references brought could not be judged before. Where there is none the rules
 * count that need none, as they do when a plan is prepared.
 */
export function policyRefusal(policy: PreparedPolicy = noPolicy()): PolicyRefusal {
  return ({ id, tool }, args) => judgeCall({ id, tool, args }, policy);
}
