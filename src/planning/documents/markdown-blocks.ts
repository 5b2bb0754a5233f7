import type { List, Nodes, Root, RootContent } from 'mdast';
import remarkGfm from 'remark-gfm';
import remarkParse from 'remark-parse';
import { unified } from 'unified';

import { PlanError } from '../../kernel/errors.js';

/** Where the text that a node's position counts from begins in the document. */
export interface Origin {
  /** Characters before it. */
  readonly offset: number;
  /** Lines before it. */
  readonly line: number;
}

/** A top-level block of a document. */
export interface LocatedBlock {
  readonly node: RootContent;
  /** Add it to the node's own position to get the place in the document. */
  readonly origin: Origin;
  /** A list that goes on from the list block before it. */
  readonly continued: boolean;
}

/**
 * The parser's time grows faster than the text it is given (a megabyte takes over a minute),
 * so that a long document is parsed in parts of about this many characters.
 */
const PART_LENGTH = 4_096;

const LINE_END = /\r\n|\n|\r/g;
/** A line that can begin a block without a blank line before it. */
const BLOCK_START = /^(?:#{1,6}[ \t]|[-+*][ \t]|\d{1,9}[.)][ \t]|`{3}|~{3}|\[[^\]\n]{1,999}\]:)/;
const LINK_DEFINITION = /^ {0,3}\[([^\]^\n\r\u2028\u2029][^\]\n\r\u2028\u2029]*)\]:[ \t]*\S.*$/gm;
const LINK_LABEL = /\[([^\][\n\r]+)\]/g;

const parser = unified().use(remarkParse).use(remarkGfm, { singleTilde: false }).freeze();

/** The most characters of one paragraph, heading or cell whose links, emphasis and the like are read as such. */
const MOST_INLINE = 8_192;
/** What the parser looks for within a paragraph: for most of it the time grows as the square of the paragraph. */
const INLINE = [
  'attention',
  'autolink',
  'codeText',
  'emailAutolink',
  'gfmFootnoteCall',
  'gfmPotentialFootnoteCall',
  'htmlText',
  'labelEnd',
  'labelStartImage',
  'labelStartLink',
  'protocolAutolink',
  'strikethrough',
  'wwwAutolink',
];
/** Reads blocks alone; what stands in them is plain text. */
const blockParser = unified()
  .use(remarkParse)
  .use(remarkGfm, { singleTilde: false })
  .use(function withoutInline() {
    (this.data().micromarkExtensions ??= []).push({ disable: { null: INLINE } });
  })
  .freeze();

/**
 * The top-level blocks of `text` from `start` on, in order. Time is linear in the length of the text as long as it has
 * lines where a block begins at the margin. Throws INVALID_INPUT where something nests too deeply for the parser.
 */
export function* parseBlocks(text: string, start: Origin, file: string): Generator<LocatedBlock> {
  const definitions = text.length > PART_LENGTH ? linkDefinitions(text) : new Map<string, string>();
  let origin = start;
  let continued = false;
  while (origin.offset < text.length) {
    const part = nextPart(text, origin, definitions, file);
    for (const node of part.nodes) {
      yield { node, origin: part.origin, continued: continued && node === part.nodes[0] };
    }
    continued = part.listGoesOn;
    origin = {
      offset: part.end,
      line: origin.line + countLineEnds(text.slice(origin.offset, part.end)),
    };
  }
}

interface Part {
  readonly nodes: readonly RootContent[];
  readonly origin: Origin;
  readonly end: number;
  readonly listGoesOn: boolean;
}

/**
 * A part ends before a line where the parser itself, having read everything up to that line, sees a top-level block or
 * a list item begin. Where it does not (the line is inside a fence, say), the part is read again at twice the length.
 */
function nextPart(
  text: string,
  origin: Origin,
  definitions: ReadonlyMap<string, string>,
  file: string,
): Part {
  for (let length = PART_LENGTH; ; length *= 2) {
    const cut = cutAtOrAfter(text, origin.offset + length);
    const piece = text.slice(origin.offset, cut === undefined ? text.length : lineEnd(text, cut));
    const prefix = neededDefinitions(piece, definitions);
    const shifted = {
      offset: origin.offset - prefix.length,
      line: origin.line - countLineEnds(prefix),
    };
    const nodes = parse(prefix + piece, file, origin.line + 1).children.filter(
      (node) => offsetOf(node) >= prefix.length,
    );
    if (cut === undefined) return { nodes, origin: shifted, end: text.length, listGoesOn: false };
    const before = withoutLast(nodes, cut - shifted.offset);
    if (before !== undefined) return { ...before, origin: shifted, end: cut };
  }
}

