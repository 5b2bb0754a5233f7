import { PlanError } from '../../../kernel/errors.js';
import type { ActionPlan, ActionStep, Check, OnError, Retry } from '../model/action-plan.js';
import type { DialectReading } from '../model/dialect.js';
import { memberOf } from '../../../kernel/json/json-document.js';
import type { JsonPointer } from '../../../kernel/json/json-pointer.js';
import { isJsonObject, present, unlessEmpty, withoutMembers } from '../../../kernel/json/json-value.js';
import type { JsonObject } from '../../../kernel/json/json-value.js';
import { noteSources, valueRead } from '../model/reading.js';
import type { Cursor, Reading } from '../model/reading.js';
import { waProblems } from '../wa/wa-identity.js';
import { checkWaPlan, WA_ACTIONS, WA_PLAN_VERSION } from '../wa/wa-shapes.js';
import { timeOfMilliseconds } from './times.js';

/** The reader of wa plans. @throws PlanError UNSUPPORTED_VERSION for a plan_version above 1 */
export function readWa(body: Cursor, reading: Reading): DialectReading {
  refuseNewer(body);
  checkWaPlan(body, reading);
  if (reading.problems.length > 0) return { plan: { steps: [] }, variant: null };
  // Ids that come twice are a rule's own matter.
  for (const { kind, message, pointer } of waProblems(body.node))
    if (kind !== 'duplicate') reading.deviation(`${body.pointer}${pointer}`, message);
  return { plan: readPlan(body, '', reading), variant: null };
}

function refuseNewer({ node, pointer }: Cursor): void {
  const version = memberOf(node, 'plan_version');
  if (version?.kind !== 'number' || !(Number(version.text) > WA_PLAN_VERSION)) return;
  throw new PlanError(
    'UNSUPPORTED_VERSION',
    `${pointer}/plan_version is ${version.text}; only version ${WA_PLAN_VERSION} of wa plans is supported`,
    { hint: ['A newer frctl may read it.'], details: { version: version.text } },
  );
}

function readPlan(cursor: Cursor, model: JsonPointer, reading: Reading): ActionPlan {
  noteSources(
    reading,
    {
      '': '',
      '/id': 'plan_id',
      '/workspace': 'workspace_id',
      '/defaults/on_error': 'on_failure',
      '/defaults/retry': 'on_failure',
    },
    model,
    cursor.pointer,
  );
  const failure = readOnFailure(cursor, `${model}/defaults/on_error`, reading);
  return present({
    id: reading.text(cursor, 'plan_id'),
    title: reading.text(cursor, 'title'),
    workspace: reading.text(cursor, 'workspace_id'),
    created_at: readCreatedAt(cursor, reading),
    preconditions: readChecks(reading.list(cursor, 'preconditions') ?? [], model, reading),
    defaults: Object.keys(failure).length === 0 ? undefined : failure,
    metadata: withoutMembers(metadataOf(cursor, reading)),
    steps: (reading.list(cursor, 'steps') ?? []).map((step, index) =>
      onceIfSaid(readStep(step, `${model}/steps/${index}`, reading), failure.retry),
    ),
  });
}

/** In wa what a step says of errors takes the place of all that the plan says, its attempts included. */
function onceIfSaid(step: ActionStep, retry: Retry | undefined): ActionStep {
  if (retry === undefined || step.on_error === undefined || step.retry !== undefined) return step;
  return { ...step, retry: { max_attempts: 1 } };
}

function readStep(cursor: Cursor, model: JsonPointer, reading: Reading): ActionStep {
  noteSources(
    reading,
    {
      '': '',
      '/id': 'step_id',
      '/tool': 'action/type',
      '/args': 'action',
      '/title': 'description',
      '/depends_on': 'preconditions',
      '/verifications/0': 'verification',
      '/verifications/0/args': 'verification/strategy',
      '/on_error': 'on_failure',
      '/retry': 'on_failure',
      '/plan': 'action/plan',
    },
    model,
    cursor.pointer,
  );
  const action = reading.member(cursor, 'action') ?? cursor;
  const conditions = reading.list(cursor, 'preconditions') ?? [];
  const isOrder = (one: Cursor) => reading.text(one, 'type') === 'step_completed';
  const order = conditions.filter(isOrder);
  for (const [index, { pointer }] of order.entries())
    reading.sources.set(`${model}/depends_on/${index}`, `${pointer}/step_id`);
  const nested = reading.text(action, 'type') === 'nested_plan' ? reading.member(action, 'plan') : undefined;
  const verification = reading.member(cursor, 'verification');
  return present({
    id: reading.requiredText(cursor, 'step_id'),
    ...readAction(action, model, reading),
    title: reading.text(cursor, 'description'),
    depends_on: unlessEmpty(order.map((one) => reading.requiredText(one, 'step_id'))),
    ...readOnFailure(cursor, `${model}/on_error`, reading),
    timeout_ms: reading.count(cursor, 'timeout_ms'),
    preconditions: readChecks(
      conditions.filter((one) => !isOrder(one)),
      model,
      reading,
    ),
    verifications: verification && [readVerification(verification, reading)],
    idempotent: reading.flag(cursor, 'idempotent') === true ? true : undefined,
    plan: nested && readPlan(nested, `${model}/plan`, reading),
  });
}

