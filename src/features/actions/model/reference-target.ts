import type { Reference } from './references.js';
import { nearest } from './scopes.js';
import type { ScopedStep } from './scopes.js';

/** The step whose output a reference names, and the path below that output. */
export interface ReferenceTarget {
  readonly step: ScopedStep;
  readonly path: readonly string[];
}

/**
 * The step that a reference means; null where it names one that there is not, undefined where it names none by its
 * form: the context, what a foreach binds, and variables and bare names that nothing in the plan captures.
 */
export function referenceTarget(
  { kind, name, path }: Reference,
  from: ScopedStep,
): ReferenceTarget | null | undefined {
  const named = () => {
    const step = targetStep(name, from);
    return step === null ? null : { step, path };
  };
  switch (kind) {
    case 'step':
      return named() ?? stepCapturing([name, ...path], from);
    case 'variable':
      return stepCapturing([name, ...path], from) ?? undefined;
    case 'name':
      return named() ?? stepCapturing([name, ...path], from) ?? undefined;
    default:
      return undefined;
  }
}

/** The step that a reference to an id means at another step; null where there is none. */
export function targetStep(id: string, from: ScopedStep): ScopedStep | null {
  return outward(from, (at) => nearest(at, ({ byId }) => byId.get(id)));
}

/** A captured name may hold dots; the longest that the words make is meant. */
function stepCapturing(words: readonly string[], from: ScopedStep): ReferenceTarget | null {
  return outward(from, (at) => {
    if (at.scope.byCapture.size === 0) return null;
    for (let length = words.length; length > 0; length -= 1) {
      const name = words.slice(0, length).join('.');
      const isKnown = at.scope.byCapture.has(name);
      const step = isKnown ? nearest(at, ({ byCapture }) => byCapture.get(name)) : null;
      if (step !== null) return { step, path: words.slice(length) };
    }
    return null;
  });
}

/** What is found in the step's own plan, else in the nearest one around it. */
function outward<Found>(from: ScopedStep, find: (at: ScopedStep) => Found | null): Found | null {
  for (let at: ScopedStep | null = from; at !== null; at = at.scope.owner) {
    const found = find(at);
    if (found !== null) return found;
  }
  return null;
}
