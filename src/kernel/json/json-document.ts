import { PlanError } from '../errors.js';
import { MAX_NESTING } from './nesting.js';
import type { JsonPointer } from './json-pointer.js';
import { keysOfPointer } from './json-pointer.js';
import { scanJson } from './json-scanner.js';
import type { JsonNode } from './json-scanner.js';
import { valueOfTree } from './json-tree.js';
import type { JsonValue } from './json-value.js';

/** A place in a text: line and column count from 1, the column in UTF-16 units as editors and SARIF count. */
export interface TextPosition {
  readonly line: number;
  readonly column: number;
}

/**
 * A JSON document without loss: its text, and a tree over it in which every node and every key has its
 * offsets, members keep their order and their duplicates, and numbers are their text.
 *
 * This one representation serves all: a checker gets exact places, a writer gives the same bytes back or
 * edits the text between offsets, and the model takes its values from it. It is read by a scanner of this
 * project's own, because what packages offer keeps either positions or number texts and is three to ten times slower
 * where ten thousand plans a minute are to be checked; a property test compares it with JSON.parse.
 */
export interface JsonDocument {
  readonly text: string;
  readonly root: JsonNode;
  /** The node at a pointer, or null; of duplicate keys the last. */
  at(pointer: JsonPointer): JsonNode | null;
  /** Where in the text an offset is. */
  positionOf(offset: number): TextPosition;
  /** Where the value at a pointer begins; of a place that is not there, the nearest above it. */
  positionAt(pointer: JsonPointer): TextPosition;
}

/**
 * Reads a JSON document, strictly as RFC 8259 has it; a byte order mark before it is passed over.
 * @throws PlanError INVALID_INPUT with line, column and the bare problem in `details`, also for more than 500 levels
 */
export function readJsonDocument(text: string): JsonDocument {
  const starts = lineStarts(text);
  const positionOf = (offset: number) => positionIn(starts, offset);
  const scanned = scanJson(text, MAX_NESTING);
  if ('problem' in scanned) {
    const { line, column } = positionOf(scanned.offset);
    throw new PlanError('INVALID_INPUT', `line ${line}, column ${column}: ${scanned.problem}`, {
      hint: ['The input must be one JSON document.'],
      details: { line, column, problem: scanned.problem },
    });
  }
  const { root } = scanned;
  return {
    text,
    root,
    at: (pointer) => nodeAt(root, pointer),
    positionOf,
    positionAt: (pointer) => positionOf(walk(root, keysOfPointer(pointer)).node.start),
  };
}

/** The value of a text that is a JSON document, numbers as they were written; undefined where it is none. */
export function jsonDocumentValue(text: string): JsonValue | undefined {
  try {
    return valueOfTree(readJsonDocument(text).root);
  } catch {
    return undefined;
  }
}

/** The node of a JSON document at a pointer below another one, or null; of duplicate keys the last. */
export function nodeAt(root: JsonNode, pointer: JsonPointer): JsonNode | null {
  const { node, rest } = walk(root, keysOfPointer(pointer));
  return rest === 0 ? node : null;
}

/** A member of an object in a JSON document, the last of that name, or null. */
export function memberOf(node: JsonNode, key: string): JsonNode | null {
  if (node.kind !== 'object') return null;
  if (node.members.length <= FEW) return node.members.findLast((member) => member.key === key)?.value ?? null;
  const known = members.get(node) ?? new Map(node.members.map((member) => [member.key, member.value]));
  members.set(node, known);
  return known.get(key) ?? null;
}

/** Members among which one is as quickly found without an index. */
const FEW = 16;
/** The members of the objects that have many, each of which may be asked for. */
const members = new WeakMap<JsonNode, ReadonlyMap<string, JsonNode>>();

/** Follows keys as far as they lead: the node reached, and how many keys were left. */
function walk(root: JsonNode, keys: readonly string[]): { readonly node: JsonNode; readonly rest: number } {
  let node = root;
  for (const [index, key] of keys.entries()) {
    const next = node.kind === 'array' ? elementOf(node.elements, key) : memberOf(node, key);
    if (next === null) return { node, rest: keys.length - index };
    node = next;
  }
  return { node, rest: 0 };
}

function elementOf(elements: readonly JsonNode[], key: string): JsonNode | null {
  return /^(?:0|[1-9]\d*)$/.test(key) ? (elements[Number(key)] ?? null) : null;
}

/** Offsets at which lines begin; LF, CR LF and a lone CR end one. */
function lineStarts(text: string): readonly number[] {
  // A byte order mark is no character of the line, as editors have it.
  const starts = [text.startsWith('\uFEFF') ? 1 : 0];
  for (let offset = 0; offset < text.length; offset += 1) {
    const unit = text.charCodeAt(offset);
    if (unit === 10 || (unit === 13 && text.charCodeAt(offset + 1) !== 10)) starts.push(offset + 1);
  }
  return starts;
}

function positionIn(starts: readonly number[], offset: number): TextPosition {
  let [low, high] = [0, starts.length - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((starts[middle] ?? 0) <= offset) low = middle;
    else high = middle - 1;
  }
  return { line: low + 1, column: Math.max(0, offset - (starts[low] ?? 0)) + 1 };
}
