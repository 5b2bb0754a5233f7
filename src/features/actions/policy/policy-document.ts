import { isMap, isNode, isScalar } from 'yaml';
import type { Document } from 'yaml';

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
  const { document, value, lines } = read;
  return {
    // An empty file says nothing, as an empty object does.
    value: value ?? {},
    positionOf(path) {
      const { line, col } = lines.linePos(offsetOf(document, path));
      return { line: Math.max(1, line), column: Math.max(1, col) };
    },
  };
}

function offsetOf(document: Document, path: PolicyPath): number {
  for (let length = path.length; length > 0; length -= 1) {
    const holder: unknown = document.getIn(path.slice(0, length - 1), true);
    const key = path[length - 1];
    const pair = isMap(holder)
      ? holder.items.find((item) => isScalar(item.key) && item.key.value === key)
      : undefined;
    const node: unknown = pair === undefined ? document.getIn(path.slice(0, length), true) : pair.key;
    if (isNode(node) && node.range != null) return node.range[0];
  }
  return document.contents?.range?.[0] ?? 0;
}
