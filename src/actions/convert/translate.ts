import type { ActionPlan, ActionStep } from '../action-plan.js';
import type { Dialect } from '../dialect.js';
import { dialectOf } from '../dialects.js';
import type { JsonPointer } from '../json-pointer.js';
import { pointerTo } from '../json-pointer.js';
import { isJsonList, isJsonObject } from '../json-value.js';
import type { JsonObject, JsonValue } from '../json-value.js';
import { foreachSource, lexReferences } from '../references.js';
import type { LexOptions, Reference, StringPart } from '../references.js';
import { foreignStrings, lexOptionsOf } from '../step-references.js';
import type { Loss } from './losses.js';
import { mapSteps } from './map-steps.js';
import { stepNotes, withStepNotes } from './own-extension.js';
import type { ForeignString } from './own-extension.js';

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
  const translated = mapSteps(plan, (step) => {
    const noted = foreignStrings(step);
    const strings: ForeignString[] = [];
    const options = lexOptionsOf(step, source.name);
    const translate = (text: string, at: JsonPointer): string => {
      const from = dialectOf(noted.get(at)?.as ?? source.name);
      const parts = lexReferences(text, { ...options, syntax: from.references }).map((part) =>
        rename(part, renamed),
      );
      const said = spelled(text, parts, { from, target, options });
      if (said !== null) return said;
      const foreign = inFirstThatSays(parts, options) ?? { text, as: from.name };
      strings.push({ at, ...foreign });
      if (target.name !== 'frctl') losses.push(lossOf(step, at, parts, target));
      return foreign.text;
    };
    return withStrings(withForeach(step, options, renamed), translate, strings);
  });
  return { plan: translated, losses };
}

function withStrings(
  step: ActionStep,
  translate: (text: string, at: JsonPointer) => string,
  strings: readonly ForeignString[],
): ActionStep {
  const mapped = mapStrings(step.args, '/args', translate);
  const args: JsonObject = isJsonObject(mapped) ? mapped : step.args;
  const { strings: _old, ...notes } = stepNotes(step);
  const now = strings.length === 0 ? notes : { ...notes, strings: strings.map((one) => ({ ...one })) };
  return withStepNotes({ ...step, args }, now);
}

function withForeach(
  step: ActionStep,
  options: LexOptions,
  renamed: ReadonlyMap<string, string>,
): ActionStep {
  const { foreach } = step;
  const source = foreach === undefined ? null : foreachSource(foreach.from, options);
  if (foreach === undefined || source === null || !isRenamed(source, renamed)) return step;
  const name = renamed.get(source.name) ?? source.name;
  return { ...step, foreach: { ...foreach, from: ['$steps', name, ...source.path].join('.') } };
}

interface Spelling {
  readonly from: Dialect | null;
  readonly target: Dialect;
  readonly options: LexOptions;
}

/** How the target spells a string of these parts; null where it cannot. */
function spelled(
  text: string,
  parts: readonly StringPart[],
  { from, target, options }: Spelling,
): string | null {
  const says = (one: string) => isSame(parts, lexReferences(one, { ...options, syntax: target.references }));
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
  options: LexOptions,
): Omit<ForeignString, 'at'> | null {
  for (const dialect of [
    dialectOf('frctl'),
    dialectOf('obsidian'),
    dialectOf('plan-lint'),
    dialectOf('wa'),
  ]) {
    const text = spelled('', parts, { from: null, target: dialect, options });
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
        ? `${target.title} would take a part of this text for a reference`
        : `${target.title} cannot say ${reference}`,
  };
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
