import type { ActionPlan, ActionStep } from './action-plan.js';
import { pointerTo } from '../kernel/json/json-pointer.js';
import type { JsonPointer } from '../kernel/json/json-pointer.js';

/** A step within the plan whose steps can name it. */
export interface ScopedStep {
  readonly step: ActionStep;
  /** Place in the model. */
  readonly pointer: JsonPointer;
  readonly scope: Scope;
  /** Place among the steps of its scope in document order, from 0. */
  readonly order: number;
}

/** A plan, or a nested plan: the steps that know each other's ids, those of fallbacks included. */
export interface Scope {
  readonly plan: ActionPlan;
  readonly pointer: JsonPointer;
  /** The step that a nested plan is carried out as; null for the plan of the document. */
  readonly owner: ScopedStep | null;
  readonly steps: readonly ScopedStep[];
  /** By id, in document order. */
  readonly byId: ReadonlyMap<string, readonly ScopedStep[]>;
  /** By the name that they capture their output as, in document order. */
  readonly byCapture: ReadonlyMap<string, readonly ScopedStep[]>;
}

/** The scopes of a plan, each before those nested in it. */
export function scopesOf(
  plan: ActionPlan,
  pointer: JsonPointer = '',
  owner: ScopedStep | null = null,
): readonly Scope[] {
  const steps: ScopedStep[] = [];
  const byId = new Map<string, ScopedStep[]>();
  const byCapture = new Map<string, ScopedStep[]>();
  const scope: Scope = { plan, pointer, owner, steps, byId, byCapture };
  const add = (list: readonly ActionStep[], base: JsonPointer) => {
    for (const [index, step] of list.entries()) {
      const scoped = { step, pointer: pointerTo(base, index), scope, order: steps.length };
      steps.push(scoped);
      append(byId, step.id, scoped);
      if (step.capture_as !== undefined) append(byCapture, step.capture_as, scoped);
      if (step.on_error?.strategy === 'fallback')
        add(step.on_error.steps, `${scoped.pointer}/on_error/steps`);
    }
  };
  add(plan.steps, `${pointer}/steps`);
  const fallback = plan.defaults?.on_error;
  if (fallback?.strategy === 'fallback') add(fallback.steps, `${pointer}/defaults/on_error/steps`);
  const nested = steps.flatMap((step) =>
    step.step.plan === undefined ? [] : scopesOf(step.step.plan, `${step.pointer}/plan`, step),
  );
  return [scope, ...nested];
}

/**
 * Of steps of one name in a scope, the one that is meant at a place: the nearest before it, else the first after
 * it.
 */
export function nearest(steps: readonly ScopedStep[], order: number): ScopedStep | null {
  let [low, high] = [0, steps.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((steps[middle]?.order ?? 0) < order) low = middle + 1;
    else high = middle;
  }
  return steps[low - 1] ?? steps[low] ?? null;
}

function append(map: Map<string, ScopedStep[]>, key: string, step: ScopedStep): void {
  const known = map.get(key);
  if (known === undefined) map.set(key, [step]);
  else known.push(step);
}
