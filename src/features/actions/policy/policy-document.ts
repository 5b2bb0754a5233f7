import type { TextPosition } from '../../../kernel/json/json-document.js';
import { readYaml } from '../../../kernel/yaml.js';

/** Keys and indices from the top of a policy file to a place in it. */
export type PolicyPath = readonly (string | number)[];

/** The YAML (or JSON, which is YAML as well) of a policy file, with places. */
export interface PolicyDocument {
  readonly value: unknown;
  /** Where the key of a path begins, or the item of a list; of what is not there, the nearest place above. Columns in UTF-16 units. */
  positionOf(path: PolicyPath): TextPosition;
}

/** Reads a policy document from YAML; what is wrong with it is returned with its place. */
export function readPolicyDocument(
  text: string,
): PolicyDocument | ({ readonly problem: string } & TextPosition) {
  const read = readYaml(text.replace(/^\uFEFF/, ''));
  if ('problem' in read) return read;
  // An empty file says nothing, as an empty object does.
  return { value: read.value ?? {}, positionOf: read.positionOf };
}
