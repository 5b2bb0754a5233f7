import { followPath } from '../../../actions/model/references.js';
import type { Reference, StringPart } from '../../../actions/model/references.js';
import type { ActionPlan } from '../../../actions/model/action-plan.js';
import { pointerTo } from '../../../../kernel/json/json-pointer.js';
import type { JsonPointer } from '../../../../kernel/json/json-pointer.js';
import { textOfJson } from '../../../../kernel/json/json-text.js';
import { isExactNumber, isJsonList, isJsonObject } from '../../../../kernel/json/json-value.js';
import type { JsonObject, JsonValue } from '../../../../kernel/json/json-value.js';
import type { RunFailure } from '../events/run-fields.js';
import { instanceName } from '../steps/instance-names.js';
import type { Indices } from '../steps/instance-names.js';
import type { RunStep, RunSteps } from '../steps/run-step.js';
import { stepsAround } from '../steps/run-step.js';
import { lexerOf, loopNamesOf, sourceOfLoop, stepReferenceTarget } from '../steps/step-references.js';
import { cutWithin, wordCut } from './cut-output.js';
import type { OutputOfRun, RunOutputs } from './run-values.js';

/** Where a step is carried out: for which item of each foreach around it. */
export interface Iteration {
  readonly indices: Indices;
  readonly items: ReadonlyMap<RunStep, JsonValue>;
}

/** The iteration of steps that no foreach is around. */
export const NO_ITERATION: Iteration = { indices: new Map(), items: new Map() };

/** The iteration for one item of a foreach. */
export function iterationToResolve(
  { indices, items }: Iteration,
  step: RunStep,
  index: number,
  item: JsonValue,
): Iteration {
  return { indices: new Map([...indices, [step, index]]), items: new Map([...items, [step, item]]) };
}

/** What a value came to: itself with its references resolved, or why they cannot be. */
export type Resolved<Value = JsonValue> = { readonly value: Value } | { readonly error: RunFailure };

/** Resolves what is written in a step. Own members and list items are reached, and nothing else of a value. */
export interface Resolver {
  /** @param base where the object stands in the step, such as `/args` */
  object(object: JsonObject, base: JsonPointer): Promise<Resolved<JsonObject>>;
  /** The list that a foreach runs over. */
  items(): Promise<Resolved<readonly JsonValue[]>>;
}

/** What a resolver works with. */
export interface Resolving {
  readonly steps: RunSteps;
  readonly outputs: RunOutputs;
}

/** Makes the resolver of a step instance. */
export function resolverOf(resolving: Resolving, step: RunStep, iteration: Iteration): Resolver {
  const { steps } = resolving;
  const lex = lexerOf(step, steps.dialect);
  const valueOf = (reference: Reference) => follow(reference, resolving, step, iteration);

  return { object: objectOf, items };

  async function objectOf(object: JsonObject, base: JsonPointer): Promise<Resolved<JsonObject>> {
    const resolved = await resolve(object, base);
    if ('error' in resolved) return resolved;
    if (!isJsonObject(resolved.value)) throw new TypeError('an object is resolved to an object');
    return { value: resolved.value };
  }

  async function items(): Promise<Resolved<readonly JsonValue[]>> {
    const from = step.raw.foreach?.from ?? '';
    const source = sourceOfLoop(step, steps.dialect);
    const found = source === null ? referenceError(from) : await valueOf(source);
    if ('error' in found) return found;
    if (isJsonList(found.value)) return { value: found.value };
    return { error: failureOf('NOT_A_LIST', `${from} is not a list: ${kindOf(found.value)}`) };
  }

  async function resolve(value: JsonValue, pointer: JsonPointer): Promise<Resolved> {
    if (typeof value === 'string') return text(lex(value, pointer), value);
    if (isJsonList(value)) {
      const list: JsonValue[] = [];
      for (const [index, item] of value.entries()) {
        const resolved = await resolve(item, pointerTo(pointer, index));
        if ('error' in resolved) return resolved;
        list.push(resolved.value);
      }
      return { value: list };
    }
    if (!isJsonObject(value)) return { value };
    const members: [string, JsonValue][] = [];
    for (const [key, member] of Object.entries(value)) {
      const resolved = await resolve(member, pointerTo(pointer, key));
      if ('error' in resolved) return resolved;
      members.push([key, resolved.value]);
    }
    return { value: Object.fromEntries(members) };
  }

  async function text(parts: readonly StringPart[], whole: string): Promise<Resolved> {
    const [first, more] = parts;
    if (first?.kind === 'reference' && more === undefined) return valueOf(first.reference);
    if (parts.every(({ kind }) => kind === 'text')) return { value: whole };
    let result = '';
    for (const part of parts) {
      if (part.kind === 'text') {
        result += part.text;
        continue;
      }
      const resolved = await valueOf(part.reference);
      if ('error' in resolved) return resolved;
      result += printed(resolved.value);
    }
    return { value: result };
  }
}

