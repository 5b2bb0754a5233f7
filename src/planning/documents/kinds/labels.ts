import type { Nodes, RootContent } from 'mdast';

import { hasText, plainText } from '../block-text.js';
import { LABELLED } from '../facts.js';
import { readItemName } from '../item-names.js';
import type { LocatedBlock } from '../markdown-blocks.js';
import { namesFiles, sectionKind } from './heading-kinds.js';

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
  const isBold =
    'children' in node &&
    node.children.every(
      ({ type, ...rest }) => type === 'strong' || ('value' in rest && /^[\s:]*$/.test(rest.value)),
    );
  const isShort = text.split(' ').length < 4 && text.length < 30 && !/[.。!?]$/.test(text);
  // "Non-goals: Windows" says all that it names itself.
  if (!isBold && VALUE.test(text)) return false;
  if (!(isBold || isShort || text.endsWith(':')) || text.split(' ').length > (isBold ? 12 : 7)) return false;
  return (
    namesFiles(text) || ['context', 'out_of_scope', 'acceptance', 'aims'].includes(sectionKind(text, false))
  );
}
