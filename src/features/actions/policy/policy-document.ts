import { isMap, isNode, isScalar, LineCounter, parseDocument } from 'yaml';
import type { Document } from 'yaml';

import { messageOf } from '../../../kernel/errors.js';
import type { TextPosition } from '../../../kernel/json/json-document.js';

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
  const lines = new LineCounter();
  const at = (offset: number): TextPosition => {
    const { line, col } = lines.linePos(offset);
    return { line: Math.max(1, line), column: Math.max(1, col) };
  };
  try {
    const document = parseDocument(text.replace(/^\uFEFF/, ''), { lineCounter: lines, prettyErrors: false });
    const [error] = document.errors;
    if (error !== undefined) return { problem: error.message, ...at(error.pos[0]) };
    // An empty file says nothing, as an empty object does.
    const value: unknown = document.toJS() ?? {};
    return { value, positionOf: (path) => at(offsetOf(document, path)) };
  } catch (thrown) {
    return { problem: messageOf(thrown), line: 1, column: 1 };
  }
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
