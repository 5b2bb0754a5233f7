import type { ActionPlan, ActionStep, OnError } from '../../../actions/model/action-plan.js';
import type { DialectName } from '../../../actions/model/dialect.js';
import type { JsonObject } from '../../../../kernel/json/json-value.js';
import { resolveDefaults, resolveStep } from '../../../actions/model/resolve-defaults.js';
import type { ResolvedStep } from '../../../actions/model/resolve-defaults.js';
import { scopesOf } from '../../../actions/model/scopes.js';
import type { Scope, ScopedStep } from '../../../actions/model/scopes.js';

/** The precondition by which wa asks for an approval. */
export const APPROVAL_CONDITION = 'wa:approval_valid';

/** What is between the name of a step and those of the steps within it. */
type StepPart = 'fallback' | 'plan';

/** A step of a run: what is to be done, and where it stands among the others. */
export interface RunStep {
  readonly id: string;
  /** With the defaults of its plan. */
  readonly step: ResolvedStep;
  /** As the plan has it. */
  readonly raw: ActionStep;
  /** The same among the steps that it can name. */
  readonly scoped: ScopedStep;
  readonly parent: { readonly of: RunStep; readonly part: StepPart } | null;
  readonly list: StepList;
  /** The steps of its fallback, where its `on_error` is one. */
  readonly fallback: StepList | null;
  /** The steps of the plan that it is carried out as. */
  readonly nested: StepList | null;
}

/** Steps that are carried out one after the other: those of a plan, a nested plan or a fallback, in document order. */
export interface StepList {
  readonly plan: ActionPlan;
  readonly steps: readonly RunStep[];
}

/** The steps of a run, with the defaults applied, fallbacks and nested plans below the steps that they belong to. */
export interface RunSteps {
  readonly dialect: DialectName;
  /** Values that whoever prepared the run has given, by the names that references have. */
  readonly host: JsonObject;
  readonly root: StepList;
  /** Every one, each before those below it. */
  readonly all: readonly RunStep[];
  /** By the place in the plan; a fallback of the plan's defaults belongs to several. */
  readonly at: ReadonlyMap<string, readonly RunStep[]>;
}

/** Makes the steps of a run from its plan. */
export function stepsOfRun(plan: ActionPlan, dialect: DialectName, host: JsonObject = {}): RunSteps {
  const all: RunStep[] = [];
  const at = new Map<string, RunStep[]>();
  const scopes = scopesOf(plan);
  const scopedAt = new Map(scopes.flatMap(({ steps }) => steps).map((one) => [one.pointer, one]));
  const add = (step: RunStep) => {
    all.push(step);
    const known = at.get(step.scoped.pointer);
    if (known === undefined) at.set(step.scoped.pointer, [step]);
    else known.push(step);
  };
  const make = { add, scopedAt };
  const root = listOf(make, { plan, pointer: '/steps', steps: plan.steps, parent: null, isFallback: false });
  return { dialect, host, root, all, at };
}

interface Making {
  readonly add: (step: RunStep) => void;
  readonly scopedAt: ReadonlyMap<string, ScopedStep>;
}

interface Listed {
  readonly plan: ActionPlan;
  /** Where the list is. */
  readonly pointer: string;
  readonly steps: readonly ActionStep[];
  readonly parent: RunStep['parent'];
  readonly isFallback: boolean;
}

function listOf(making: Making, { plan, pointer, steps, parent, isFallback }: Listed): StepList {
  const made: RunStep[] = [];
  const list: StepList = { plan, steps: made };
  const resolved = isFallback ? steps.map((step) => resolveStep(step, {})) : resolveDefaults(plan).steps;
  for (const [index, raw] of steps.entries()) {
    const scoped = making.scopedAt.get(`${pointer}/${index}`);
    const step = resolved[index];
    if (scoped === undefined || step === undefined) throw new RangeError(`no step at ${pointer}/${index}`);
    made.push(stepOf(making, { raw, step: withApproval(step), scoped, parent, list }));
  }
  return list;
}

/** wa asks for an approval by a precondition. */
function withApproval(step: ResolvedStep): ResolvedStep {
  const isAsked = step.preconditions?.some(({ type }) => type === APPROVAL_CONDITION) === true;
  return isAsked ? { ...step, requires_approval: true } : step;
}

function stepOf(
  making: Making,
  given: Pick<RunStep, 'raw' | 'step' | 'scoped' | 'parent' | 'list'>,
): RunStep {
  const lists: { fallback: StepList | null; nested: StepList | null } = { fallback: null, nested: null };
  const made: RunStep = {
    ...given,
    id: given.raw.id,
    get fallback() {
      return lists.fallback;
    },
    get nested() {
      return lists.nested;
    },
  };
  making.add(made);
  const { scoped, raw, list } = given;
  const onError = given.step.on_error;
  if (onError.strategy === 'fallback')
    lists.fallback = listOf(making, {
      plan: list.plan,
      pointer: fallbackPointer(scoped, raw.on_error),
      steps: onError.steps,
      parent: { of: made, part: 'fallback' },
      isFallback: true,
    });
  if (raw.plan !== undefined)
    lists.nested = listOf(making, {
      plan: raw.plan,
      pointer: `${scoped.pointer}/plan/steps`,
      steps: raw.plan.steps,
      parent: { of: made, part: 'plan' },
      isFallback: false,
    });
  return made;
}

/** Where the steps of a fallback are: in the step, or in the defaults of its plan. */
function fallbackPointer(
  { pointer, scope }: { pointer: string; scope: Scope },
  own: OnError | undefined,
): string {
  return own === undefined ? `${scope.pointer}/defaults/on_error/steps` : `${pointer}/on_error/steps`;
}

/** The steps that a step is below, the nearest first. */
export function* stepsAround(step: RunStep): Generator<RunStep> {
  for (let at = step.parent; at !== null; at = at.of.parent) yield at.of;
}
