import type { ActionPlan, ActionStep, OnError } from '../model/action-plan.js';
import type { Dialect, DialectReading } from '../model/dialect.js';
import { memberOf } from '../../../kernel/json/json-document.js';
import { pointerTo } from '../../../kernel/json/json-pointer.js';
import type { JsonPointer } from '../../../kernel/json/json-pointer.js';
import { isJsonObject, present, unlessEmpty, withoutMembers } from '../../../kernel/json/json-value.js';
import type { JsonObject } from '../../../kernel/json/json-value.js';
import type { Cursor, Reading } from '../model/reading.js';
import type { ReferenceSyntax } from '../model/references.js';
import { isRfc3339Time } from './times.js';

const REFERENCES: ReferenceSyntax = {
  dollar: 'nowhere',
  dollarBraces: true,
  doubleBraces: true,
  loopBraces: false,
  bareNames: true,
};

/**
 * Plans of Plan-Lint, in both spellings: the tool itself takes a step's payload as `args`, its documents have
 * `parameters` and dependencies. The variant is the word that the first step with either uses.
 */
export const planLint: Dialect = {
  name: 'plan-lint',
  title: 'Plan-Lint',
  references: REFERENCES,
  slot: 'metadata',
  find(root) {
    const steps = memberOf(root, 'steps');
    if (steps?.kind !== 'array') return null;
    const [first] = steps.elements;
    if (first === undefined) return memberOf(root, 'goal') === null ? null : '';
    return steps.elements.some((step) => memberOf(step, 'tool')?.kind === 'string') ? '' : null;
  },
  allowsId: (id) => id !== '',
  usualVariant,
  spell({ kind, name, path }) {
    if (kind === 'step') return `{{${[name, 'result', ...path].join('.')}}}`;
    if (kind === 'loop') return null;
    // A bare name that is no step's is a variable.
    return `\${${[...(kind === 'context' ? ['context'] : []), name, ...path].join('.')}}`;
  },
  read: readPlanLint,
  write: writePlanLint,
};

function readPlanLint(body: Cursor, reading: Reading): DialectReading {
  reading.sources.set('', body.pointer);
  reading.sources.set('/metadata', pointerTo(body.pointer, 'meta'));
  reading.sources.set('/created_at', pointerTo(body.pointer, 'meta', 'created_at'));
  const steps = reading.list(body, 'steps');
  if (reading.member(body, 'steps') === undefined) reading.problem(body.pointer, 'steps is missing');
  const variant = variantOf(steps ?? []);
  const meta = reading.object(body, 'meta');
  const createdAt = isRfc3339Time(meta?.created_at) ? meta.created_at : undefined;
  const plan: ActionPlan = present({
    goal: reading.text(body, 'goal'),
    created_at: createdAt,
    context: withoutMembers(reading.object(body, 'context')),
    metadata: createdAt === undefined ? withoutMembers(meta) : withoutMembers(meta, 'created_at'),
    steps: (steps ?? []).map((cursor, index) =>
      readStep(cursor, `/steps/${index}`, variant ?? 'args', reading),
    ),
  });
  return { plan, variant };
}

function readStep(cursor: Cursor, model: JsonPointer, variant: string, reading: Reading): ActionStep {
  if (cursor.node.kind !== 'object') reading.problem(cursor.pointer, 'a step must be an object');
  const other = variant === 'args' ? 'parameters' : 'args';
  const payload =
    memberOf(cursor.node, variant) === null && memberOf(cursor.node, other) !== null ? other : variant;
  reading.sources.set(model, cursor.pointer);
  reading.sources.set(`${model}/args`, pointerTo(cursor.pointer, payload));
  reading.sources.set(`${model}/on_error`, pointerTo(cursor.pointer, 'on_fail'));
  return present({
    id: reading.requiredText(cursor, 'id'),
    tool: reading.requiredText(cursor, 'tool'),
    args: reading.object(cursor, payload) ?? {},
    depends_on: unlessEmpty(reading.texts(cursor, 'depends_on')),
    on_error: readOnFail(cursor, reading),
  });
}

function readOnFail(cursor: Cursor, reading: Reading): OnError | undefined {
  const word = reading.text(cursor, 'on_fail');
  if (word === undefined) return undefined;
  if (word === 'abort') return { strategy: 'stop' };
  if (word === 'continue') return { strategy: 'skip' };
  reading.deviation(pointerTo(cursor.pointer, 'on_fail'), 'on_fail must be abort or continue');
  return undefined;
}

/** Null where no step has a payload in either spelling. */
function variantOf(steps: readonly Cursor[]): 'args' | 'parameters' | null {
  for (const { node } of steps) {
    if (memberOf(node, 'args') !== null) return 'args';
    if (memberOf(node, 'parameters') !== null) return 'parameters';
  }
  return null;
}

function writePlanLint(plan: ActionPlan, variant: string | null): JsonObject {
  const payload = variant ?? usualVariant(plan);
  const meta = withoutMembers({ ...plan.metadata, ...present({ created_at: plan.created_at }) });
  return present({
    goal: plan.goal ?? plan.title ?? plan.description ?? 'Carry out the steps',
    steps: plan.steps.map((step) => writeStep(step, payload)),
    context: plan.context,
    meta: isJsonObject(meta) ? meta : undefined,
  });
}

/** The tool's own spelling knows no dependencies, so a plan that has some takes the other. */
function usualVariant(plan: ActionPlan): 'args' | 'parameters' {
  return plan.steps.some((step) => step.depends_on !== undefined) ? 'parameters' : 'args';
}

function writeStep(step: ActionStep, payload: string): JsonObject {
  const strategy = step.on_error?.strategy;
  return {
    id: step.id,
    tool: step.tool,
    [payload]: step.args,
    ...present({
      on_fail: strategy === 'stop' ? 'abort' : strategy === 'skip' ? 'continue' : undefined,
      depends_on: unlessEmpty(step.depends_on),
    }),
  };
}
