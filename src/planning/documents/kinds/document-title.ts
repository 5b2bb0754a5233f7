import { oneLine } from '../../../kernel/text/safe-text.js';
import { hasText, plainText } from '../block-text.js';
import type { LocatedBlock } from '../markdown-blocks.js';
import { sectionKind } from './heading-kinds.js';

/** What a list before the first section calls a document: "- Feature name: lids"; null where none does. */
export function nameIn(blocks: readonly LocatedBlock[]): string | null {
  const [first, second] = blocks
    .filter(({ node }) => node.type !== 'definition')
    .slice(0, 3)
    .map(({ node }) => node)
    .filter(({ type }) => type !== 'paragraph');
  const list = first?.type === 'heading' ? second : first;
  if (list?.type !== 'list') return null;
  const names = list.children.flatMap((item) => NAME_LABEL.exec(plainText(item))?.[1] ?? []);
  return names[0] === undefined ? null : oneLine(names[0]);
}

const NAME_LABEL =
  /^(?:(?:feature|rfc|proposal) )?(?:name|title):\s+(?!(?:n\/a|none|tbd)\b|[[(<])(\S[^\r\n]{0,200})/i;

/** The only heading of the first level, if nothing stands before it. */
export function titleBlock(blocks: readonly LocatedBlock[]): LocatedBlock | undefined {
  const first = blocks.find(({ node }) => node.type !== 'html' && node.type !== 'definition');
  const titles = blocks.filter(({ node }) => node.type === 'heading' && node.depth === 1);
  return titles.length === 1 && titles[0] === first && first !== undefined && hasText(plainText(first.node))
    ? first
    : undefined;
}

/** The first heading, below which all others are, whatever stands before it; undefined where it only groups. */
export function topHeading(blocks: readonly LocatedBlock[]): LocatedBlock | undefined {
  const [first, ...others] = blocks.filter(({ node }) => node.type === 'heading');
  if (first?.node.type !== 'heading') return undefined;
  const { node } = first;
  const isTop = others.every((other) => other.node.type === 'heading' && other.node.depth > node.depth);
  const text = plainText(node);
  return isTop && others.length > 0 && hasText(text) && sectionKind(text, false) === 'work'
    ? first
    : undefined;
}
