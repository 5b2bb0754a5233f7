import type { ActionPlan, ActionStep, Check, OnError, Retry, StepDefaults } from '../model/action-plan.js';
import { everyStep, planAsJson } from '../model/action-plan.js';
import type { Dialect } from '../model/dialect.js';
import type { JsonPointer } from '../../../kernel/json/json-pointer.js';
import { isJsonObject, isSameJsonValue } from '../../../kernel/json/json-value.js';
import type { JsonObject, JsonValue } from '../../../kernel/json/json-value.js';
import { resolveRetry } from '../model/resolve-defaults.js';
import { riskOf } from '../model/risk.js';
import { referencesOfStep } from '../model/step-references.js';
import type { CHECK_WORDS, PLAN_WORDS, STEP_WORDS } from '../model/words.js';

/** The parts of a plan's behaviour. */
export const LOSS_KINDS = [
  'tool',
  'arguments',
  'reference',
  'dependency',
  'foreach',
  'concurrency',
  'output name',
  'error handling',
  'retry',
  'timeout',
  'preconditions',
  'verification',
  'approval',
  'idempotent',
  'wait',
  'nested plan',
  'risk',
  'workspace',
  'context',
  'context requests',
] as const;

/** A part of a plan's behaviour. */
export type LossKind = (typeof LOSS_KINDS)[number];

/** Something that a plan does and its conversion would not. */
export interface Loss {
  readonly what: LossKind;
  /** The step's id; null for the plan as a whole. */
  readonly step: string | null;
  /** Pointer in the model: below the step, or below the plan. */
  readonly where: JsonPointer;
  readonly why: string;
}

/**
 * Everything in which a plan would behave otherwise in a dialect, in the order of its steps: what the plan
 * does is compared with what is read from the document that the dialect's writer made of it. Every member of the model that
 * is not mere words has its comparison below, which the types hold; so nothing can be forgotten.
 * @param plan its strings spelled as the target spells them
 */
export function behaviourLosses(plan: ActionPlan, said: ActionPlan, target: Dialect): readonly Loss[] {
  const context = {
    target,
    losses: [] as Loss[],
    before: plan.defaults ?? {},
    after: said.defaults ?? {},
    owner: null,
  };
  comparePlans(plan, said, context);
  return context.losses;
}

interface Comparison {
  readonly target: Dialect;
  readonly losses: Loss[];
  readonly before: StepDefaults;
  readonly after: StepDefaults;
  /** The step that the plan is nested in. */
  readonly owner: string | null;
}

type Comparing<T> = (wanted: T, said: T, context: Comparison) => void;
type WordsOf<T extends readonly string[]> = T[number];

const PLAN: Readonly<Record<Exclude<keyof ActionPlan, WordsOf<typeof PLAN_WORDS>>, Comparing<ActionPlan>>> = {
  risk(plan, said, context) {
    const [wanted, given] = [plan.risk ?? riskOf(plan), said.risk ?? riskOf(said)];
    if (wanted !== given)
      losePart(context, 'risk', `cannot state the risk ${wanted}; from the tools it would be ${given}`);
  },
  workspace({ workspace = '' }, said, context) {
    if (workspace !== (said.workspace ?? ''))
      losePart(context, 'workspace', `cannot tie the plan to the workspace ${workspace}`);
  },
  context(plan, said, context) {
    for (const name of namesOfContext(plan, context.target)) {
      const [wanted, given] = [memberOf(plan.context, name), memberOf(said.context, name)];
      if (!isSameJsonValue(wanted, given))
        losePart(context, 'context', `cannot give the value of context.${name}`);
    }
  },
  context_requests(plan, said, context) {
    for (const request of plan.context_requests ?? []) {
      const isSaid = (said.context_requests ?? []).some((one) => isSameJsonValue({ ...one }, { ...request }));
      if (!isSaid) losePart(context, 'context requests', `cannot ask for ${request.kind}`);
    }
  },
  preconditions(plan, said, context) {
    compareChecks(plan.preconditions, said.preconditions, null, 'preconditions', context);
  },
  // What holds for all steps is compared in each of them.
  defaults: () => undefined,
  steps: (plan, said, context) => compareSteps(plan.steps, said.steps, context),
};

/** Of the rest of a step, which is compared one member at a time; on_error and retry belong together, and so do ids and order. */
const STEP: Readonly<
  Record<
    Exclude<keyof ActionStep, WordsOf<typeof STEP_WORDS> | 'id' | 'depends_on' | 'retry'>,
    Comparing<ActionStep>
  >
