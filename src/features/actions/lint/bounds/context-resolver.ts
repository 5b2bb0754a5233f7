import type { DialectName } from '../../model/dialect.js';
import { textOfJson } from '../../../../kernel/json/json-text.js';
import { isJsonObject, isJsonList } from '../../../../kernel/json/json-value.js';
import type { JsonValue } from '../../../../kernel/json/json-value.js';
import { followPath } from '../../model/references.js';
import type { StringPart } from '../../model/references.js';
import { stringLexer } from '../../model/step-references.js';
import type { Resolve } from './bound-values.js';
import type { ScopedStep } from '../../model/scopes.js';

/**
 * Tells what strings of a step come to before the plan runs: a reference to the context of the plan, or of one around it, is
 * known, every other one is not.
 */
export function contextResolver(scoped: ScopedStep, dialect: DialectName): Resolve {
  const lex = stringLexer(scoped.step, dialect);
  return (text, pointer) => {
    const parts = lex(text, pointer);
    if (parts.every(({ kind }) => kind === 'text')) return null;
    const values = parts.map((part) => valueOfPart(part, scoped));
    if (values.length === 1) return { value: values[0] };
    return { value: values.includes(undefined) ? undefined : values.map(asText).join('') };
  };
}

function valueOfPart(part: StringPart, scoped: ScopedStep): JsonValue | undefined {
  if (part.kind === 'text') return part.text;
  const { kind, name, path } = part.reference;
  if (kind !== 'context') return undefined;
  for (let at: ScopedStep | null = scoped; at !== null; at = at.scope.owner) {
    const followed = followPath(at.scope.plan.context ?? {}, [name, ...path]);
    if ('found' in followed) return followed.found;
  }
  return undefined;
}

/** Inside text, scalars print plainly and objects as JSON. */
function asText(value: JsonValue | undefined): string {
  if (value === undefined) return '';
  if (isJsonObject(value) || isJsonList(value)) return textOfJson(value);
  return typeof value === 'string' ? value : textOfJson(value);
}
