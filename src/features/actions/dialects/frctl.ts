import { ACTION_PLAN_VERSION, actionPlanSchema, planAsJson } from '../model/action-plan.js';
import type { Dialect } from '../model/dialect.js';
import { memberOf } from '../../../kernel/json/json-document.js';
import { pointerTo } from '../../../kernel/json/json-pointer.js';
import type { JsonNode } from '../../../kernel/json/json-scanner.js';
import { isJsonList, isJsonObject } from '../../../kernel/json/json-value.js';
import type { JsonObject, JsonValue } from '../../../kernel/json/json-value.js';
import { valueRead } from '../model/reading.js';
import { EVERY_REFERENCE } from '../model/references.js';
import { IN_OUR_WORDS } from '../../../kernel/word-issue.js';

/** Orders of members in what is written, by what they are members of. */
const PLAN_KEYS = [
  'schema_version',
  'id',
  'title',
  'description',
  'goal',
  'goal_id',
  'risk',
  'workspace',
  'created_at',
  'assumptions',
  'rationale',
  'risks',
  'context_requests',
  'context',
  'preconditions',
  'defaults',
  'outputs',
  'ui_hints',
  'metadata',
  'steps',
  'extensions',
];
const STEP_KEYS = [
  'id',
  'tool',
  'args',
  'title',
  'detail',
  'depends_on',
  'foreach',
  'capture_as',
  'on_error',
  'retry',
  'timeout_ms',
  'preconditions',
  'verifications',
  'requires_approval',
  'idempotent',
  'wait',
  'plan',
  'tags',
  'metadata',
  'extensions',
];

/** frctl's own form: the model as JSON, with its version. */
export const frctl: Dialect = {
  name: 'frctl',
  title: 'frctl',
  references: EVERY_REFERENCE,
  slot: 'none',
  find: (root) => (isOwn(root) ? '' : null),
  allowsId: (id) => id !== '',
  usualVariant: () => null,
  spell({ kind, name, path }, whole) {
    if (kind === 'step' || kind === 'variable') {
      const bare = `$${[kind === 'step' ? 'steps' : 'vars', name, ...path].join('.')}`;
      return whole ? bare : `\${${bare}}`;
    }
    return `\${${[...(kind === 'context' ? ['context'] : []), name, ...path].join('.')}}`;
  },
  read(body, reading) {
    reading.sources.set('', body.pointer);
    const parsed = actionPlanSchema.safeParse(valueRead(body), IN_OUR_WORDS);
    if (parsed.success) {
      const { schema_version: _version, ...plan } = parsed.data;
      return { plan, variant: null };
    }
    for (const { path, message } of parsed.error.issues) {
      const keys = path.map((key) => (typeof key === 'number' ? key : String(key)));
      reading.problem(pointerTo(body.pointer, ...keys), message);
    }
    return { plan: { steps: [] }, variant: null };
  },
  write: (plan) => planInOrder(asObject(planAsJson({ schema_version: ACTION_PLAN_VERSION, ...plan }))),
};

/** With its version it is known at once; without, by words that no other dialect has at the place. */
function isOwn(root: JsonNode): boolean {
  const version = memberOf(root, 'schema_version');
  const steps = memberOf(root, 'steps');
  if (steps?.kind !== 'array') return false;
  return version?.kind === 'string' || steps.elements.some(hasOwnWords);
}

function hasOwnWords(step: JsonNode): boolean {
  const onError = memberOf(step, 'on_error');
  return (
    memberOf(step, 'tool')?.kind === 'string' &&
    (onError?.kind === 'object' || memberOf(step, 'capture_as') !== null)
  );
}

function planInOrder(plan: JsonObject): JsonObject {
  const json = inOrder(plan, PLAN_KEYS);
  const { defaults } = json;
  return {
    ...json,
    ...(isJsonObject(defaults) ? { defaults: withStepsInOrder(defaults) } : {}),
    ...(isJsonList(json.steps) ? { steps: json.steps.map(stepInOrder) } : {}),
  };
}

function stepInOrder(step: JsonValue): JsonValue {
  const json = withStepsInOrder(inOrder(asObject(step), STEP_KEYS));
  return isJsonObject(json.plan) ? { ...json, plan: planInOrder(json.plan) } : json;
}

/** What holds an `on_error`, the steps of a fallback in order. */
function withStepsInOrder(json: JsonObject): JsonObject {
  const onError = json.on_error;
  if (!isJsonObject(onError) || !isJsonList(onError.steps)) return json;
  return { ...json, on_error: { ...onError, steps: onError.steps.map(stepInOrder) } };
}

function inOrder(json: JsonObject, order: readonly string[]): JsonObject {
  const known = order.flatMap((key) => {
    const value = json[key];
    return Object.hasOwn(json, key) && value !== undefined ? [[key, value] as const] : [];
  });
  return Object.fromEntries(known);
}

function asObject(value: JsonValue): JsonObject {
  return isJsonObject(value) ? value : {};
}
