import type { ActionPlan, ActionStep, Check, OnError, StepDefaults } from '../action-plan.js';
import type { Dialect } from '../dialect.js';
import { planAsJson } from '../action-plan.js';
import type { JsonPointer } from '../json-pointer.js';
import { isJsonObject, isSameValue } from '../json-value.js';
import type { JsonValue } from '../json-value.js';

/** A part of a plan's behaviour. */
export type LossKind =
  | 'tool'
  | 'arguments'
  | 'reference'
  | 'dependency'
  | 'foreach'
  | 'concurrency'
  | 'output name'
  | 'error handling'
  | 'retry'
  | 'timeout'
  | 'preconditions'
  | 'verification'
  | 'approval'
  | 'wait'
  | 'nested plan';

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
 * does is held against what is read from the document that the dialect's writer made of it.
 */
export function behaviourLosses(plan: ActionPlan, said: ActionPlan, target: Dialect): readonly Loss[] {
  const context = { target, losses: [] as Loss[], before: plan.defaults ?? {}, after: said.defaults ?? {} };
  compareChecks(plan.preconditions, said.preconditions, null, '/preconditions', 'preconditions', context);
  compareSteps(plan.steps, said.steps, context);
  return context.losses;
}

interface Comparison {
  readonly target: Dialect;
  readonly losses: Loss[];
  readonly before: StepDefaults;
  readonly after: StepDefaults;
}

function compareSteps(steps: readonly ActionStep[], said: readonly ActionStep[], context: Comparison): void {
  const places = new Map(steps.map(({ id }, index) => [id, index]));
  for (const [index, step] of steps.entries()) {
    const other = said[index];
    if (other === undefined) lose(context, 'error handling', step.id, '', 'has no place for this step');
    else {
      compareDependencies(step, other, places, index, context);
      compareStep(step, other, context);
    }
  }
}

function compareStep(step: ActionStep, said: ActionStep, context: Comparison): void {
  const { id } = step;
  if (step.plan === undefined && step.tool !== said.tool)
    lose(context, 'tool', id, '/tool', `cannot name the tool ${step.tool}`);
  if (
    step.plan === undefined
      ? !isSameValue(step.args, said.args)
      : Object.keys(step.args).length > 0 && !isSameValue(step.args, said.args)
  )
    lose(context, 'arguments', id, '/args', 'cannot say these arguments');
  compareForeach(step, said, context);
  if (step.capture_as !== said.capture_as)
    lose(context, 'output name', id, '/capture_as', `cannot name the output ${step.capture_as ?? ''}`);
  compareFailure(step, said, context);
  if (step.timeout_ms !== said.timeout_ms)
    lose(context, 'timeout', id, '/timeout_ms', 'has no such limit of time');
  compareChecks(step.preconditions, said.preconditions, id, '/preconditions', 'preconditions', context);
  compareChecks(step.verifications, said.verifications, id, '/verifications', 'verification', context);
  if (needsApproval(step) !== needsApproval(said))
    lose(context, 'approval', id, '/requires_approval', 'cannot ask a person before the step');
  if ((step.wait ?? 'none') !== (said.wait ?? 'none'))
    lose(context, 'wait', id, '/wait', `cannot wait for the page (${step.wait ?? 'none'})`);
  compareNested(step, said, context);
}

function compareForeach({ id, foreach }: ActionStep, said: ActionStep, context: Comparison): void {
  if (foreach === undefined) return;
  const { concurrency, ...loop } = foreach;
  const { concurrency: other, ...saidLoop } = said.foreach ?? { from: '', item_name: '' };
  if (!isSameValue({ ...loop }, { ...saidLoop })) {
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
  places: ReadonlyMap<string, number>,
  index: number,
  { target, ...context }: Comparison,
): void {
  const lost = (step.depends_on ?? []).filter((id) => said.depends_on?.includes(id) !== true);
  for (const id of lost) {
    const place = places.get(id);
    if (place === undefined || place >= index)
      lose(
        { target, ...context },
        'dependency',
        step.id,
        '/depends_on',
        `runs steps in their order, and ${id} is no earlier one`,
      );
  }
}

function compareFailure(step: ActionStep, said: ActionStep, context: Comparison): void {
  const [wanted, given] = [failureOf(step, context.before), failureOf(said, context.after)];
  if (!isSameValue(wanted.retry, given.retry))
    lose(context, 'retry', step.id, '/retry', 'cannot try again in this way');
  if (isSameValue(wanted.ending, given.ending)) {
    const [steps, others] = [fallbackOf(wanted.onError), fallbackOf(given.onError)];
    compareSteps(steps, others, { ...context, before: {}, after: {} });
  } else
    lose(
      context,
      'error handling',
      step.id,
      '/on_error',
      `cannot say ${wanted.onError.strategy} for an error`,
    );
}

function failureOf(step: ActionStep, defaults: StepDefaults) {
  const onError: OnError = step.on_error ?? defaults.on_error ?? { strategy: 'stop' };
  const retry = step.retry ?? defaults.retry;
  const attempts = retry?.max_attempts ?? (onError.strategy === 'retry' ? 3 : 1);
  const first = retry?.initial_delay_ms ?? 250;
  const multiplier = retry?.multiplier ?? 1;
  const grows = multiplier !== 1;
  return {
    onError,
    ending: endingOf(onError),
    retry:
      attempts <= 1
        ? []
        : [attempts, first, multiplier, grows ? (retry?.max_delay_ms ?? null) : null, retry?.jitter ?? true],
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
  else context.losses.push(...behaviourLosses(plan, said.plan, context.target));
}

/** An approval that wa asks for as a precondition counts as one. */
function needsApproval({ requires_approval: required, preconditions }: ActionStep): boolean {
  return required === true || (preconditions ?? []).some(({ type }) => type === 'wa:approval_valid');
}

function compareChecks(
  checks: readonly Check[] | undefined,
  said: readonly Check[] | undefined,
  step: string | null,
  where: JsonPointer,
  what: 'preconditions' | 'verification',
  context: Comparison,
): void {
  const left = [...meaningsOf(said, step)];
  for (const check of meaningsOf(checks, step)) {
    const place = left.findIndex((one) => isSameValue(one, check));
    if (place === -1) lose(context, what, step, where, `cannot check ${typeOf(check)}`);
    else left.splice(place, 1);
  }
}

function meaningsOf(checks: readonly Check[] | undefined, step: string | null): readonly JsonValue[] {
  return (checks ?? [])
    .filter(({ type }) => step === null || type !== 'wa:approval_valid')
    .map(({ description: _shown, ...check }) => planAsJson(check));
}

function typeOf(check: JsonValue): string {
  return isJsonObject(check) && typeof check.type === 'string' ? check.type : '';
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