> = {
  tool(step, said, context) {
    if (step.plan === undefined && step.tool !== said.tool)
      lose(context, 'tool', step.id, '/tool', `cannot name the tool ${step.tool}`);
  },
  args(step, said, context) {
    const isEmpty = step.plan !== undefined && Object.keys(step.args).length === 0;
    if (!isEmpty && !isSameJsonValue(step.args, said.args))
      lose(context, 'arguments', step.id, '/args', 'cannot express these arguments');
  },
  foreach: compareForeach,
  capture_as(step, said, context) {
    if (step.capture_as !== said.capture_as)
      lose(context, 'output name', step.id, '/capture_as', `cannot name the output ${step.capture_as ?? ''}`);
  },
  on_error: compareFailure,
  timeout_ms(step, said, context) {
    if (step.timeout_ms !== said.timeout_ms)
      lose(context, 'timeout', step.id, '/timeout_ms', 'has no such timeout');
  },
  preconditions(step, said, context) {
    compareChecks(step.preconditions, said.preconditions, step.id, 'preconditions', context);
  },
  verifications(step, said, context) {
    compareChecks(step.verifications, said.verifications, step.id, 'verifications', context);
  },
  requires_approval(step, said, context) {
    if (needsApproval(step) !== needsApproval(said))
      lose(context, 'approval', step.id, '/requires_approval', 'cannot ask a person before the step');
  },
  idempotent(step, said, context) {
    if ((step.idempotent ?? false) !== (said.idempotent ?? false))
      lose(context, 'idempotent', step.id, '/idempotent', 'cannot say whether the step is safe to run again');
  },
  wait(step, said, context) {
    if ((step.wait ?? 'none') !== (said.wait ?? 'none'))
      lose(context, 'wait', step.id, '/wait', `cannot wait for the page (${step.wait ?? 'none'})`);
  },
  plan: compareNested,
};

function comparePlans(plan: ActionPlan, said: ActionPlan, context: Comparison): void {
  for (const compare of Object.values(PLAN)) compare(plan, said, context);
}

function compareSteps(steps: readonly ActionStep[], said: readonly ActionStep[], context: Comparison): void {
  const positions = new Map(steps.map(({ id }, index) => [id, index]));
  for (const [index, step] of steps.entries()) {
    const other = said[index];
    if (other === undefined) lose(context, 'error handling', step.id, '', 'has no place for this step');
    else {
      compareDependencies(step, other, positions, index, context);
      compareStep(step, other, context);
    }
  }
}

function compareStep(step: ActionStep, said: ActionStep, context: Comparison): void {
  for (const compare of Object.values(STEP)) compare(step, said, context);
}

function compareForeach({ id, foreach }: ActionStep, said: ActionStep, context: Comparison): void {
  if (foreach === undefined) return;
  const { concurrency, ...loop } = foreach;
  const { concurrency: other, ...saidLoop } = said.foreach ?? { from: '', item_name: '' };
  if (!isSameJsonValue({ ...loop }, { ...saidLoop })) {
    lose(context, 'foreach', id, '/foreach', `cannot run a step for each of ${loop.from}`);
    if ((concurrency ?? 1) !== 1)
      lose(context, 'concurrency', id, '/foreach/concurrency', `cannot run ${concurrency} at once`);
  } else if ((concurrency ?? 1) !== (other ?? 1)) {
    lose(context, 'concurrency', id, '/foreach/concurrency', `cannot run ${concurrency} at once`);
  }
}

/** In a dialect that runs steps in their order, an earlier step need not be named. */
function compareDependencies(
  step: ActionStep,
  said: ActionStep,
  positions: ReadonlyMap<string, number>,
  index: number,
  { target, ...context }: Comparison,
): void {
  const lost = (step.depends_on ?? []).filter((id) => said.depends_on?.includes(id) !== true);
  for (const id of lost) {
    const position = positions.get(id);
    if (position === undefined || position >= index)
      lose(
        { target, ...context },
        'dependency',
        step.id,
        '/depends_on',
        `runs steps in document order, and ${id} does not come earlier`,
      );
  }
}

function compareFailure(step: ActionStep, said: ActionStep, context: Comparison): void {
  const [wanted, given] = [failureOf(step, context.before), failureOf(said, context.after)];
  compareRetry(step, wanted.retry, given.retry, context);
  if (isSameJsonValue(wanted.ending, given.ending)) {
    const [steps, others] = [fallbackOf(wanted.onError), fallbackOf(given.onError)];
    compareSteps(steps, others, { ...context, before: {}, after: {} });
  } else
    lose(
      context,
      'error handling',
      step.id,
      '/on_error',
      `cannot handle an error with ${wanted.onError.strategy}`,
    );
}

