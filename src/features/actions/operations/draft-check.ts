import { resolve } from 'node:path';

import { exists } from '../../../host/files/exists.js';
import { isBelow } from '../../../host/files/is-below.js';
import type { ActionPlan } from '../model/action-plan.js';
import type { DraftFinding } from '../tools/draft-finding.js';
import type { Tool } from '../tools/tools-file.js';
import type { Context } from '../../../operations/shared/context.js';
import type { DraftCheck } from './draft-goal.js';

/**
 * What a drafted plan is checked against: the tools, if they are known, and the rules of `plan lint` under a policy. What the
 * plan says of its own suppressions does not count: whoever drafted it would judge himself.
 * @param policy a file; without one no more than the rules that need none
 * @throws PlanError INVALID_INPUT for a schema that cannot be used; POLICY_INVALID, FILE_NOT_FOUND
 */
export async function createDraftCheck(
  context: Context,
  tools: readonly Tool[] | null,
  policy: string | undefined,
): Promise<DraftCheck> {
  const checkCalls = tools === null ? null : await callChecker(tools, context.environment.workingFolder);
  const checkRules = await ruleChecker(context, policy);
  return (plan) => [...(checkCalls?.(plan) ?? []), ...checkRules(plan)];
}

async function callChecker(tools: readonly Tool[], workspace: string): Promise<DraftCheck> {
  const { createArgumentChecker } = await import('../tools/argument-checker.js');
  const { createFlowChecker } = await import('../tools/flow-checker.js');
  const checkArguments = createArgumentChecker(tools);
  const checkFlow = createFlowChecker(tools, (root, path) => {
    const file = resolve(workspace, root, path);
    return isBelow(file, workspace) && exists(file);
  });
  return (plan) => [...checkArguments(plan), ...checkFlow(plan)];
}

async function ruleChecker(context: Context, policy: string | undefined): Promise<DraftCheck> {
  const { frctl } = await import('../dialects/frctl.js');
  const { textOfJson } = await import('../../../kernel/json/json-text.js');
  const { judgePlan } = await import('../lint/judge-plan.js');
  const { noPolicy } = await import('../policy/prepared-policy.js');
  const prepared =
    policy === undefined ? noPolicy() : await (await import('./load-policy.js')).loadPolicy(context, policy);
  return (plan: ActionPlan) => {
    const text = textOfJson(frctl.write(plan, null), '  ');
    const { findings, risk } = judgePlan(text, prepared, 'frctl');
    const told = findings.map(({ rule, severity, message, pointer, step }): DraftFinding => ({
      rule,
      severity,
      message,
      pointer,
      step,
    }));
    if (!risk.reached) return told;
    const message = `the plan has risk ${risk.score}, and the policy fails it from ${risk.threshold}`;
    return [...told, { rule: 'RISK_THRESHOLD', severity: 'error', message, pointer: '', step: null }];
  };
}
