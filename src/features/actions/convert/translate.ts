import type { ActionPlan, ActionStep } from '../model/action-plan.js';
import type { Dialect } from '../model/dialect.js';
import { dialectOf } from '../model/dialects.js';
import type { JsonPointer } from '../../../kernel/json/json-pointer.js';
import { pointerTo } from '../../../kernel/json/json-pointer.js';
import { isJsonList, isJsonObject } from '../../../kernel/json/json-value.js';
import type { JsonObject, JsonValue } from '../../../kernel/json/json-value.js';
import { foreachSource, lexReferences } from '../model/references.js';
import type { LexOptions, Reference, StringPart } from '../model/references.js';
import { otherDialectStrings, lexOptionsOf } from '../model/step-references.js';
import { bareNames } from './bare-names.js';
import type { NamesOfStep } from './bare-names.js';
import type { Loss } from './losses.js';
import { mapSteps } from './map-steps.js';
import { stepNotes, withStepNotes } from './own-extension.js';
import type { OtherDialectString } from './own-extension.js';

export interface Translation {
  readonly plan: ActionPlan;
  /** References that the target cannot say, and texts that it would take for references. */
  readonly losses: readonly Loss[];
}

/**
 * A plan whose references are spelled as the target spells them. A string that the target would read otherwise
 * stays as it is; frctl notes of it whose it is, and it is a loss unless the target is frctl itself.
 * @param renamed new ids of steps by their old ones
 */
export function translateReferences(
  plan: ActionPlan,
  source: Dialect,
  target: Dialect,
  renamed: ReadonlyMap<string, string>,
): Translation {
  const losses: Loss[] = [];
  const names = bareNames(plan, renamed);
  const translated = mapSteps(plan, (step) => {
    const noted = otherDialectStrings(step);
    const strings: OtherDialectString[] = [];
    const { before, after } = names(step);
    const options = lexOptionsOf(step, source.name);
    const spelling = { target, options, after };
    const translate = (text: string, at: JsonPointer): string => {
      const from = dialectOf(noted.get(at)?.as ?? source.name);
      const parts = lexReferences(text, { ...options, syntax: from.references }).map((part) =>
        rename(before(part), renamed),
      );
      const said = spelled(text, parts, { ...spelling, from });
      if (said !== null) return said;
      const otherDialect = inFirstThatSays(parts, spelling) ?? { text, as: from.name };
      strings.push({ at, ...otherDialect });
      if (target.name !== 'frctl') losses.push(lossOf(step, at, parts, target));
      return otherDialect.text;
    };
    for (const loss of lossesOfChecks(step, options, { source, target })) losses.push(loss);
    const from = foreachFrom(step, { options, renamed, names: names(step), target });
    if (from === null) losses.push(lossOfForeach(step, target));
    return withStrings(withForeach(step, from), translate, strings);
  });
  return { plan: translated, losses };
}

function withStrings(
  step: ActionStep,
  translate: (text: string, at: JsonPointer) => string,
  strings: readonly OtherDialectString[],
): ActionStep {
  const mapped = mapStrings(step.args, '/args', translate);
  const args: JsonObject = isJsonObject(mapped) ? mapped : step.args;
  const { strings: _old, ...notes } = stepNotes(step);
  const now = strings.length === 0 ? notes : { ...notes, strings: strings.map((one) => ({ ...one })) };
  return withStepNotes({ ...step, args }, now);
}

function withForeach(step: ActionStep, from: string | null): ActionStep {
  const { foreach } = step;
  return foreach === undefined || from === null ? step : { ...step, foreach: { ...foreach, from } };
}

interface ForeachTranslation {
  readonly options: LexOptions;
  readonly renamed: ReadonlyMap<string, string>;
  readonly names: NamesOfStep;
  readonly target: Dialect;
}

/** What a foreach goes over as the target spells it; null where it cannot. As it is where the target has no foreach anyway. */
function foreachFrom({ foreach }: ActionStep, translation: ForeachTranslation): string | null {
  const { options, renamed, names, target } = translation;
  if (foreach === undefined) return '';
  const source = foreachSource(foreach.from, options);
  if (source === null || !WITH_FOREACH.some((name) => name === target.name)) return foreach.from;
  const part = rename(names.before({ kind: 'reference', reference: source }), renamed);
  const spelledOut = part.kind === 'text' ? null : target.spell(part.reference, true);
  const says = (text: string, { references: syntax }: Dialect) => {
    const read = foreachSource(text, { ...options, syntax });
    return read !== null && isSame([part], [names.after({ kind: 'reference', reference: read })]);
  };
  // A spelling that every dialect with a foreach has stays; so a plan is spelled alike whichever way it has come.
  if (WITH_FOREACH.every((name) => says(foreach.from, dialectOf(name)))) return foreach.from;
  return [spelledOut, foreach.from].find((text) => text !== null && says(text, target)) ?? null;
}

