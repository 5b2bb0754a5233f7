import { targetStep } from '../../../actions/model/reference-target.js';
import type { RunStep, RunSteps, StepList } from './run-step.js';
import { stepsAround } from './run-step.js';
import { meantBy, referencesOfRunStep, stepReferenceTarget } from './step-references.js';

/** In which order the steps of each list run, and what each needs. */
export interface StepOrder {
  /** The steps of a list: dependencies and references first, then as the document has them. */
  readonly inOrder: (list: StepList) => readonly RunStep[];
  /** The steps of the same list that must have succeeded before a step begins, for itself or for what is below it. */
  readonly needsOf: (step: RunStep) => readonly RunStep[];
  /** Whether another step takes something from its output. */
  readonly isOutputTaken: (step: RunStep) => boolean;
  /** Steps that can never run, since each needs another of them; empty where there are none. */
  readonly cycles: readonly (readonly RunStep[])[];
}

/** Works out the order of a run. It is the same whenever it is worked out. */
export function orderOf(steps: RunSteps): StepOrder {
  const needs = new Map<RunStep, Set<RunStep>>(steps.all.map((step) => [step, new Set()]));
  const taken = new Set<RunStep>();
  for (const step of steps.all) {
    for (const target of targetsOf(step, steps, taken)) {
      const pair = inOneList(step, target);
      if (pair !== null) needs.get(pair.from)?.add(pair.to);
    }
  }
  const orders = new Map<StepList, readonly RunStep[]>();
  const cycles: (readonly RunStep[])[] = [];
  for (const list of new Set(steps.all.map((step) => step.list))) {
    const sorted = sort(list.steps, needs);
    orders.set(list, sorted.order);
    if (sorted.left.length > 0) cycles.push(sorted.left);
  }
  return {
    inOrder: (list) => orders.get(list) ?? list.steps,
    needsOf: (step) => [...(needs.get(step) ?? [])],
    isOutputTaken: (step) => taken.has(step),
    cycles,
  };
}

function* targetsOf(step: RunStep, steps: RunSteps, taken: Set<RunStep>): Generator<RunStep> {
  for (const id of step.step.depends_on) {
    const found = targetStep(id, step.scoped);
    const target = found === null ? null : meantBy(found.pointer, step, steps);
    if (target !== null) yield target;
  }
  for (const { reference, pointer } of referencesOfRunStep(step, steps.dialect)) {
    const target = stepReferenceTarget(reference, step, steps)?.step;
    if (target === undefined) continue;
    // A verification looks at what the step itself brought.
    if (target === step && pointer.startsWith('/verifications/')) continue;
    taken.add(target);
    yield target;
  }
}

/** The two steps of one list that two steps are, or are below; null where one is below the other. */
function inOneList(from: RunStep, to: RunStep): { readonly from: RunStep; readonly to: RunStep } | null {
  if (from === to) return { from, to };
  const around = [to, ...stepsAround(to)];
  for (const mine of [from, ...stepsAround(from)]) {
    const theirs = around.find((one) => one.list === mine.list);
    if (theirs !== undefined) return theirs === mine ? null : { from: mine, to: theirs };
  }
  return null;
}

/** The first in the document of those that need nothing more, again and again. */
function sort(
  steps: readonly RunStep[],
  needs: ReadonlyMap<RunStep, ReadonlySet<RunStep>>,
): { readonly order: readonly RunStep[]; readonly left: readonly RunStep[] } {
  const places = new Map(steps.map((step, index) => [step, index]));
  const open = steps.map((step) => needs.get(step)?.size ?? 0);
  const dependents = new Map<RunStep, number[]>();
  for (const [index, step] of steps.entries())
    for (const need of needs.get(step) ?? []) append(dependents, need, index);
  const ready = steps.flatMap((_step, index) => (open[index] === 0 ? [index] : []));
  const order: RunStep[] = [];
  for (let next = ready.shift(); next !== undefined; next = ready.shift()) {
    const step = steps[next];
    if (step === undefined) continue;
    order.push(step);
    for (const index of dependents.get(step) ?? []) {
      open[index] = (open[index] ?? 0) - 1;
      if (open[index] === 0) insert(ready, index);
    }
  }
  const done = new Set(order.map((step) => places.get(step)));
  return { order, left: steps.filter((_step, index) => !done.has(index)) };
}

function append(map: Map<RunStep, number[]>, key: RunStep, value: number): void {
  const known = map.get(key);
  if (known === undefined) map.set(key, [value]);
  else known.push(value);
}

/** Puts a number into a sorted list. */
function insert(sorted: number[], value: number): void {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] ?? 0) < value) low = middle + 1;
    else high = middle;
  }
  sorted.splice(low, 0, value);
}
