import type { Checklist, ChecklistItem, ChecklistPart } from './checklist.js';

/** An item, and the items above it, nearest first. */
export interface NestedItem {
  readonly item: ChecklistItem;
  readonly above: ChecklistItem | null;
  readonly ancestors: readonly ChecklistItem[];
}

/** Every item, from the top, each before what is below it. */
export function flattenItems({ body }: Checklist): readonly NestedItem[] {
  const found: NestedItem[] = [];
  const look = (parts: readonly ChecklistPart[], ancestors: readonly ChecklistItem[]): void => {
    for (const part of parts) {
      if (part.kind === 'text') continue;
      found.push({ item: part.item, above: ancestors[0] ?? null, ancestors });
      look(part.item.body, [part.item, ...ancestors]);
    }
  };
  look(body, []);
  return found;
}
