import { isExactNumber, isJsonList, numberFromText } from './json-value.js';
import type { JsonValue } from './json-value.js';

/**
 * A JSON document in full: members in their order, duplicate keys included, numbers as their text. A
 * JsonNode (what a document is read into) is such a tree with positions.
 */
export type JsonTree =
  | { readonly kind: 'object'; readonly members: readonly TreeMember[] }
  | { readonly kind: 'array'; readonly elements: readonly JsonTree[] }
  | { readonly kind: 'string'; readonly value: string }
  | { readonly kind: 'number'; readonly text: string }
  | { readonly kind: 'literal'; readonly value: boolean | null };

interface TreeMember {
  readonly key: string;
  readonly value: JsonTree;
}

/** The value of a tree. Of duplicate keys the last wins, as everywhere in JavaScript. */
export function valueOfTree(tree: JsonTree): JsonValue {
  switch (tree.kind) {
    case 'object':
      return Object.fromEntries(tree.members.map(({ key, value }) => [key, valueOfTree(value)]));
    case 'array':
      return tree.elements.map(valueOfTree);
    case 'number':
      return numberFromText(tree.text);
    default:
      return tree.value;
  }
}

/** The tree of a value. */
export function treeOfValue(value: JsonValue): JsonTree {
  if (value === null || typeof value === 'boolean') return { kind: 'literal', value };
  if (typeof value === 'string') return { kind: 'string', value };
  // JSON.stringify, not String: of -0 it makes the 0 that a reader of the text gets.
  if (typeof value === 'number') return { kind: 'number', text: JSON.stringify(value) };
  if (isExactNumber(value)) return { kind: 'number', text: value.toString() };
  if (isJsonList(value)) return { kind: 'array', elements: value.map(treeOfValue) };
  const members = Object.entries(value).map(([key, member]) => ({ key, value: treeOfValue(member) }));
  return { kind: 'object', members };
}

/**
 * The text of a tree, as JSON.stringify lays text out.
 * @param indent what one level is indented by; empty for one line without spaces
 */
export function textOfTree(tree: JsonTree, indent = '', margin = ''): string {
  if (tree.kind === 'object' || tree.kind === 'array') {
    const inner = margin + indent;
    const parts =
      tree.kind === 'array'
        ? tree.elements.map((element) => textOfTree(element, indent, inner))
        : tree.members.map(
            ({ key, value }) =>
              `${JSON.stringify(key)}:${indent === '' ? '' : ' '}${textOfTree(value, indent, inner)}`,
          );
    return enclosed(tree.kind === 'array' ? '[]' : '{}', parts, indent === '' ? null : [inner, margin]);
  }
  return tree.kind === 'number' ? tree.text : JSON.stringify(tree.value);
}

/** Whether two trees say the same in the same order: keys, duplicates and number texts included. */
export function isSameTree(a: JsonTree, b: JsonTree): boolean {
  if (a.kind === 'object')
    return (
      b.kind === 'object' &&
      a.members.length === b.members.length &&
      a.members.every(({ key, value }, index) => {
        const other = b.members[index];
        return other !== undefined && other.key === key && isSameTree(value, other.value);
      })
    );
  if (a.kind === 'array')
    return (
      b.kind === 'array' &&
      a.elements.length === b.elements.length &&
      a.elements.every((element, index) => {
        const other = b.elements[index];
        return other !== undefined && isSameTree(element, other);
      })
    );
  if (a.kind === 'number') return b.kind === 'number' && a.text === b.text;
  return a.kind === b.kind && a.value === b.value;
}

function enclosed(
  brackets: string,
  parts: readonly string[],
  margins: readonly [string, string] | null,
): string {
  const [open, close] = [brackets.charAt(0), brackets.charAt(1)];
  if (parts.length === 0) return brackets;
  if (margins === null) return `${open}${parts.join(',')}${close}`;
  const [inner, outer] = margins;
  return `${open}\n${inner}${parts.join(`,\n${inner}`)}\n${outer}${close}`;
}
