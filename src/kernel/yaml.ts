import { isMap, isNode, isScalar, isSeq, Lexer, LineCounter, parseDocument, Parser, visit } from 'yaml';
import type { Document, Pair, YAMLMap } from 'yaml';

import type { TextPosition } from './json/json-document.js';
import { isNestedTooDeep, MAX_NESTING } from './json/nesting.js';

/** What a text of YAML (or JSON, which is YAML as well) holds, or the first thing that is wrong with it. */
export type YamlText =
  | {
      readonly document: Document;
      readonly value: unknown;
      /** Returns where the key of a path begins, or the item of a list; of what is not there, the nearest place above. Columns in UTF-16 units. */
      readonly positionOf: (path: readonly (string | number)[]) => TextPosition;
    }
  | ({ readonly problem: string } & TextPosition);

const TOO_DEEP = `lists and maps are within each other on more than ${MAX_NESTING} levels`;
/** Neither the tags of a text nor its version choose how it is read: some of both take the square of the time. */
const OPTIONS = {
  prettyErrors: false,
  schema: 'core',
  resolveKnownTags: false,
  uniqueKeys: false,
  // The library's warnings would go to standard error, past whoever reads.
  logLevel: 'error',
} as const;

/**
 * Reads a stranger's YAML in time that grows as the text does. Use it in place of the library's `parseDocument`, whose
 * stack grows with the levels, and which compares each key with every other of its map.
 * @param maxAliasCount how often the text may point back at what it says, 0 for never
 */
export function readYaml(text: string, maxAliasCount = 100): YamlText {
  const lines = new LineCounter();
  const at = (offset: number) => {
    const { line, col } = lines.linePos(offset);
    return { line: Math.max(1, line), column: Math.max(1, col) };
  };
  const deep = tooDeepAt(text, lines);
  if (deep !== null) return { problem: TOO_DEEP, ...at(deep) };
  const document = parseDocument(text, OPTIONS);
  const [error] = document.errors;
  if (error !== undefined) return { problem: error.message, ...at(error.pos[0]) };
  const repeated = repeatedKeyAt(document);
  if (repeated !== null) return { problem: 'Map keys must be unique', ...at(repeated) };
  const excess = excessAliasAt(document, maxAliasCount);
  if (excess !== null)
    return { problem: `aliases (*name) are used more than ${maxAliasCount} times`, ...at(excess) };
  try {
    const value: unknown = document.toJS({ maxAliasCount });
    // What points back at itself has no end.
    if (isNestedTooDeep(value)) return { problem: TOO_DEEP, ...at(0) };
    const pairsOf = pairsByKey();
    return { document, value, positionOf: (path) => at(offsetOf(document, path, pairsOf)) };
  } catch (thrown) {
    if (!(thrown instanceof ReferenceError)) throw thrown;
    // An alias of what is not there, or too many of them.
    return { problem: thrown.message, ...at(0) };
  }
}

/** Where the text nests too deep to be read; null where it does not. Notes the beginnings of lines on the way. */
function tooDeepAt(text: string, lines: LineCounter): number | null {
  const parser = new Parser(lines.addNewLine);
  lines.addNewLine(0);
  for (const lexeme of new Lexer().lex(text)) {
    for (const _token of parser.next(lexeme));
    if (parser.stack.length > MAX_NESTING) return parser.offset;
  }
  return null;
}

/** Where a key of a map begins that the map has already; null where each is there once. */
function repeatedKeyAt(document: Document): number | null {
  let found: number | null = null;
  visit(document, {
    Map(_key, { items }) {
      const keys = new Set<unknown>();
      for (const { key } of items) {
        if (!isScalar(key)) continue;
        if (keys.has(key.value)) {
          found = key.range?.[0] ?? 0;
          return visit.BREAK;
        }
        keys.add(key.value);
      }
      return undefined;
    },
  });
  return found;
}

/** Where the alias is that is one too many; null where there are not so many. For each the library goes through the whole document. */
function excessAliasAt(document: Document, maxAliasCount: number): number | null {
  let count = 0;
  let found: number | null = null;
  visit(document, {
    Alias(_key, { range }) {
      count += 1;
      if (count <= maxAliasCount) return undefined;
      found = range?.[0] ?? 0;
      return visit.BREAK;
    },
  });
  return found;
}

type PairsOf = (map: YAMLMap) => ReadonlyMap<unknown, Pair>;

/** Finds pairs by their keys; each map is gone through once, however many places in it are asked for. */
function pairsByKey(): PairsOf {
  const known = new WeakMap<YAMLMap, ReadonlyMap<unknown, Pair>>();
  return (map) => {
    const pairs =
      known.get(map) ??
      new Map(map.items.map((pair) => [isScalar(pair.key) ? pair.key.value : pair.key, pair]));
    known.set(map, pairs);
    return pairs;
  };
}

function offsetOf({ contents }: Document, path: readonly (string | number)[], pairsOf: PairsOf): number {
  let offset = contents?.range?.[0] ?? 0;
  let node: unknown = contents;
  for (const key of path) {
    const pair = isMap(node) ? pairsOf(node).get(key) : undefined;
    const found: unknown = pair?.key ?? (isSeq(node) ? node.items[Number(key)] : undefined);
    if (!isNode(found)) break;
    offset = found.range?.[0] ?? offset;
    node = pair === undefined ? found : pair.value;
  }
  return offset;
}
