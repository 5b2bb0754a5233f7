import type { RootContent } from 'mdast';

import { plainText } from '../block-text.js';
import type { Draft } from '../document-draft.js';
import { sectionKind } from './heading-kinds.js';
import type { SectionKind } from './heading-kinds.js';
import { isWorkLabel } from './labels.js';
import { namesTasks } from './plan-sections.js';

export const ITEM_LEVEL = 8;
export const LABEL_LEVEL = 7;
/** The level of a line in bold with a number of its own, which heads all up to the next one: "**R5. Report**". */
export const NUMBERED_LEVEL = 6.5;

/** A heading ends the sections of its level and below; whatever is no list ends what a label named. */
export function closeSections(open: Draft[], node: RootContent, ownLevel?: number): void {
  const level =
    ownLevel ??
    (node.type === 'heading'
      ? node.depth
      : node.type === 'list' || node.type === 'table'
        ? ITEM_LEVEL
        : LABEL_LEVEL);
  while (open.length > 1 && (open.at(-1)?.level ?? 0) >= level) open.pop();
}

/** Ends the sections of criteria, non-goals and context that are open: what is to be done is no part of them. */
export function closeAside(open: Draft[]): void {
  const at = open.findIndex(
    ({ kind, description }) => kind === 'heading' && ASIDE.has(sectionKind(description, false)),
  );
  if (at > 0) open.splice(at);
}

const ASIDE: ReadonlySet<SectionKind> = new Set(['acceptance', 'out_of_scope']);

/** Whether a block is a heading or a label of what follows, and says that it is to be done. */
export function headsWork(node: RootContent, next: RootContent | undefined): boolean {
  if (next?.type !== 'list' && next?.type !== 'table') return false;
  const text = plainText(node);
  return node.type === 'heading' ? namesTasks(text) : node.type === 'paragraph' && isWorkLabel(node, text);
}