function compareRetry(
  { id }: ActionStep,
  wanted: Required<Retry>,
  given: Required<Retry>,
  context: Comparison,
): void {
  if (wanted.max_attempts <= 1 && given.max_attempts <= 1) return;
  const lost = Object.entries(wanted).filter(([key, value]) => memberOf({ ...given }, key) !== value);
  const [[first] = [], ...more] = lost;
  if (first === undefined) return;
  const where = more.length === 0 ? `/retry/${first}` : '/retry';
  const said = lost.map(([key, value]) => `${key} ${value}`).join(', ');
  lose(context, 'retry', id, where, `cannot retry in this way: ${said}`);
}

function failureOf(step: ActionStep, defaults: StepDefaults) {
  const onError: OnError = step.on_error ?? defaults.on_error ?? { strategy: 'stop' };
  return {
    onError,
    ending: endingOf(onError),
    retry: resolveRetry(step.retry ?? defaults.retry, onError),
  };
}

/** What is done at the end, without the words that are only shown. */
function endingOf(onError: OnError): JsonValue {
  switch (onError.strategy) {
    case 'skip':
      return { strategy: 'skip', warn: onError.warn ?? true };
    case 'fallback':
      return { strategy: 'fallback', steps: onError.steps.length };
    case 'approval':
      return { strategy: 'approval' };
    default:
      return { strategy: 'stop' };
  }
}

function fallbackOf(onError: OnError): readonly ActionStep[] {
  return onError.strategy === 'fallback' ? onError.steps : [];
}

function compareNested({ id, plan }: ActionStep, said: ActionStep, context: Comparison): void {
  if (plan === undefined) return;
  if (said.plan === undefined) lose(context, 'nested plan', id, '/plan', 'has no plans within plans');
  else
    comparePlans(plan, said.plan, {
      ...context,
      before: plan.defaults ?? {},
      after: said.plan.defaults ?? {},
      owner: id,
    });
}

/** An approval that wa asks for as a precondition counts as one. */
function needsApproval({ requires_approval: required, preconditions }: ActionStep): boolean {
  return required === true || (preconditions ?? []).some(({ type }) => type === 'wa:approval_valid');
}

function compareChecks(
  checks: readonly Check[] | undefined,
  said: readonly Check[] | undefined,
  step: string | null,
  part: 'preconditions' | 'verifications',
  context: Comparison,
): void {
  const what = part === 'preconditions' ? part : 'verification';
  const left = [...meaningsOf(said, step)];
  for (const check of meaningsOf(checks, step)) {
    const position = left.findIndex((one) => isSameJsonValue(one, check));
    const why = `cannot check ${typeOf(check)}`;
    if (position !== -1) left.splice(position, 1);
    else if (step === null) losePart(context, what, why, part);
    else lose(context, what, step, `/${part}`, why);
  }
}

function meaningsOf(checks: readonly Check[] | undefined, step: string | null): readonly JsonValue[] {
  return (checks ?? [])
    .filter(({ type }) => step === null || type !== 'wa:approval_valid')
    .map(({ description: _shown, ...check }: Check) => {
      const decisive: Omit<Check, WordsOf<typeof CHECK_WORDS>> = check;
      return planAsJson(decisive);
    });
}

function typeOf(check: JsonValue): string {
  return isJsonObject(check) && typeof check.type === 'string' ? check.type : '';
}

/** The names of the context that something in the plan refers to; the others decide nothing. */
function namesOfContext(plan: ActionPlan, target: Dialect): readonly string[] {
  const names = Array.from(everyStep(plan), ({ step }) => referencesOfStep(step, target.name))
    .flat()
    .flatMap(({ reference }) => (reference.kind === 'context' ? [reference.name] : []));
  return [...new Set(names)];
}

function memberOf(object: JsonObject | undefined, key: string): JsonValue | undefined {
  return object !== undefined && Object.hasOwn(object, key) ? object[key] : undefined;
}

/** Something of a plan as a whole, which may be nested in a step. */
function losePart(context: Comparison, what: LossKind, why: string, member = what.replace(' ', '_')): void {
  const where = `${context.owner === null ? '' : '/plan'}/${member}`;
  lose(context, what, context.owner, where, why);
}

function lose(
  { losses, target }: Comparison,
  what: LossKind,
  step: string | null,
  where: JsonPointer,
  why: string,
): void {
  losses.push({ what, step, where, why: `${target.title} ${why}` });
}
