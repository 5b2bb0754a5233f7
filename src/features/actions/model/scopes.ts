import type { ActionPlan, ActionStep } from './action-plan.js';
import { pointerTo } from '../../../kernel/json/json-pointer.js';
import type { JsonPointer } from '../../../kernel/json/json-pointer.js';

/** A step within the plan whose steps can name it. */
export interface ScopedStep {
  readonly step: ActionStep;
  /** Place in the model. */
  readonly pointer: JsonPointer;
  readonly scope: Scope;
  /** Place among the steps of its scope in document order, from 0. */
  readonly order: number;
  /** The steps that it stands among. */
  readonly list: NamedSteps;
}

/** The steps of a plan or of one fallback, without those of fallbacks within it, by what names them. */
export interface NamedSteps {
  /** By id, in document order. */
  readonly byId: ReadonlyMap<string, readonly ScopedStep[]>;
  /** By the name that they capture their output as, in document order. */
  readonly byCapture: ReadonlyMap<string, readonly ScopedStep[]>;
  /** The steps that a fallback is within; null for those of a plan. */
  readonly around: NamedSteps | null;
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
  const add = (all: readonly ActionStep[], base: JsonPointer, around: NamedSteps | null) => {
    const own = { byId: new Map<string, ScopedStep[]>(), byCapture: new Map<string, ScopedStep[]>(), around };
    for (const [index, step] of all.entries()) {
      const scoped = { step, pointer: pointerTo(base, index), scope, order: steps.length, list: own };
      steps.push(scoped);
      for (const names of [{ byId, byCapture }, own]) {
        append(names.byId, step.id, scoped);
        if (step.capture_as !== undefined) append(names.byCapture, step.capture_as, scoped);
      }
      if (step.on_error?.strategy === 'fallback')
        add(step.on_error.steps, `${scoped.pointer}/on_error/steps`, own);
    }
    return own;
  };
  const top = add(plan.steps, `${pointer}/steps`, null);
  const fallback = plan.defaults?.on_error;
  if (fallback?.strategy === 'fallback') add(fallback.steps, `${pointer}/defaults/on_error/steps`, top);
  const nested = steps.flatMap((step) =>
    step.step.plan === undefined ? [] : scopesOf(step.step.plan, `${step.pointer}/plan`, step),
  );
  return [scope, ...nested];
}

/**
 * Of steps of one name in a scope, the one that a step means: among those that are carried out before it or beside it,
 * the nearest before it in the document, else the first after it; else so among those of fallbacks that the step is
 * not within, which may never be carried out.
 * @param named the steps of that name among some
 */
export function nearest(
  { scope, list, order }: ScopedStep,
  named: (among: Pick<NamedSteps, 'byId' | 'byCapture'>) => readonly ScopedStep[] | undefined,
): ScopedStep | null {
  const candidates: ScopedStep[] = [];
  for (let at: NamedSteps | null = list; at !== null; at = at.around) {
    const found = nearestOf(named(at) ?? [], order);
    if (found !== null) candidates.push(found);
  }
  const inOrder = candidates.toSorted((a, b) => a.order - b.order);
  return nearestOf(inOrder, order) ?? nearestOf(named(scope) ?? [], order);
}

/** The last before a place, else the first there or after it. */
function nearestOf(steps: readonly ScopedStep[], order: number): ScopedStep | null {
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
