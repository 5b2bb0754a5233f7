import { isJsonObject } from '../../../kernel/json/json-value.js';
import type { JsonObject, JsonValue } from '../../../kernel/json/json-value.js';

/** A place where a path leaves what an output can be: the key that is not there, and those that are. */
export interface Unreachable {
  readonly key: string;
  readonly there: readonly string[];
}

/** Types of values that have no members. */
const PLAIN: ReadonlySet<JsonValue> = new Set(['string', 'number', 'integer', 'boolean', 'null']);

/** Returns where a path leads to what a value of a JSON Schema can never have; null where it can. */
export function unreachableIn(schema: JsonValue | undefined, path: readonly string[]): Unreachable | null {
  let at = schema;
  for (const key of path) {
    if (!isJsonObject(at)) return null;
    const { type = null } = at;
    if (PLAIN.has(type)) return { key, there: [] };
    if (type === 'array') {
      if (!/^(?:0|[1-9]\d*)$/.test(key)) return { key, there: [] };
      at = at.items;
      continue;
    }
    if (type !== 'object') return null;
    const properties: JsonObject = isJsonObject(at.properties) ? at.properties : {};
    if (Object.hasOwn(properties, key)) at = properties[key];
    else if (at.additionalProperties === false && at.patternProperties === undefined)
      return { key, there: Object.keys(properties) };
    else at = at.additionalProperties;
  }
  return null;
}
