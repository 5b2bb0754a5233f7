import { memberOf } from '../../../kernel/json/json-document.js';
import { pointerTo } from '../../../kernel/json/json-pointer.js';
import type { JsonPointer } from '../../../kernel/json/json-pointer.js';
import type { JsonNode } from '../../../kernel/json/json-scanner.js';
import { waPlanHash, waPlanString, waStepId } from './wa-canonical.js';
import type { KeyOrder } from './wa-payload.js';

/**
 * Whether an id is the one its content gives: `file` and `sorted` say with which order of payload keys (`file`
 * where both give it), `no` that it is another.
 */
type Holds = KeyOrder | 'no';

/** A step's id, and what wa makes of the step. */
interface WaStepIdentity {
  /** `steps[2].action.plan.steps[0]` */
  readonly path: string;
  readonly pointer: JsonPointer;
  /** As the file has it. */
  readonly step_id: string;
  /** From number and action. */
  readonly plain: string;
  /** From workspace, number and action. */
  readonly scoped: string;
  /** The form that the file's id is of; null where the author chose another. */
  readonly form: 'plain' | 'scoped' | null;
  readonly holds: Holds;
}

/** The id of a wa plan, and whether the one in its file holds. */
export interface WaPlanIdentity {
  readonly plan_hash: string;
  readonly plan_id: string;
  /** The `plan_id` in the file. */
  readonly stated: string;
  readonly holds: Holds;
}

/** The ids of a wa plan. */
export interface WaIdentity extends WaPlanIdentity {
  readonly canonical: string;
  /** Every step, those of fallbacks and nested plans included. */
  readonly steps: readonly WaStepIdentity[];
  /** What wa's own validation says; null when it has nothing against the plan. */
  readonly problem: string | null;
}

/** The id of a wa plan, made anew and compared with the one in the file. @param plan as {@link waIdentity} */
export function waPlanIdentity(plan: JsonNode): WaPlanIdentity {
  const stated = textOf(plan, 'plan_id');
  const holds = heldOrder(stated, (one) => planIdOf(waPlanHash(plan, one)));
  const plan_hash = waPlanHash(plan, holds === 'no' ? 'file' : holds);
  return { plan_hash, plan_id: planIdOf(plan_hash), stated, holds };
}

/**
 * Every id of a wa plan, made anew and compared with those in the file. Where the file's plan_id needs sorted
 * payload keys, all that is made anew is made so.
 * @param plan a plan that `checkWaPlan` has nothing against
 */
export function waIdentity(plan: JsonNode, pointer: JsonPointer = ''): WaIdentity {
  const identity = waPlanIdentity(plan);
  const order = identity.holds === 'no' ? 'file' : identity.holds;
  return {
    ...identity,
    canonical: waPlanString(plan, order),
    steps: stepsOfPlan(plan, '', pointer, order),
    problem: waProblem(plan),
  };
}

/**
 * The first problem that wa's validation finds with step numbers and identities, in its words: step numbers that
 * are not 1…n, an id that comes twice, a `step_completed` of the whole plan that names no step; null for none.
 */
export function waProblem(plan: JsonNode): string | null {
  return waProblems(plan)[0]?.message ?? null;
}

/** Why wa's validation rejects a plan, and where. */
interface WaProblem {
  readonly kind: 'number' | 'duplicate' | 'reference';
  readonly message: string;
  /** Below the plan. */
  readonly pointer: JsonPointer;
}

/**
 * Everything for which wa's validation rejects a plan, in the order in which it looks and in its words. Of step
 * numbers the first wrong one is told, for it shifts those behind it.
 */
