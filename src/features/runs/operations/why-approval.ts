import { secretUses } from '../../actions/tools/secret-uses.js';
import type { PreparedPolicy } from '../../actions/policy/prepared-policy.js';
import { APPROVAL_CONDITION } from '../model/steps/run-step.js';
import type { RunSteps } from '../model/steps/run-step.js';
import type { Context } from '../../../operations/shared/context.js';
import { waivedTools } from './run-approvals.js';
import type { UsedTools } from './prepared-tools.js';

/** What it depends on whether a person must agree. */
export interface ApprovalCauses {
  readonly steps: RunSteps;
  readonly used: UsedTools;
  readonly policy: PreparedPolicy | undefined;
  /** What the plan lost when it was carried over. */
  readonly losses: readonly string[];
}

/**
 * Why a person must agree; empty where nobody must. It is found out when a run is prepared, and again when it is carried
 * out: that a log says that nobody must agree is no reason.
 */
export async function whyApproval(
  context: Context,
  { steps, used, policy, losses }: ApprovalCauses,
): Promise<readonly string[]> {
  const waived = await waivedTools(context);
  const acting = used.tools.filter(({ effects, name }) => effects !== 'none' && !waived.has(name));
  const telling = [...used.tools, ...used.conditions].filter(({ name }) => !waived.has(name));
  const asked = steps.all.filter(({ step }) => step.requires_approval);
  return [
    ...acting.map(
      ({ name, effects }) => `${name} ${effects === 'once' ? 'acts on the world' : 'changes something'}`,
    ),
    ...telling.flatMap(secretReason),
    ...((steps.root.plan.preconditions ?? []).some(({ type }) => type === APPROVAL_CONDITION)
      ? ['the plan asks for it']
      : []),
    ...asked.map(({ id }) => `the step ${id} asks for it`),
    // Plan-Lint takes an empty list for every tool; whoever wrote it may have meant none.
    ...(policy?.source.allow_tools?.length === 0
      ? ['the policy allows every tool, for its list of allowed tools is empty']
      : []),
    ...(losses.length === 0 ? [] : ['the plan does not do all that it did before it was converted']),
  ];
}

/** A tool that only reads can carry a secret out. What its server says of it has no effect. */
function secretReason({ name, binding }: UsedTools['conditions'][number]): readonly string[] {
  const { offered: _offered, ...own } = binding;
  const variables = [...new Set(secretUses(own).map(({ variable }) => variable))];
  return variables.length === 0 ? [] : [`${name} gets a secret of yours: ${variables.join(', ')}`];
}
