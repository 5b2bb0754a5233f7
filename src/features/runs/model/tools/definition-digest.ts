import { canonicalJson } from '../../../../kernel/json/canonical-json.js';
import { sha256 } from '../../../../kernel/sha256.js';
import type { ToolDefinition } from '../tool.js';

/**
 * What a run is approved with of one tool: SHA-256 over RFC 8785 of its name, description, input schema, annotations,
 * effects and binding, so that a change of any of them is seen.
 */
export function definitionDigest(definition: ToolDefinition): string {
  const { name, description, inputSchema, annotations = {}, effects, binding } = definition;
  return sha256(canonicalJson({ name, description, inputSchema, annotations, effects, binding }));
}

/** The digest of all the tools and conditions of a run, in whatever order they are given. */
export function toolsDigest(definitions: readonly ToolDefinition[]): string {
  const all = definitions.map((one) => [one.name, definitionDigest(one)]);
  return sha256(canonicalJson(all.toSorted(([a = ''], [b = '']) => (a < b ? -1 : Number(a > b)))));
}
