import { pointerTo } from '../../../kernel/json/json-pointer.js';
import type { JsonNode } from '../../../kernel/json/json-scanner.js';
import type { Cursor, Reading } from '../model/reading.js';

/** The greatest `plan_version` that is read. */
export const WA_PLAN_VERSION = 1;

/** What a member must be; `?` marks one that may be left out or null. */
type Shape =
  `${'u64' | 'u32' | 'i64' | 'f64' | 'text' | 'flag' | 'json' | 'plan' | 'steps' | 'scope' | 'condition' | 'strategy'}${'' | '?'}`;
type Shapes = Readonly<Record<string, Shape>>;

/** The members of each variant, by the tag that names it. */
export const WA_ACTIONS: Readonly<Record<string, Shapes>> = {
  send_text: { pane_id: 'u64', text: 'text', paste_mode: 'flag?' },
  wait_for: { pane_id: 'u64?', condition: 'condition', timeout_ms: 'u64' },
  acquire_lock: { lock_name: 'text', timeout_ms: 'u64?' },
  release_lock: { lock_name: 'text' },
  store_data: { key: 'text', value: 'json' },
  run_workflow: { workflow_id: 'text', params: 'json?' },
  mark_event_handled: { event_id: 'i64' },
  validate_approval: { approval_code: 'text' },
  nested_plan: { plan: 'plan' },
  custom: { action_type: 'text', payload: 'json' },
};
const CONDITIONS: Readonly<Record<string, Shapes>> = {
  pattern: { pane_id: 'u64?', rule_id: 'text' },
  pane_idle: { pane_id: 'u64?', idle_threshold_ms: 'u64' },
  stable_tail: { pane_id: 'u64?', stable_for_ms: 'u64' },
  external: { key: 'text' },
};
export const WA_PRECONDITIONS: Readonly<Record<string, Shapes>> = {
  pane_exists: { pane_id: 'u64' },
  pane_state: { pane_id: 'u64', expected_agent: 'text?', expected_domain: 'text?' },
  pattern_matched: { rule_id: 'text', pane_id: 'u64?', within_ms: 'u64?' },
  pattern_not_matched: { rule_id: 'text', pane_id: 'u64?' },
  lock_held: { lock_name: 'text' },
  lock_available: { lock_name: 'text' },
  approval_valid: { scope: 'scope' },
  step_completed: { step_id: 'text' },
  custom: { name: 'text', expression: 'text' },
};
export const WA_VERIFICATIONS: Readonly<Record<string, Shapes>> = {
  pattern_match: { rule_id: 'text', pane_id: 'u64?' },
  pane_idle: { pane_id: 'u64?', idle_threshold_ms: 'u64' },
  pattern_absent: { rule_id: 'text', pane_id: 'u64?', wait_ms: 'u64' },
  custom: { name: 'text', expression: 'text' },
  none: {},
};
const ON_FAILURE: Readonly<Record<string, Shapes>> = {
  abort: { message: 'text?' },
  retry: { max_attempts: 'u32', initial_delay_ms: 'u64', max_delay_ms: 'u64?', backoff_multiplier: 'f64?' },
  skip: { warn: 'flag?' },
  fallback: { steps: 'steps' },
  require_approval: { summary: 'text' },
};
const SCOPE: Shapes = { workspace_id: 'text', action_kind: 'text', pane_id: 'u64?' };
const VERIFICATION: Shapes = { strategy: 'strategy', description: 'text?', timeout_ms: 'u64?' };
const PLAN: Shapes = {
  plan_version: 'u32',
  plan_id: 'text',
  title: 'text',
  workspace_id: 'text',
  created_at: 'i64?',
  steps: 'steps',
};
const STEP: Shapes = {
  step_number: 'u32',
  step_id: 'text',
  description: 'text',
  timeout_ms: 'u64?',
  idempotent: 'flag',
};

const RANGES = {
  u32: [0n, 2n ** 32n - 1n],
  u64: [0n, 2n ** 64n - 1n],
  i64: [-(2n ** 63n), 2n ** 63n - 1n],
} as const;

/**
 * Checks the shape of a plan as wa itself would read it: required members, types, the ranges of its integers, and
 * tags that it knows; unknown members are allowed, and null stands for what is left out. Each problem is noted.
 */
export function checkWaPlan(plan: Cursor, reading: Reading): void {
  if (!isObject(plan, reading)) return;
  checkMembers(plan, PLAN, reading);
  checkVariants(plan, 'preconditions', WA_PRECONDITIONS, reading);
  checkOnFailure(plan, reading);
}

