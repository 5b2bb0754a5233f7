import type { List, Nodes, RootContent, Table } from 'mdast';

import { withoutLeadSentence } from './criteria.js';
import { readFrontMatter } from './kinds/front-matter.js';
import { plainText } from './block-text.js';
import { countLineEnds, parseBlocks } from './markdown-blocks.js';
import type { Origin } from './markdown-blocks.js';
import { withoutTaskFences } from './task-fences.js';
import { checkNesting } from './markdown-nesting.js';

/** A part of a document that a plan may answer to; lines count from 1, both ends included. */
export interface DocumentLine {
  readonly kind: 'heading' | 'item' | 'row' | 'paragraph';
  /** Its plain text on one line. */
  readonly text: string;
  readonly line: number;
  readonly end_line: number;
}

/**
 * The headings, list items, table rows and paragraphs of a Markdown document in order. Code, markup, rules, front matter,
 * the head of a table, and a paragraph that only leads in to a list ("The following is needed:") are no such parts.
 * Throws INVALID_INPUT for a document that nests too deeply.
 */
export function documentLines(markdown: string, file: string): readonly DocumentLine[] {
  const text = withoutTaskFences(markdown.startsWith('\uFEFF') ? markdown.slice(1) : markdown);
  checkNesting(text, file);
  const frontMatter = readFrontMatter(text);
  const start = { offset: frontMatter.length, line: countLineEnds(frontMatter) };
  const blocks = [...parseBlocks(text, start, file)];
  return blocks.flatMap(({ node, origin }, index) => linesOf(node, origin, blocks[index + 1]?.node));
}

function linesOf(node: RootContent, origin: Origin, next: RootContent | undefined): readonly DocumentLine[] {
  switch (node.type) {
    case 'heading':
      return lineOf('heading', node, origin);
    case 'paragraph':
      return lineOf('paragraph', node, origin, leadsIn(node, next) ? leadIn(node) : undefined);
    case 'list':
      return itemsOf(node, origin);
    case 'table':
      return rowsOf(node, origin);
    case 'blockquote':
      return childrenOf(node.children, origin);
    default:
      return [];
  }
}

function childrenOf(nodes: readonly RootContent[], origin: Origin): readonly DocumentLine[] {
  return nodes.flatMap((node, index) => linesOf(node, origin, nodes[index + 1]));
}

function itemsOf({ children }: List, origin: Origin): readonly DocumentLine[] {
  return children.flatMap((item) => {
    const [first, ...rest] = item.children;
    if (first === undefined) return [];
    if (first.type !== 'paragraph' && first.type !== 'heading') return childrenOf(item.children, origin);
    return [...lineOf('item', first, origin), ...childrenOf(rest, origin)];
  });
}

function rowsOf({ children }: Table, origin: Origin): readonly DocumentLine[] {
  return children.slice(1).flatMap((row) => {
    const cells = row.children.map(plainText).filter((cell) => cell !== '');
    return cells.length === 0 ? [] : [{ ...spanOf('row', row, origin), text: cells.join('; ') }];
  });
}

/** What a paragraph that leads in to a list says besides. */
function leadIn(node: Nodes): string {
  return isBold(node) ? '' : withoutLeadSentence(plainText(node));
}

function leadsIn(node: Nodes, next: RootContent | undefined): boolean {
  return (
    (/[:：]$/.test(plainText(node)) || isBold(node)) &&
    (next?.type === 'list' || next?.type === 'table' || next?.type === 'code')
  );
}

function isBold(node: Nodes): boolean {
  return node.type === 'paragraph' && node.children.every(({ type }) => type === 'strong');
}

function lineOf(
  kind: DocumentLine['kind'],
  node: Nodes,
  origin: Origin,
  text = plainText(node),
): readonly DocumentLine[] {
  return /[\p{L}\p{N}]/u.test(text) ? [{ ...spanOf(kind, node, origin), text }] : [];
}

function spanOf(kind: DocumentLine['kind'], { position }: Nodes, { line }: Origin) {
  const start = position?.start.line ?? 1;
  return { kind, line: line + start, end_line: line + Math.max(start, position?.end.line ?? start) };
}
