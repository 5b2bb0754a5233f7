import type { DocumentItem } from '../../src/planning/documents/document-item.js';
import { readDocument } from '../../src/planning/documents/read-document.js';

function leavesOf(items: readonly DocumentItem[]): readonly string[] {
  return items.flatMap(({ description, children }) =>
    children.length === 0 ? [description] : leavesOf(children),
  );
}

/** Returns the title, the leaves and all that is kept as detail of a document. */
export function readLeaves(text: string, file = 'DOC.md') {
  const { outline } = readDocument(text, file);
  const detailOf = (items: readonly DocumentItem[]): string =>
    items.map(({ detail = '', children }) => `${detail}\n${detailOf(children)}`).join('\n');
  return {
    title: outline.title,
    leaves: leavesOf(outline.items),
    acceptance: outline.acceptance ?? [],
    outOfScope: outline.outOfScope ?? [],
    detail: `${outline.detail ?? ''}\n${detailOf(outline.items)}`,
  };
}