function readAction(
  action: Cursor,
  model: JsonPointer,
  reading: Reading,
): { readonly tool: string; readonly args: JsonObject } {
  const type = reading.requiredText(action, 'type');
  const fields = objectAt(action);
  const name = fields.action_type;
  if (type === 'custom' && isJsonObject(fields.payload) && isOwnName(name)) {
    noteSources(reading, { '/tool': 'action_type', '/args': 'payload' }, model, action.pointer);
    return { tool: name, args: fields.payload };
  }
  return {
    tool: `wa:${type}`,
    args: withoutMembers(fields, 'type', ...(type === 'nested_plan' ? ['plan'] : [])) ?? {},
  };
}

/** A custom action whose name is that of one of wa's own keeps that it is custom. */
function isOwnName(name: unknown): name is string {
  if (typeof name !== 'string' || name === '') return false;
  return !name.startsWith('wa:') || !Object.hasOwn(WA_ACTIONS, name.slice('wa:'.length));
}

function readChecks(
  places: readonly Cursor[],
  model: JsonPointer,
  reading: Reading,
): readonly Check[] | undefined {
  for (const [index, { pointer }] of places.entries()) {
    reading.sources.set(`${model}/preconditions/${index}`, pointer);
    reading.sources.set(`${model}/preconditions/${index}/args`, pointer);
  }
  return unlessEmpty(places.map((cursor) => readCheck(cursor, reading)));
}

function readCheck(cursor: Cursor, reading: Reading): Check {
  const type = reading.requiredText(cursor, 'type');
  return { type: `wa:${type}`, args: withoutMembers(objectAt(cursor), 'type') ?? {} };
}

function readVerification(cursor: Cursor, reading: Reading): Check {
  const strategy = reading.member(cursor, 'strategy') ?? cursor;
  return present({
    ...readCheck(strategy, reading),
    description: reading.text(cursor, 'description'),
    timeout_ms: reading.count(cursor, 'timeout_ms'),
  });
}

function readOnFailure(
  owner: Cursor,
  model: JsonPointer,
  reading: Reading,
): { readonly on_error?: OnError; readonly retry?: Retry } {
  const cursor = reading.member(owner, 'on_failure');
  if (cursor === undefined) return {};
  switch (reading.text(cursor, 'strategy')) {
    case 'abort':
      return { on_error: present({ strategy: 'stop' as const, message: reading.text(cursor, 'message') }) };
    case 'skip':
      return { on_error: present({ strategy: 'skip' as const, warn: reading.flag(cursor, 'warn') }) };
    case 'retry':
      return { on_error: { strategy: 'retry' }, retry: readRetry(cursor, reading) };
    case 'fallback': {
      const steps = reading.list(cursor, 'steps') ?? [];
      const read = steps.map((step, index) => readStep(step, `${model}/steps/${index}`, reading));
      return { on_error: { strategy: 'fallback', steps: read } };
    }
    default:
      return { on_error: { strategy: 'approval', summary: reading.requiredText(cursor, 'summary') } };
  }
}

function readRetry(cursor: Cursor, reading: Reading): Retry {
  return present({
    max_attempts: reading.count(cursor, 'max_attempts') ?? 1,
    initial_delay_ms: reading.count(cursor, 'initial_delay_ms'),
    max_delay_ms: reading.count(cursor, 'max_delay_ms'),
    multiplier: reading.number(cursor, 'backoff_multiplier'),
  });
}

function readCreatedAt(cursor: Cursor, reading: Reading): string | undefined {
  const milliseconds = reading.number(cursor, 'created_at');
  return milliseconds === undefined ? undefined : timeOfMilliseconds(milliseconds);
}

/** Metadata may be any JSON; what is no object stays in the extension. */
function metadataOf(cursor: Cursor, reading: Reading): JsonObject | undefined {
  const found = reading.member(cursor, 'metadata');
  return found?.node.kind === 'object' ? objectAt(found) : undefined;
}

function objectAt(cursor: Cursor): JsonObject {
  const value = valueRead(cursor);
  return isJsonObject(value) ? value : {};
}
