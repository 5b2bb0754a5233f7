import type { JsonPointer } from '../../../../kernel/json/json-pointer.js';
import { pointerTo } from '../../../../kernel/json/json-pointer.js';
import { referenceTarget, targetStep } from '../../model/reference-target.js';
import { foreachSource, referencesWithin } from '../../model/references.js';
import type { Reference, ReferenceSyntax } from '../../model/references.js';
import type { Scope, ScopedStep } from '../../model/scopes.js';

/** That a step needs another: because it says so, or because a reference in it names the other's output. */
export interface Link {
  readonly from: ScopedStep;
  /** The step that is meant; null where there is none of the name. In a nested plan it may belong to one around it. */
  readonly to: ScopedStep | null;
  /** The id or name as it is written. */
  readonly name: string;
  /** Place in the model of the string that says it. */
  readonly pointer: JsonPointer;
  /** Null where it is a declared dependency. */
  readonly reference: Reference | null;
}

/** What a step does to the one that a link leads to, in a message. */
export function linkVerb({ reference }: Pick<Link, 'reference'>): 'depends on' | 'refers to' {
  return reference === null ? 'depends on' : 'refers to';
}

/**
 * Every link of the steps of a scope, in document order. References that name no step by their form
 * (variables and bare names that nothing in the plan captures, the context, what a foreach binds) are the
 * host's business and no links.
 */
export function stepLinks(scope: Scope, syntax: ReferenceSyntax): readonly Link[] {
  return scope.steps.flatMap((from) => [...declared(from), ...referred(from, syntax)]);
}

function declared(from: ScopedStep): readonly Link[] {
  return (from.step.depends_on ?? []).map((name, index) => ({
    from,
    to: targetStep(name, from),
    name,
    pointer: pointerTo(from.pointer, 'depends_on', index),
    reference: null,
  }));
}

function referred(from: ScopedStep, syntax: ReferenceSyntax): readonly Link[] {
  const { step, pointer } = from;
  const loopNames = [step.foreach?.item_name, step.foreach?.index_name].filter((name) => name !== undefined);
  const options = { syntax, loopNames };
  const found = [
    ...referencesWithin(step.args, options, pointerTo(pointer, 'args')),
    ...(['preconditions', 'verifications'] as const).flatMap((part) =>
      (step[part] ?? []).flatMap(({ args }, index) =>
        referencesWithin(args, options, pointerTo(pointer, part, index, 'args')),
      ),
    ),
  ];
  const source = step.foreach === undefined ? null : foreachSource(step.foreach.from, { syntax });
  const all =
    source === null
      ? found
      : [{ reference: source, pointer: pointerTo(pointer, 'foreach', 'from') }, ...found];
  return all.flatMap(({ reference, pointer: region }) => {
    const target = referenceTarget(reference, from);
    return target === undefined
      ? []
      : [{ from, to: target?.step ?? null, name: reference.name, pointer: region, reference }];
  });
}