/** Follows a reference to its value. */
async function follow(
  reference: Reference,
  { steps, outputs }: Resolving,
  step: RunStep,
  iteration: Iteration,
): Promise<Resolved> {
  const named = await valueNamed(reference, { steps, outputs }, step, iteration);
  if (named === null) return referenceError(reference.text);
  const cut = cutWithin(named.cuts, named.path);
  if (cut !== null) return { error: failureOf(OUTPUT_CUT, `${reference.text}: ${wordCut(cut)}`) };
  const followed = followPath(named.value, named.path);
  if ('found' in followed) return { value: followed.found };
  const what = `${reference.text}: there is no ${JSON.stringify(followed.missing)} in what it names`;
  return { error: failureOf('REFERENCE_ERROR', what) };
}

async function valueNamed(
  reference: Reference,
  { steps, outputs }: Resolving,
  step: RunStep,
  iteration: Iteration,
): Promise<Named | null> {
  if (reference.kind !== 'step' && reference.kind !== 'context') {
    const bound = boundBy(reference, step, iteration);
    if (bound !== null) return bound;
  }
  const target = stepReferenceTarget(reference, step, steps);
  if (target === null || target === undefined) return contextValue(reference, step, steps.host);
  const output = await outputs.of(instanceName(target.step, indicesFor(target.step, step, iteration)));
  return output === undefined ? null : { ...output, path: target.path };
}

interface Named extends Partial<OutputOfRun> {
  readonly value: JsonValue;
  readonly path: readonly string[];
}

/** The code of a failure for want of an output: it is there, and its end is not. */
export const OUTPUT_CUT = 'OUTPUT_CUT';

/** What a foreach binds that the step has, or one around it; the nearest counts. */
function boundBy({ name, path }: Reference, step: RunStep, { indices, items }: Iteration): Named | null {
  for (const one of [step, ...stepsAround(step)]) {
    const [item, index] = loopNamesOf(one);
    const at = indices.get(one);
    if (at === undefined) continue;
    if (name === item) return { value: items.get(one) ?? null, path };
    if (name === index) return { value: at, path };
  }
  return null;
}

/** The foreach items that another step is carried out for where this one is. Its own foreach makes a list of outputs. */
function indicesFor(target: RunStep, from: RunStep, { indices }: Iteration): Indices {
  const around = new Set(stepsAround(target));
  // A look at what the step itself brought is for its own item.
  if (target === from) around.add(target);
  return new Map([...indices].filter(([step]) => around.has(step)));
}

/** A value of the plan's context, or of one around it, else of the host. A name may hold dots; the longest that there is counts. */
function contextValue({ kind, name, path }: Reference, step: RunStep, host: JsonObject): Named | null {
  if (kind === 'step' || kind === 'loop') return null;
  const words = [name, ...path];
  for (const context of [...plansAround(step)].map((plan) => plan.context ?? {}).concat(host)) {
    for (let length = words.length; length > 0; length -= 1) {
      const key = words.slice(0, length).join('.');
      const value = Object.hasOwn(context, key) ? context[key] : undefined;
      if (value !== undefined) return { value, path: words.slice(length) };
    }
  }
  return null;
}

/** The plan of a step, and those that it is nested in. */
function* plansAround(step: RunStep): Generator<ActionPlan> {
  yield step.list.plan;
  for (const one of stepsAround(step)) yield one.list.plan;
}

/** Whether a reference names something that is there before the run, so that it can be resolved. */
export function namesSomething(reference: Reference, step: RunStep, steps: RunSteps): boolean {
  const target = stepReferenceTarget(reference, step, steps);
  if (target === null) return false;
  if (target !== undefined || reference.kind === 'loop') return true;
  const isBound = [step, ...stepsAround(step)].some((one) => loopNamesOf(one).includes(reference.name));
  return (reference.kind !== 'context' && isBound) || contextValue(reference, step, steps.host) !== null;
}

/** A value within a text: scalars as they are, objects and lists as JSON. */
function printed(value: JsonValue): string {
  return typeof value === 'string' ? value : textOfJson(value);
}

function referenceError(text: string): { readonly error: RunFailure } {
  return { error: failureOf('REFERENCE_ERROR', `${text} names nothing that there is`) };
}

function failureOf(code: string, message: string): RunFailure {
  return { code, message, retryable: false };
}

function kindOf(value: JsonValue): string {
  if (value === null) return 'null';
  return isExactNumber(value) ? 'number' : typeof value;
}
