import { isJsonObject, numberFromText } from '../../../kernel/json/json-value.js';
import type { JsonObject, JsonValue } from '../../../kernel/json/json-value.js';
import { memberOf } from '../../../kernel/json/json-document.js';
import { pointerTo } from '../../../kernel/json/json-pointer.js';
import type { JsonPointer } from '../../../kernel/json/json-pointer.js';
import type { JsonNode } from '../../../kernel/json/json-scanner.js';
import { valueOfTree } from '../../../kernel/json/json-tree.js';

/** Something that a document says wrongly, and where. */
export interface ReadingProblem {
  readonly pointer: JsonPointer;
  readonly message: string;
}

/** A cursor into a document: a node with its pointer. */
export interface Cursor {
  readonly node: JsonNode;
  readonly pointer: JsonPointer;
}

/**
 * What a reader of a dialect works with: it asks for members by their type, and what is not as asked is noted
 * as a problem, so that all of them are found at once. A member that is null counts as left out.
 */
export interface Reading {
  /** What makes the document unreadable. */
  readonly problems: ReadingProblem[];
  /** What the dialect's own schema refuses although it can be read. */
  readonly deviations: ReadingProblem[];
  /** Where the parts of the model come from. */
  readonly sources: Map<JsonPointer, JsonPointer>;
  problem(pointer: JsonPointer, message: string): void;
  deviation(pointer: JsonPointer, message: string): void;
  /** A member that is there and not null. */
  member(cursor: Cursor, key: string): Cursor | undefined;
  text(cursor: Cursor, key: string): string | undefined;
  /** Like {@link text}, but it is a problem when there is none. */
  requiredText(cursor: Cursor, key: string): string;
  flag(cursor: Cursor, key: string): boolean | undefined;
  /** A number; one that no double holds is the nearest. */
  number(cursor: Cursor, key: string): number | undefined;
  /** A whole number of at least 0; one beyond 2^53 is the greatest safe integer. */
  count(cursor: Cursor, key: string): number | undefined;
  object(cursor: Cursor, key: string): JsonObject | undefined;
  /** The elements of a list; none when it is left out. */
  list(cursor: Cursor, key: string): readonly Cursor[] | undefined;
  texts(cursor: Cursor, key: string): readonly string[] | undefined;
}

/** Begins reading a document. */
export function beginReading(): Reading {
  const problems: ReadingProblem[] = [];
  const deviations: ReadingProblem[] = [];
  const problem = (pointer: JsonPointer, message: string) => void problems.push({ pointer, message });
  const typed = <T>(take: (node: JsonNode) => T | undefined, wanted: string) => {
    return (cursor: Cursor, key: string): T | undefined => {
      const found = member(cursor, key);
      if (found === undefined) return undefined;
      const value = take(found.node);
      if (value === undefined) problem(found.pointer, `${key} must be ${wanted}`);
      return value;
    };
  };
  const text = typed(textOf, 'a string');
  const elements = typed((node) => (node.kind === 'array' ? node.elements : undefined), 'a list');
  const list = (cursor: Cursor, key: string) =>
    elements(cursor, key)?.map((node, index) => ({ node, pointer: pointerTo(cursor.pointer, key, index) }));
  return {
    problems,
    deviations,
    sources: new Map(),
    problem,
    deviation: (pointer, message) => void deviations.push({ pointer, message }),
    member,
    text,
    requiredText(cursor, key) {
      const found = text(cursor, key);
      // Of what is no object that is the problem, which its reader notes.
      if (found === undefined && cursor.node.kind === 'object' && member(cursor, key) === undefined)
        problem(cursor.pointer, `${key} is missing`);
      return found ?? '';
    },
    flag: typed(
      (node) => (node.kind === 'literal' && node.value !== null ? node.value : undefined),
      'true or false',
    ),
    number: typed((node) => (node.kind === 'number' ? Number(node.text) : undefined), 'a number'),
    count: typed(countOf, 'a whole number of at least 0'),
    object: typed(objectOf, 'an object'),
    list,
    texts: (cursor, key) =>
      list(cursor, key)?.map(({ node, pointer }) => {
        const value = textOf(node);
        if (value === undefined) problem(pointer, `${key} must be a list of strings`);
        return value ?? '';
      }),
  };
}

function member(cursor: Cursor, key: string): Cursor | undefined {
  const node = memberOf(cursor.node, key);
  if (node === null || (node.kind === 'literal' && node.value === null)) return undefined;
  return { node, pointer: pointerTo(cursor.pointer, key) };
}

/**
 * Notes while a plan is read where parts of the model come from.
 * @param names from what is below `model` to what is below `source`; `''` is `source` itself
 */
export function noteSources(
  reading: Reading,
  names: Readonly<Record<string, string>>,
  model: JsonPointer,
  source: JsonPointer,
): void {
  for (const [below, path] of Object.entries(names))
    reading.sources.set(`${model}${below}`, path === '' ? source : `${source}/${path}`);
}

/** Reads the value at a cursor. */
export function valueRead({ node }: Cursor): JsonValue {
  return valueOfTree(node);
}

function textOf(node: JsonNode): string | undefined {
  return node.kind === 'string' ? node.value : undefined;
}

function countOf(node: JsonNode): number | undefined {
  if (node.kind !== 'number' || !/^\d+$/.test(node.text)) return undefined;
  return Math.min(Number(numberFromText(node.text)), Number.MAX_SAFE_INTEGER);
}

function objectOf(node: JsonNode): JsonObject | undefined {
  if (node.kind !== 'object') return undefined;
  const value = valueOfTree(node);
  return isJsonObject(value) ? value : undefined;
}
