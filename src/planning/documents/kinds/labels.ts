import type { Nodes, Paragraph, RootContent } from 'mdast';

import { hasText, plainText } from '../block-text.js';
import { LABELLED } from '../facts.js';
import { readItemName } from '../item-names.js';
import type { LocatedBlock } from '../markdown-blocks.js';
import { standingOfSection } from './standing-words.js';
import { namesFiles, sectionKind } from './heading-kinds.js';
import { namesTasks } from './plan-sections.js';

/**
 * Returns the paragraphs in bold that head a list each, where a section has several of them: its parts; and those of them with a
 * number of their own, whatever stands below these.
 */
export function groupLabels(blocks: readonly LocatedBlock[]): readonly ReadonlySet<RootContent>[] {
  const [labels, numbered] = [new Set<RootContent>(), new Set<RootContent>()];
  let section: { readonly node: RootContent; readonly hasList: boolean; readonly isNumbered: boolean }[] = [];
  const close = () => {
    const areNumbered = section.filter(({ isNumbered }) => isNumbered).length > 1;
    const all = section.filter(({ hasList, isNumbered }) => hasList || (areNumbered && isNumbered));
    if (all.length > 1) for (const { node } of all) labels.add(node);
    if (areNumbered) for (const { node, isNumbered } of all) if (isNumbered) numbered.add(node);
    section = [];
  };
  for (const [index, { node }] of blocks.entries()) {
    if (node.type === 'heading') close();
    else if (isGroupLabel(node)) {
      const isNumbered = readItemName(plainText(node)).tags.some((tag) => /\d/.test(tag));
      section.push({ node, hasList: blocks[index + 1]?.node.type === 'list', isNumbered });
    }
  }
  close();
  return [labels, numbered];
}

function isGroupLabel(node: RootContent): boolean {
  if (node.type !== 'paragraph' || node.children[0]?.type !== 'strong') return false;
  const name = plainText(node.children[0]);
  const rest = plainText(node).slice(name.length);
  return (
    hasText(name) &&
    /^[\s:]*(?:\([^()]{1,80}\)[\s:]*)?$/.test(rest) &&
    sectionKind(name.replace(/:\s*$/, ''), false) === 'work'
  );
}

const VALUE = /[:：][^:：]{0,200}[^\s:：]$/;

/** Whether a line above a list says behind its label how one can tell, or what is not to be done: "Acceptance: fast". */
export function saysBehindLabel({ position }: Nodes, text: string): boolean {
  const label = LABELLED.exec(text)?.[1];
  if (label === undefined || !VALUE.test(text) || position?.start.line !== position?.end.line) return false;
  return ['out_of_scope', 'acceptance'].includes(sectionKind(label, false));
}

/** Whether a block is a short line of its own, in bold or before a colon, whose words say what the list below it is. */
export function isLabel(node: Nodes, text: string): boolean {
  if (!isShortLine(node, text)) return false;
  return (
    namesFiles(text) ||
    standingOfSection(text) !== null ||
    ['context', 'out_of_scope', 'acceptance', 'aims'].includes(sectionKind(text, false))
  );
}

/** Whether a block is such a line that says of the list below it that it is to be done: "Tasks:". */
export function isWorkLabel(node: Nodes, text: string): boolean {
  return isShortLine(node, text) && namesTasks(text);
}

function isShortLine(node: Nodes, text: string): boolean {
  const isBold =
    'children' in node &&
    node.children.every(
      ({ type, ...rest }) => type === 'strong' || ('value' in rest && /^[\s:]*$/.test(rest.value)),
    );
  const isShort = text.split(' ').length < 4 && text.length < 30 && !/[.。!?]$/.test(text);
  if (node.position?.start.line !== node.position?.end.line) return false;
  // "Non-goals: Windows" says all that it names itself.
  if (!isBold && VALUE.test(text)) return false;
  return (isBold || isShort || text.endsWith(':')) && text.split(' ').length <= (isBold ? 12 : 7);
}

/** Returns blocks with the last line of a paragraph apart where it is the label of what follows: "Tasks:" below "Goal: a shed". */
export function labelsApart(blocks: readonly LocatedBlock[], text: string): readonly LocatedBlock[] {
  return blocks.flatMap((block, index) => {
    const next = blocks[index + 1]?.node.type;
    if (block.node.type !== 'paragraph' || (next !== 'list' && next !== 'table')) return [block];
    return labelApart(block.node, text, block.origin.offset).map((node) => ({ ...block, node }));
  });
}

function labelApart(node: Paragraph, text: string, origin: number): readonly Paragraph[] {
  const { position } = node;
  const [start, end] = [position?.start.offset ?? 0, position?.end.offset ?? 0];
  const source = text.slice(origin + start, origin + end);
  const cut = Math.max(source.lastIndexOf('\n'), source.lastIndexOf('\r'));
  if (cut < 0 || position === undefined) return [node];
  const isBelow = (child: Nodes) => (child.position?.start.offset ?? 0) > start + cut;
  const below = node.children.filter(isBelow);
  const above = node.children.slice(0, node.children.length - below.length);
  const last = above.at(-1);
  if (last?.type === 'text') {
    // A text may go on from one line to the next.
    const lineEnd = last.value.lastIndexOf('\n');
    const rest = { ...last, value: last.value.slice(lineEnd + 1) };
    if (rest.value.trim() !== '') below.unshift(rest);
    above.splice(-1, 1, { ...last, value: last.value.slice(0, Math.max(0, lineEnd)) });
  } else if (last?.type !== 'break') return [node];
  const offset = start + cut + 1 + source.slice(cut + 1).search(/[^\s>]|$/);
  const label: Paragraph = {
    ...node,
    children: below,
    position: { ...position, start: { line: position.end.line, column: 1, offset } },
  };
  const said = plainText(label);
  const isSaid = isLabel(label, said) || isWorkLabel(label, said);
  if (!isSaid || !(below[0]?.type === 'strong' || /[:：]$/.test(said))) return [node];
  const before = {
    line: position.end.line - 1,
    column: 2,
    offset: start + source.slice(0, cut).trimEnd().length,
  };
  return [{ ...node, children: above, position: { ...position, end: before } }, label];
}
