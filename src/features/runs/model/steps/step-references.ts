import type { DialectName } from '../../../actions/model/dialect.js';
import { dialectOf } from '../../../actions/model/dialects.js';
import { referenceTarget } from '../../../actions/model/reference-target.js';
import { foreachSource, lexReferences, referencesWithin } from '../../../actions/model/references.js';
import type { LexOptions, Reference, StringPart } from '../../../actions/model/references.js';
import { otherDialectStrings } from '../../../actions/model/step-references.js';
import type { JsonPointer } from '../../../../kernel/json/json-pointer.js';
import { keysOfPointer, pointerTo } from '../../../../kernel/json/json-pointer.js';
import type { RunStep, RunSteps } from './run-step.js';
import { stepsAround } from './run-step.js';

/** What a foreach calls the place of an item in its list, where the plan does not say it. */
const INDEX_NAME = 'index';

/** The names that the foreach of a step binds. */
export function loopNamesOf({ raw: { foreach } }: RunStep): readonly string[] {
  return foreach === undefined ? [] : [foreach.item_name, foreach.index_name ?? INDEX_NAME];
}

/** Cuts the strings of a step into text and references, each as the dialect has it that it came from. */
export function lexerOf(
  step: RunStep,
  dialect: DialectName,
): (text: string, pointer: JsonPointer) => readonly StringPart[] {
  const otherDialect = otherDialectStrings(step.raw);
  return (text, pointer) => lexReferences(text, optionsOf(step, otherDialect.get(pointer)?.as ?? dialect));
}

/** The reference that a foreach goes over; null where it names none. */
export function sourceOfLoop(step: RunStep, dialect: DialectName): Reference | null {
  const { foreach } = step.raw;
  return foreach === undefined
    ? null
    : foreachSource(foreach.from, { syntax: dialectOf(dialect).references });
}

/** A reference of a step and where in the step it stands. */
export interface LocatedReference {
  readonly reference: Reference;
  readonly pointer: JsonPointer;
}

/** Every reference of a step: what its foreach goes over, its arguments, and those of its conditions. */
export function* referencesOfRunStep(step: RunStep, dialect: DialectName): Generator<LocatedReference> {
  const { raw } = step;
  const source = sourceOfLoop(step, dialect);
  if (source !== null) yield { reference: source, pointer: '/foreach/from' };
  const otherDialect = otherDialectStrings(raw);
  const options = optionsOf(step, dialect);
  for (const found of referencesWithin(raw.args, options, '/args'))
    if (!otherDialect.has(found.pointer)) yield found;
  for (const [pointer, { text, as }] of otherDialect)
    yield* referencesWithin(text, optionsOf(step, as), pointer);
  for (const part of ['preconditions', 'verifications'] as const)
    for (const [index, { args }] of (raw[part] ?? []).entries())
      yield* referencesWithin(args, options, pointerTo('', part, index, 'args'));
}

/** Returns the arguments of a step that hold a reference, whose values are known only when it is carried out. */
export function argumentsKnownLater(step: RunStep, dialect: DialectName): ReadonlySet<string> {
  const places = [...referencesOfRunStep(step, dialect)].map(({ pointer }) => keysOfPointer(pointer));
  return new Set(places.flatMap(([part, name]) => (part === 'args' && name !== undefined ? [name] : [])));
}

/** The step of the run whose output a reference names, and the path below it. */
export interface RunTarget {
  readonly step: RunStep;
  readonly path: readonly string[];
}

/** What a reference means; as `referenceTarget` has it. */
export function stepReferenceTarget(
  reference: Reference,
  from: RunStep,
  steps: RunSteps,
): RunTarget | null | undefined {
  const found = referenceTarget(reference, from.scoped);
  if (found === null || found === undefined) return found;
  const step = meantBy(found.step.pointer, from, steps);
  return step === null ? null : { step, path: found.path };
}

/** The step at a place of the plan; of a fallback that several steps have, the one that is nearest. */
export function meantBy(pointer: JsonPointer, from: RunStep, steps: RunSteps): RunStep | null {
  const found = steps.at.get(pointer) ?? [];
  const around = [from, ...stepsAround(from)];
  for (const one of around) {
    const match = found.find((step) => step === one || step.list === one.list || step.parent?.of === one);
    if (match !== undefined) return match;
  }
  return found[0] ?? null;
}

function optionsOf(step: RunStep, dialect: DialectName): LexOptions {
  return { syntax: dialectOf(dialect).references, loopNames: loopNamesOf(step) };
}