function checkStep(step: Cursor, reading: Reading): void {
  if (!isObject(step, reading)) return;
  checkMembers(step, STEP, reading);
  const action = reading.member(step, 'action');
  if (action === undefined) reading.problem(step.pointer, 'action is missing');
  else checkVariant(action, 'type', WA_ACTIONS, reading);
  checkVariants(step, 'preconditions', WA_PRECONDITIONS, reading);
  const verification = reading.member(step, 'verification');
  if (verification !== undefined) checkMembers(verification, VERIFICATION, reading);
  checkOnFailure(step, reading);
}

function checkOnFailure(owner: Cursor, reading: Reading): void {
  const onFailure = reading.member(owner, 'on_failure');
  if (onFailure !== undefined) checkVariant(onFailure, 'strategy', ON_FAILURE, reading);
}

function checkVariants(
  owner: Cursor,
  key: string,
  variants: Readonly<Record<string, Shapes>>,
  reading: Reading,
): void {
  for (const cursor of reading.list(owner, key) ?? []) checkVariant(cursor, 'type', variants, reading);
}

function checkVariant(
  cursor: Cursor,
  tag: string,
  variants: Readonly<Record<string, Shapes>>,
  reading: Reading,
): void {
  if (!isObject(cursor, reading)) return;
  const name = reading.requiredText(cursor, tag);
  const shapes = Object.hasOwn(variants, name) ? variants[name] : undefined;
  if (shapes !== undefined) checkMembers(cursor, shapes, reading);
  else if (reading.member(cursor, tag) !== undefined) {
    const known = Object.keys(variants).join(', ');
    reading.problem(pointerTo(cursor.pointer, tag), `${JSON.stringify(name)} is none of ${known}`);
  }
}

function checkMembers(cursor: Cursor, shapes: Shapes, reading: Reading): void {
  if (!isObject(cursor, reading)) return;
  for (const [key, shape] of Object.entries(shapes)) {
    const member = memberFor(cursor, key, shape, reading);
    if (member !== undefined) checkMember(member, key, shape, reading);
    else if (!shape.endsWith('?')) reading.problem(cursor.pointer, `${key} is missing`);
  }
}

/** For JSON of any kind null is a value. */
function memberFor(cursor: Cursor, key: string, shape: Shape, reading: Reading): Cursor | undefined {
  const member = reading.member(cursor, key);
  if (member !== undefined || shape !== 'json' || cursor.node.kind !== 'object') return member;
  const found = cursor.node.members.findLast((one) => one.key === key);
  return found && { node: found.value, pointer: pointerTo(cursor.pointer, key) };
}

function checkMember(cursor: Cursor, key: string, shape: Shape, reading: Reading): void {
  const { node, pointer } = cursor;
  switch (shape) {
    case 'plan':
      return checkWaPlan(cursor, reading);
    case 'scope':
      return checkMembers(cursor, SCOPE, reading);
    case 'condition':
      return checkVariant(cursor, 'type', CONDITIONS, reading);
    case 'strategy':
      return checkVariant(cursor, 'type', WA_VERIFICATIONS, reading);
    case 'steps':
      if (node.kind !== 'array') return reading.problem(pointer, `${key} must be a list`);
      return node.elements.forEach((step, index) =>
        checkStep({ node: step, pointer: pointerTo(pointer, index) }, reading),
      );
    default: {
      const wanted = scalarProblem(node, shape);
      if (wanted !== null) reading.problem(pointer, `${key} must be ${wanted}`);
    }
  }
}

function scalarProblem(node: JsonNode, shape: Shape): string | null {
  const name = shape.replace('?', '');
  switch (name) {
    case 'text':
      if (node.kind !== 'string') return 'a string';
      return /\p{Cs}/u.test(node.value) ? 'a string without halves of surrogate pairs' : null;
    case 'flag':
      return node.kind === 'literal' ? null : 'true or false';
    case 'f64':
      return node.kind === 'number' && Number.isFinite(Number(node.text)) ? null : 'a number';
    case 'json':
      return holdsInfinity(node) ? 'JSON whose numbers a double can hold' : null;
    case 'u32':
    case 'u64':
    case 'i64':
      return isInteger(node, name) ? null : `an integer (${name})`;
    default:
      return null;
  }
}

function isInteger(node: JsonNode, name: keyof typeof RANGES): boolean {
  if (node.kind !== 'number' || !/^-?\d{1,20}$/.test(node.text) || node.text === '-0') return false;
  const [least, most] = RANGES[name];
  const value = BigInt(node.text);
  return value >= least && value <= most;
}

function holdsInfinity(node: JsonNode): boolean {
  if (node.kind === 'number') return !Number.isFinite(Number(node.text));
  if (node.kind === 'array') return node.elements.some(holdsInfinity);
  return node.kind === 'object' && node.members.some(({ value }) => holdsInfinity(value));
}

function isObject({ node, pointer }: Cursor, reading: Reading): boolean {
  if (node.kind === 'object') return true;
  reading.problem(pointer, 'this must be an object');
  return false;
}