export function waProblems(plan: JsonNode): readonly WaProblem[] {
  const steps = elementsOf(plan, 'steps');
  const numbers = steps.flatMap((step, index): readonly WaProblem[] => {
    const number = memberOf(step, 'step_number');
    const got = number?.kind === 'number' ? number.text : '';
    if (got === String(index + 1)) return [];
    const message = `Invalid step number: expected ${index + 1}, got ${got}`;
    return [{ kind: 'number', message, pointer: pointerTo('', 'steps', index, 'step_number') }];
  });
  const ids = new Set<string>();
  const duplicates = steps.flatMap((step, index): readonly WaProblem[] => {
    const id = textOf(step, 'step_id');
    const pointer = pointerTo('', 'steps', index, 'step_id');
    if (ids.has(id)) return [{ kind: 'duplicate', message: `Duplicate step ID: ${id}`, pointer }];
    ids.add(id);
    return [];
  });
  const unknown = elementsOf(plan, 'preconditions').flatMap((condition, index): readonly WaProblem[] => {
    const id = textOf(condition, 'step_id');
    if (textOf(condition, 'type') !== 'step_completed' || ids.has(id)) return [];
    const pointer = pointerTo('', 'preconditions', index, 'step_id');
    return [{ kind: 'reference', message: `Unknown step reference: ${id}`, pointer }];
  });
  return [...numbers.slice(0, 1), ...duplicates, ...unknown];
}

function planIdOf(hash: string): string {
  return hash.replace('sha256:', 'plan:');
}

function stepsOfPlan(
  plan: JsonNode,
  path: string,
  pointer: JsonPointer,
  order: KeyOrder,
): readonly WaStepIdentity[] {
  const below = (steps: readonly JsonNode[], name: string, cursor: JsonPointer) =>
    steps.flatMap((step, index) =>
      stepIdentities(
        step,
        `${name}[${index}]`,
        pointerTo(cursor, index),
        textOf(plan, 'workspace_id'),
        order,
      ),
    );
  return [
    ...below(elementsOf(plan, 'steps'), `${path}steps`, pointerTo(pointer, 'steps')),
    ...below(fallbackOf(plan), `${path}on_failure.steps`, pointerTo(pointer, 'on_failure', 'steps')),
  ];
}

function stepIdentities(
  step: JsonNode,
  path: string,
  pointer: JsonPointer,
  workspace: string,
  order: KeyOrder,
): readonly WaStepIdentity[] {
  const stated = textOf(step, 'step_id');
  const plain = heldOrder(stated, (one) => waStepId(step, one));
  const scoped = heldOrder(stated, (one) => waStepId(step, one, workspace));
  const action = memberOf(step, 'action');
  const nested = action === null ? null : memberOf(action, 'plan');
  return [
    {
      path,
      pointer,
      step_id: stated,
      plain: waStepId(step, order),
      scoped: waStepId(step, order, workspace),
      form: plain === 'no' ? (scoped === 'no' ? null : 'scoped') : 'plain',
      holds: plain === 'no' ? scoped : plain,
    },
    ...(nested?.kind === 'object'
      ? stepsOfPlan(nested, `${path}.action.plan.`, pointerTo(pointer, 'action', 'plan'), order)
      : []),
    ...fallbackOf(step).flatMap((one, index) =>
      stepIdentities(
        one,
        `${path}.on_failure.steps[${index}]`,
        pointerTo(pointer, 'on_failure', 'steps', index),
        workspace,
        order,
      ),
    ),
  ];
}

function heldOrder(stated: string, make: (order: KeyOrder) => string): Holds {
  if (make('file') === stated) return 'file';
  return make('sorted') === stated ? 'sorted' : 'no';
}

function fallbackOf(owner: JsonNode): readonly JsonNode[] {
  const onFailure = memberOf(owner, 'on_failure');
  return onFailure === null ? [] : elementsOf(onFailure, 'steps');
}

function elementsOf(node: JsonNode, key: string): readonly JsonNode[] {
  const list = memberOf(node, key);
  return list?.kind === 'array' ? list.elements : [];
}

function textOf(node: JsonNode, key: string): string {
  const member = memberOf(node, key);
  return member?.kind === 'string' ? member.value : '';
}
