import type { ActionPlan, ActionStep, Check, OnError, Retry, StepDefaults } from '../model/action-plan.js';
import { present, unlessEmpty, withoutMembers } from '../../../kernel/json/json-value.js';
import type { JsonObject } from '../../../kernel/json/json-value.js';
import { scanJson } from '../../../kernel/json/json-scanner.js';
import { textOfJson } from '../../../kernel/json/json-text.js';
import { waPlanHash } from '../wa/wa-canonical.js';
import { WA_ACTIONS, WA_PLAN_VERSION, WA_PRECONDITIONS, WA_VERIFICATIONS } from '../wa/wa-shapes.js';
import { millisecondsOfTime } from './times.js';

/** How often a step is tried that asks for it without a number. */
const ATTEMPTS = 3;
/** Wait between attempts where none is given: wa must be told one. */
const DELAY_MS = 250;

/** Writes a plan as wa has it, with the plan_id that its content gives; what wa has no word for is left out. */
export function writeWa(plan: ActionPlan): JsonObject {
  const json = present({
    plan_version: WA_PLAN_VERSION,
    plan_id: '',
    title: plan.title ?? plan.goal ?? plan.description ?? '',
    workspace_id: plan.workspace ?? '',
    created_at: plan.created_at === undefined ? undefined : millisecondsOfTime(plan.created_at),
    steps: plan.steps.map((step, index) => writeStep(step, index + 1, plan)),
    preconditions: unlessEmpty(plan.preconditions?.flatMap(writePrecondition)),
    on_failure: writeOnFailure(plan.defaults ?? {}, {}, plan),
    metadata: plan.metadata,
  });
  return { ...json, plan_id: planIdOf(json) };
}

function planIdOf(plan: JsonObject): string {
  const scanned = scanJson(textOfJson(plan), Number.MAX_SAFE_INTEGER);
  return 'root' in scanned ? waPlanHash(scanned.root, 'file').replace('sha256:', 'plan:') : '';
}

function writeStep(step: ActionStep, number: number, plan: ActionPlan): JsonObject {
  const action = writeAction(step);
  return present({
    step_number: number,
    step_id: step.id,
    action,
    description: step.title ?? step.detail ?? step.tool,
    preconditions: unlessEmpty([
      ...(step.depends_on ?? []).map((id) => ({ type: 'step_completed', step_id: id })),
      ...(step.requires_approval === true ? [approvalOf(action, plan)] : []),
      ...(step.preconditions ?? []).flatMap(writePrecondition),
    ]),
    verification: step.verifications && writeVerification(step.verifications),
    on_failure: writeOnFailure(step, plan.defaults ?? {}, plan),
    timeout_ms: step.timeout_ms,
    idempotent: step.idempotent ?? false,
  });
}

function writeAction({ tool, args, plan }: ActionStep): JsonObject {
  if (plan !== undefined) return { type: 'nested_plan', plan: writeWa(plan) };
  const type = tool.slice('wa:'.length);
  if (tool.startsWith('wa:') && Object.hasOwn(WA_ACTIONS, type) && type !== 'nested_plan')
    return { type, ...withoutMembers(args, 'type') };
  return { type: 'custom', action_type: tool, payload: args };
}

function approvalOf(action: JsonObject, plan: ActionPlan): JsonObject {
  const scope = { workspace_id: plan.workspace ?? '', action_kind: action.type ?? '' };
  return { type: 'approval_valid', scope };
}

function writePrecondition(check: Check): readonly JsonObject[] {
  const type = check.type.slice('wa:'.length);
  if (!check.type.startsWith('wa:') || !Object.hasOwn(WA_PRECONDITIONS, type)) return [];
  return [{ type, ...withoutMembers(check.args, 'type') }];
}

/** wa verifies in one way; the first that is its own is taken. */
function writeVerification(checks: readonly Check[]): JsonObject | undefined {
  const own = checks.find(({ type }) => Object.hasOwn(WA_VERIFICATIONS, type.slice('wa:'.length)));
  if (own === undefined || !own.type.startsWith('wa:')) return undefined;
  return present({
    strategy: { type: own.type.slice('wa:'.length), ...withoutMembers(own.args, 'type') },
    description: own.description,
    timeout_ms: own.timeout_ms,
  });
}

/**
 * wa says in one place what is done on an error: trying again, then stopping, or one of the other ways without
 * another attempt.
 */
function writeOnFailure(own: StepDefaults, defaults: StepDefaults, plan: ActionPlan): JsonObject | undefined {
  if (own.on_error === undefined && own.retry === undefined) return undefined;
  const onError = own.on_error ?? defaults.on_error ?? { strategy: 'stop' };
  const retry = own.retry ?? defaults.retry;
  if (onError.strategy === 'retry') return writeRetry(retry ?? { max_attempts: ATTEMPTS });
  const isOnce = retry === undefined || (retry.max_attempts <= 1 && own.on_error !== undefined);
  if (onError.strategy === 'stop' && onError.message === undefined && !isOnce) return writeRetry(retry);
  return writeStrategy(onError, plan);
}

function writeStrategy(onError: OnError, plan: ActionPlan): JsonObject {
  switch (onError.strategy) {
    case 'skip':
      return present({ strategy: 'skip', warn: onError.warn });
    case 'fallback': {
      // What holds for the steps of a plan does not hold for those that take the place of one.
      const { defaults: _none, ...bare } = plan;
      const steps = onError.steps.map((step, index) => writeStep(step, index + 1, bare));
      return { strategy: 'fallback', steps };
    }
    case 'approval':
      return { strategy: 'require_approval', summary: onError.summary };
    default:
      return present({ strategy: 'abort', message: 'message' in onError ? onError.message : undefined });
  }
}

function writeRetry(retry: Retry): JsonObject {
  return present({
    strategy: 'retry',
    max_attempts: retry.max_attempts,
    initial_delay_ms: retry.initial_delay_ms ?? DELAY_MS,
    max_delay_ms: retry.max_delay_ms,
    backoff_multiplier: retry.multiplier,
  });
}