const WITH_FOREACH = ['frctl', 'obsidian'] as const;

interface Spelling {
  readonly from: Dialect | null;
  readonly target: Dialect;
  readonly options: LexOptions;
  /** What a bare name means in the plan that is written. */
  readonly after: NamesOfStep['after'];
}

/** How the target spells a string of these parts; null where it cannot. */
function spelled(
  text: string,
  parts: readonly StringPart[],
  { from, target, options, after }: Spelling,
): string | null {
  const says = (one: string) =>
    isSame(parts, lexReferences(one, { ...options, syntax: target.references }).map(after));
  const pieces = parts.map((part) =>
    part.kind === 'text' ? part.text : target.spell(part.reference, parts.length === 1),
  );
  const said = pieces.includes(null) ? null : pieces.join('');
  if (said !== null && says(said)) return said;
  return from === target && says(text) ? text : null;
}

/** Always in the same dialect, whichever way a string has come. */
function inFirstThatSays(
  parts: readonly StringPart[],
  spelling: Omit<Spelling, 'from'>,
): Omit<OtherDialectString, 'at'> | null {
  for (const dialect of [
    dialectOf('frctl'),
    dialectOf('obsidian'),
    dialectOf('plan-lint'),
    dialectOf('wa'),
  ]) {
    const text = spelled('', parts, { ...spelling, from: null, target: dialect });
    if (text !== null) return { text, as: dialect.name };
  }
  return null;
}

function rename(part: StringPart, renamed: ReadonlyMap<string, string>): StringPart {
  if (part.kind === 'text' || !isRenamed(part.reference, renamed)) return part;
  const name = renamed.get(part.reference.name) ?? part.reference.name;
  return { kind: 'reference', reference: { ...part.reference, name } };
}

function isRenamed({ kind, name }: Reference, renamed: ReadonlyMap<string, string>): boolean {
  return kind === 'step' && renamed.has(name);
}

/** Whether two strings say the same: the same text around references to the same. */
function isSame(a: readonly StringPart[], b: readonly StringPart[]): boolean {
  return JSON.stringify(meaningOf(a)) === JSON.stringify(meaningOf(b));
}

function meaningOf(parts: readonly StringPart[]): readonly unknown[] {
  return parts.map((part) =>
    part.kind === 'text'
      ? part.text
      : { kind: part.reference.kind, name: part.reference.name, path: part.reference.path },
  );
}

function lossOf(step: ActionStep, at: JsonPointer, parts: readonly StringPart[], target: Dialect): Loss {
  const [reference] = parts.flatMap((part) => (part.kind === 'reference' ? [part.reference.text] : []));
  return {
    what: 'reference',
    step: step.id,
    where: at,
    why:
      reference === undefined
        ? `${target.title} would read a part of this text as a reference`
        : `${target.title} cannot express ${reference}`,
  };
}

function lossOfForeach(step: ActionStep, target: Dialect): Loss {
  const why = `${target.title} cannot express ${step.foreach?.from ?? ''}`;
  return { what: 'reference', step: step.id, where: '/foreach/from', why };
}

/** Strings of conditions stay as they are; where the target reads them otherwise, that is a loss. */
function lossesOfChecks(
  step: ActionStep,
  options: LexOptions,
  { source, target }: { readonly source: Dialect; readonly target: Dialect },
): readonly Loss[] {
  if (target.name === 'frctl') return [];
  return (['preconditions', 'verifications'] as const).flatMap((part) =>
    (step[part] ?? []).flatMap(({ args }, index) => {
      const losses: Loss[] = [];
      mapStrings(args, pointerTo('', part, index, 'args'), (text, at) => {
        const lexed = [source, target].map(({ references: syntax }) =>
          lexReferences(text, { ...options, syntax }),
        );
        if (!isSame(lexed[0] ?? [], lexed[1] ?? [])) losses.push(lossOf(step, at, lexed[0] ?? [], target));
        return text;
      });
      return losses;
    }),
  );
}

function mapStrings(
  value: JsonValue,
  at: JsonPointer,
  change: (text: string, at: JsonPointer) => string,
): JsonValue {
  if (typeof value === 'string') return change(value, at);
  if (isJsonList(value)) return value.map((item, index) => mapStrings(item, pointerTo(at, index), change));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [key, mapStrings(member, pointerTo(at, key), change)]),
  );
}