/** `nodes` without the block or list item that begins at `offset`; undefined when the last one begins elsewhere. */
function withoutLast(
  nodes: readonly RootContent[],
  offset: number,
): Pick<Part, 'nodes' | 'listGoesOn'> | undefined {
  const last = nodes.at(-1);
  if (last === undefined) return undefined;
  const others = nodes.slice(0, -1);
  if (offsetOf(last) === offset) return { nodes: others, listGoesOn: false };
  const lastItem = last.type === 'list' ? last.children.at(-1) : undefined;
  if (last.type !== 'list' || lastItem?.position?.start.offset !== offset) return undefined;
  const shortened: List = { ...last, children: last.children.slice(0, -1) };
  return { nodes: [...others, shortened], listGoesOn: true };
}

function offsetOf(node: RootContent): number {
  return node.position?.start.offset ?? 0;
}

/** The start of the first line at or after `from` that may begin a block at the margin. */
function cutAtOrAfter(text: string, from: number): number | undefined {
  let blankBefore = false;
  for (let start = lineEnd(text, from); start < text.length;) {
    const next = afterLineEnd(text, start);
    const line = text.slice(next, lineEnd(text, next));
    const blank = line.trim() === '';
    if (!blank && !/^\s/.test(line) && (blankBefore || BLOCK_START.test(line))) return next;
    blankBefore = blank;
    start = next + line.length;
  }
  return undefined;
}

function lineEnd(text: string, from: number): number {
  LINE_END.lastIndex = from;
  return LINE_END.exec(text)?.index ?? text.length;
}

function afterLineEnd(text: string, end: number): number {
  return text.startsWith('\r\n', end) ? end + 2 : end + 1;
}

/** How many line ends a text of Markdown holds, whatever their kind. */
export function countLineEnds(text: string): number {
  return text.match(LINE_END)?.length ?? 0;
}

/** Reference links are resolved by definitions that may stand in another part. */
function linkDefinitions(text: string): ReadonlyMap<string, string> {
  const definitions = new Map<string, string>();
  for (const [line, label = ''] of text.matchAll(LINK_DEFINITION)) {
    if (!definitions.has(label.toLowerCase())) definitions.set(label.toLowerCase(), line.trim());
  }
  return definitions;
}

function neededDefinitions(piece: string, definitions: ReadonlyMap<string, string>): string {
  if (definitions.size === 0) return '';
  const own = linkDefinitions(piece);
  const needed = new Set<string>();
  for (const [, label = ''] of piece.matchAll(LINK_LABEL)) {
    const definition = definitions.get(label.toLowerCase());
    if (definition !== undefined && definition !== own.get(label.toLowerCase())) needed.add(definition);
  }
  return needed.size === 0 ? '' : `${[...needed].join('\n')}\n\n`;
}

function parse(text: string, file: string, line: number): Root {
  try {
    if (text.length <= 2 * PART_LENGTH) return parser.parse(text);
    const blocks = blockParser.parse(text);
    return longestText(blocks) > MOST_INLINE ? blocks : parser.parse(text);
  } catch (thrown) {
    throw tooDeep(file, line, thrown);
  }
}

/** How many characters the longest paragraph, heading or cell has. */
function longestText(node: Nodes): number {
  if (!('children' in node)) return 0;
  if (node.type === 'paragraph' || node.type === 'heading' || node.type === 'tableCell')
    return (node.position?.end.offset ?? 0) - (node.position?.start.offset ?? 0);
  return node.children.reduce((longest, child) => Math.max(longest, longestText(child)), 0);
}

/** The error for a document whose Markdown blocks nest more deeply than it can be read. */
export function tooDeep(file: string, line: number, cause?: unknown): PlanError {
  return new PlanError(
    'INVALID_INPUT',
    `${file}:${line}: lists, quotes or emphasis nest too deeply from here`,
    {
      hint: ['Flatten this part of the document.'],
      details: { file, line },
      cause,
    },
  );
}
