import type { Plan } from '../../../plan/plan.js';
import type { RemovedNotes } from './baseline.js';
import type { ChecklistItem, ChecklistPart } from './checklist.js';
import type { NestedItem } from './nested-item.js';

/** Returns what stands below lines whose goals are gone, but for other lines. */
export function notesBelow(
  { header }: Plan,
  items: readonly NestedItem[],
  gone: ReadonlySet<ChecklistItem>,
): readonly RemovedNotes[] {
  return items.flatMap(({ item }) => {
    const texts = item.body.flatMap((part) =>
      part.kind === 'text' ? [{ lines: [...part.lines], isOpen: part.isOpen }] : [],
    );
    const isKept = gone.has(item) && item.goal !== null && texts.length > 0;
    return isKept ? [{ goal: `${header.id}-${item.goal}`, indent: item.indent, texts }] : [];
  });
}

/** Returns the notes as they stand below a line again. */
export function bodyOf(notes: RemovedNotes | undefined): readonly ChecklistPart[] {
  return (notes?.texts ?? []).map((text) => ({ kind: 'text', ...text }));
}
