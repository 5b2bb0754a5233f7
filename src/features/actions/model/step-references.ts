import type { ActionStep } from './action-plan.js';
import { stepNotes } from '../convert/own-extension.js';
import type { DialectName } from './dialect.js';
import { dialectOf } from './dialects.js';
import { keysOfPointer } from '../../../kernel/json/json-pointer.js';
import type { JsonPointer } from '../../../kernel/json/json-pointer.js';
import { foreachSource, lexReferences, referencesWithin } from './references.js';
import type { FoundReference, LexOptions, StringPart } from './references.js';

/** How the strings of a step are to be lexed: by the dialect of its plan, with the names that its foreach binds. */
export function lexOptionsOf(step: ActionStep, dialect: DialectName): LexOptions {
  const { foreach } = step;
  const names = foreach === undefined ? [] : [foreach.item_name, foreach.index_name ?? ''];
  return { syntax: dialectOf(dialect).references, loopNames: names.filter((name) => name !== '') };
}

/**
 * Every reference of a step, with its place in the step: `/foreach/from` first, then those of the arguments in
 * document order. A string that came from another dialect by a conversion is lexed as that dialect has it.
 * @param dialect of the plan
 */
export function referencesOfStep(step: ActionStep, dialect: DialectName): readonly FoundReference[] {
  const options = lexOptionsOf(step, dialect);
  const source = step.foreach === undefined ? null : foreachSource(step.foreach.from, options);
  const otherDialect = otherDialectStrings(step);
  const found = referencesWithin(step.args, options, '/args').filter(
    ({ pointer }) => !otherDialect.has(pointer),
  );
  const others = [...otherDialect].flatMap(([pointer, { text, as }]) =>
    referencesWithin(text, { ...options, syntax: dialectOf(as).references }, pointer),
  );
  return [...(source === null ? [] : [{ reference: source, pointer: '/foreach/from' }]), ...found, ...others];
}

/** Cuts the strings of a step's arguments into text and references, each as the dialect has it that it came from. */
export function stringLexer(
  step: ActionStep,
  dialect: DialectName,
): (text: string, pointer: JsonPointer) => readonly StringPart[] {
  const options = lexOptionsOf(step, dialect);
  const otherDialect = otherDialectStrings(step);
  return (text, pointer) => {
    const as = otherDialect.get(pointer)?.as ?? dialect;
    return lexReferences(text, { ...options, syntax: dialectOf(as).references });
  };
}

/** The strings of a step's arguments that another dialect's references are in, by their pointers. */
export function otherDialectStrings(
  step: ActionStep,
): ReadonlyMap<JsonPointer, { readonly text: string; readonly as: DialectName }> {
  const notes = stepNotes(step).strings ?? [];
  return new Map(
    notes.filter(({ at, text }) => stringAt(step, at) === text).map(({ at, text, as }) => [at, { text, as }]),
  );
}

/** A place in the arguments. Unlike a reference, a note may go through any name: it reads own members alone. */
function stringAt(step: ActionStep, pointer: JsonPointer): unknown {
  const [first, ...path] = keysOfPointer(pointer);
  if (first !== 'args') return undefined;
  return path.reduce<unknown>(
    (value, key): unknown =>
      typeof value === 'object' && value !== null
        ? Object.getOwnPropertyDescriptor(value, key)?.value
        : undefined,
    step.args,
  );
}
