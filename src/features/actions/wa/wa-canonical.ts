import { memberOf } from '../../../kernel/json/json-document.js';
import type { JsonNode } from '../../../kernel/json/json-scanner.js';
import { sha256 } from '../../../kernel/sha256.js';
import { compareUtf8, plainDecimal, waJson } from './wa-payload.js';
import type { KeyOrder } from './wa-payload.js';

/**
 * The canonical string of a wa plan, from which its ids are made. Strings enter raw, so different plans can
 * have one string: it identifies, and must never alone authorise.
 * @param plan a plan that `checkWaPlan` has nothing against
 */
export function waPlanString(plan: JsonNode, order: KeyOrder): string {
  const preconditions = elementsOf(plan, 'preconditions').map(preconditionString).toSorted(compareUtf8);
  const onFailure = given(plan, 'on_failure');
  return [
    `v=${raw(plan, 'plan_version')}`,
    `ws=${raw(plan, 'workspace_id')}`,
    `title=${raw(plan, 'title')}`,
    ...elementsOf(plan, 'steps').map((step, index) => `step[${index}]=${stepString(step, order)}`),
    ...preconditions.map((text, index) => `precond[${index}]=${text}`),
    ...(onFailure === null ? [] : [`on_failure=${onFailureString(onFailure)}`]),
  ].join('|');
}

/** Hashes of plans, for a nested one is part of the strings of its plan and of its step, and so at each level around it. */
const hashes = { file: new WeakMap<JsonNode, string>(), sorted: new WeakMap<JsonNode, string>() };

/** wa's hash of a plan's canonical string: `sha256:` and 32 hexadecimal digits. */
export function waPlanHash(plan: JsonNode, order: KeyOrder): string {
  const known = hashes[order].get(plan);
  if (known !== undefined) return known;
  const hash = `sha256:${sha256(waPlanString(plan, order)).slice(0, 32)}`;
  hashes[order].set(plan, hash);
  return hash;
}

/** The string that a step's id is made of. @param workspace for the scoped form */
function waStepIdString(step: JsonNode, order: KeyOrder, workspace?: string): string {
  const action = given(step, 'action');
  const scope = workspace === undefined ? '' : `ws=${workspace}|`;
  return `${scope}step=${raw(step, 'step_number')}|action=${action === null ? '' : actionString(action, order)}`;
}

/**
 * wa's id of a step, from its canonical string: `step:` and 16 hexadecimal digits.
 * @param workspace for the scoped form
 */
export function waStepId(step: JsonNode, order: KeyOrder, workspace?: string): string {
  return `step:${sha256(waStepIdString(step, order, workspace)).slice(0, 16)}`;
}

function stepString(step: JsonNode, order: KeyOrder): string {
  const action = given(step, 'action');
  const timeout = given(step, 'timeout_ms');
  const verification = given(step, 'verification');
  const onFailure = given(step, 'on_failure');
  return [
    `n=${raw(step, 'step_number')}`,
    `action=${action === null ? '' : actionString(action, order)}`,
    `desc=${raw(step, 'description')}`,
    `idempotent=${raw(step, 'idempotent')}`,
    ...(timeout === null ? [] : [`timeout=${raw(step, 'timeout_ms')}`]),
    ...elementsOf(step, 'preconditions')
      .map(preconditionString)
      .toSorted(compareUtf8)
      .map((text) => `precond=${text}`),
    ...(verification === null ? [] : [`verify=${verificationString(verification)}`]),
    ...(onFailure === null ? [] : [`on_failure=${onFailureString(onFailure)}`]),
  ].join(',');
}

function actionString(action: JsonNode, order: KeyOrder): string {
  const type = raw(action, 'type');
  return `${type}:${actionFields(type, action, order)}`;
}

function actionFields(type: string, action: JsonNode, order: KeyOrder): string {
  switch (type) {
    case 'send_text':
      return `pane=${pane(action)},text=${raw(action, 'text')},paste=${raw(action, 'paste_mode', 'none')}`;
    case 'wait_for': {
      const condition = given(action, 'condition');
      return `pane=${pane(action)},cond=${condition === null ? '' : conditionString(condition)},timeout=${raw(action, 'timeout_ms')}`;
    }
    case 'acquire_lock':
      return `name=${raw(action, 'lock_name')},timeout=${raw(action, 'timeout_ms', 'none')}`;
    case 'release_lock':
      return `name=${raw(action, 'lock_name')}`;
    case 'store_data':
      return `key=${raw(action, 'key')},value=${payload(action, 'value', order)}`;
    case 'run_workflow': {
      const params = given(action, 'params');
      return `id=${raw(action, 'workflow_id')},params=${params === null ? '' : waJson(params, order)}`;
    }
    case 'mark_event_handled':
      return `id=${raw(action, 'event_id')}`;
    case 'validate_approval':
      return `code=${raw(action, 'approval_code')}`;
    case 'nested_plan': {
      const plan = given(action, 'plan');
      return `hash=${plan === null ? '' : waPlanHash(plan, order)}`;
    }
    default:
      return `type=${raw(action, 'action_type')},payload=${payload(action, 'payload', order)}`;
  }
}

