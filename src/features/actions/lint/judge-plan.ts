import type { ActionPlan } from '../model/action-plan.js';
import type { DialectName } from '../model/dialect.js';
import { readJsonDocument } from '../../../kernel/json/json-document.js';
import type { JsonObject } from '../../../kernel/json/json-value.js';
import type { PreparedPolicy } from '../policy/prepared-policy.js';
import type { ReadActionPlan } from '../model/read-action-plan.js';
import { checkPlan, observationsOf, severityOfFound } from './check-plan.js';
import type { PlanCheck } from './check-plan.js';
import type { Rule } from './rule.js';
import { boundViolation } from './rules/bound-violation.js';
import { sqlWriteRule } from './rules/sql-write.js';
import { toolDeny } from './rules/tool-deny.js';
import { createSubject } from './subject.js';

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

/** The rules that judge a call by its tool and its arguments. */
const OF_CALLS: readonly Rule[] = [toolDeny, boundViolation, sqlWriteRule];

/** A call as it is about to be made: its references have their values, and no text in it is one. */
export interface JudgedCall {
  readonly id: string;
  readonly tool: string;
  readonly args: JsonObject;
}

/**
 * Judges a call whose arguments are known by now, by the rules that could not judge them in the plan.
 * @returns what the first finding of severity error says, or null
 */
export function judgeCall({ id, tool, args }: JudgedCall, policy: PreparedPolicy): string | null {
  const subject = createSubject(aloneInPlan({ steps: [{ id, tool, args }] }), policy);
  for (const rule of OF_CALLS) {
    if (policy.severityOf(rule.id) === 'off') continue;
    const found = observationsOf(rule, subject).find((one) => severityOfFound(one, policy) === 'error');
    if (found !== undefined) return found.observation.message;
  }
  return null;
}

/** A plan that stands in no document, in whose strings nothing is a reference. */
function aloneInPlan(plan: ActionPlan): ReadActionPlan {
  return {
    dialect: 'soulbrowser',
    variant: null,
    plan,
    document: readJsonDocument('{}'),
    body: '',
    sidecar: null,
    losses: [],
    deviations: [],
    pointerOf: () => '',
    positionOf: () => ({ line: 1, column: 1 }),
  };
}
