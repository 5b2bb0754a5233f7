import type { ActionPlan, ActionStep } from '../model/action-plan.js';
import type { StringPart } from '../model/references.js';
import { scopesOf } from '../model/scopes.js';
import type { ScopedStep } from '../model/scopes.js';

/** Says of a bare name in a string of a step what it means: a step that it knows, else a variable. Other parts stay. */
export interface NamesOfStep {
  /** By the ids that the steps had before a conversion. */
  readonly before: (part: StringPart) => StringPart;
  /** By those that they have now. */
  readonly after: (part: StringPart) => StringPart;
}

/**
 * What bare names, such as `${list.items}`, mean in the steps of a plan. Dialects that have none can then say them with a
 * mark, and no dialect takes them for something else.
 * @param renamed new ids of steps by their old ones; the plan has the new ones
 */
export function bareNames(
  plan: ActionPlan,
  renamed: ReadonlyMap<string, string>,
): (step: ActionStep) => NamesOfStep {
  const old = new Map([...renamed].map(([from, to]) => [to, from]));
  const scoped = new Map(scopesOf(plan).flatMap(({ steps }) => steps.map((one) => [one.step, one] as const)));
  return (step) => {
    const at = scoped.get(step);
    return {
      before: (part) =>
        told(
          part,
          at,
          (id) => renamed.get(id) ?? id,
          (id) => !old.has(id) || renamed.has(id),
        ),
      after: (part) =>
        told(
          part,
          at,
          (id) => id,
          () => true,
        ),
    };
  };
}

function told(
  part: StringPart,
  at: ScopedStep | undefined,
  now: (id: string) => string,
  isId: (id: string) => boolean,
): StringPart {
  if (part.kind === 'text' || part.reference.kind !== 'name') return part;
  const { reference } = part;
  const isStep = isId(reference.name) && isKnown(now(reference.name), at);
  return { kind: 'reference', reference: { ...reference, kind: isStep ? 'step' : 'variable' } };
}

/** Whether a step's own plan, or one around it, has a step of an id. */
function isKnown(id: string, from: ScopedStep | undefined): boolean {
  for (let at: ScopedStep | null = from ?? null; at !== null; at = at.scope.owner)
    if (at.scope.byId.has(id)) return true;
  return false;
}