function conditionString(condition: JsonNode): string {
  const type = raw(condition, 'type');
  switch (type) {
    case 'pattern':
      return `pattern:pane=${pane(condition)},rule=${raw(condition, 'rule_id')}`;
    case 'pane_idle':
      return `pane_idle:pane=${pane(condition)},threshold=${raw(condition, 'idle_threshold_ms')}`;
    case 'stable_tail':
      return `stable_tail:pane=${pane(condition)},stable_for_ms=${raw(condition, 'stable_for_ms')}`;
    default:
      return `external:key=${raw(condition, 'key')}`;
  }
}

function preconditionString(condition: JsonNode): string {
  const type = raw(condition, 'type');
  return `${type}:${preconditionFields(type, condition)}`;
}

function preconditionFields(type: string, condition: JsonNode): string {
  switch (type) {
    case 'pane_exists':
      return raw(condition, 'pane_id');
    case 'pane_state':
      return `${raw(condition, 'pane_id')},agent=${raw(condition, 'expected_agent', 'any')},domain=${raw(condition, 'expected_domain', 'any')}`;
    case 'pattern_matched':
      return `${raw(condition, 'rule_id')},pane=${pane(condition)},within=${raw(condition, 'within_ms', 'any')}`;
    case 'pattern_not_matched':
      return `${raw(condition, 'rule_id')},pane=${pane(condition)}`;
    case 'lock_held':
    case 'lock_available':
      return raw(condition, 'lock_name');
    case 'approval_valid': {
      const scope = given(condition, 'scope') ?? condition;
      return `ws=${raw(scope, 'workspace_id')},action=${raw(scope, 'action_kind')},pane=${pane(scope)}`;
    }
    case 'step_completed':
      return raw(condition, 'step_id');
    default:
      return `${raw(condition, 'name')}=${raw(condition, 'expression')}`;
  }
}

function verificationString(verification: JsonNode): string {
  const strategy = given(verification, 'strategy') ?? verification;
  const timeout = given(verification, 'timeout_ms');
  return `${strategyString(strategy)}${timeout === null ? '' : `,timeout=${raw(verification, 'timeout_ms')}`}`;
}

function strategyString(strategy: JsonNode): string {
  const type = raw(strategy, 'type');
  switch (type) {
    case 'pattern_match':
      return `pattern_match:${raw(strategy, 'rule_id')},pane=${pane(strategy)}`;
    case 'pane_idle':
      return `pane_idle:pane=${pane(strategy)},threshold=${raw(strategy, 'idle_threshold_ms')}`;
    case 'pattern_absent':
      return `pattern_absent:${raw(strategy, 'rule_id')},pane=${pane(strategy)},wait=${raw(strategy, 'wait_ms')}`;
    case 'custom':
      return `custom:${raw(strategy, 'name')}=${raw(strategy, 'expression')}`;
    default:
      return 'none';
  }
}

function onFailureString(onFailure: JsonNode): string {
  switch (raw(onFailure, 'strategy')) {
    case 'abort':
      return `abort:${raw(onFailure, 'message')}`;
    case 'retry': {
      const multiplier = given(onFailure, 'backoff_multiplier');
      const mult = multiplier === null ? '1.0' : plainDecimal(Number(raw(onFailure, 'backoff_multiplier')));
      return `retry:max=${raw(onFailure, 'max_attempts')},delay=${raw(onFailure, 'initial_delay_ms')},max_delay=${raw(onFailure, 'max_delay_ms', 'none')},mult=${mult}`;
    }
    case 'skip':
      return `skip:warn=${raw(onFailure, 'warn', 'true')}`;
    case 'fallback':
      return `fallback:${elementsOf(onFailure, 'steps')
        .map((step) => raw(step, 'step_id'))
        .join(',')}`;
    default:
      return `require_approval:${raw(onFailure, 'summary')}`;
  }
}

function pane(node: JsonNode): string {
  return raw(node, 'pane_id', 'any');
}

function payload(node: JsonNode, key: string, order: KeyOrder): string {
  const value = memberOf(node, key);
  return value === null ? 'null' : waJson(value, order);
}

/** A scalar member as it enters the string; `absent` where it is left out or null. */
function raw(node: JsonNode, key: string, absent = ''): string {
  const member = given(node, key);
  if (member === null) return absent;
  if (member.kind === 'number') return member.text;
  return member.kind === 'string' || member.kind === 'literal' ? String(member.value) : absent;
}

function given(node: JsonNode, key: string): JsonNode | null {
  const member = memberOf(node, key);
  return member === null || (member.kind === 'literal' && member.value === null) ? null : member;
}

function elementsOf(node: JsonNode, key: string): readonly JsonNode[] {
  const list = given(node, key);
  return list?.kind === 'array' ? list.elements : [];
}
