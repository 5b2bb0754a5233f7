import type { DocumentItem } from './document-item.js';
import { normalizedHeading } from './kinds/heading-kinds.js';
import type { SectionKind } from './kinds/heading-kinds.js';
import { sequenceNumber } from './item-names.js';

/**
 * The items with what each comes after: Phase 2 after Phase 1, wherever they stand; a task after those before it unless it
 * is marked as parallel; else one after the other in an ordered list.
 *
 * @param ordered whether the numbers of a list put its items in order
 */
export function inSequence(items: readonly DocumentItem[], ordered: boolean): readonly DocumentItem[] {
  const sorted = sortPhases(items);
  const phases = new Map<string, number>();
  return sorted.map((item, index) => {
    const own = ordered && item.afterPrevious && index > 0 ? [index - 1] : [];
    const position = sequenceNumber(item.description);
    const before = position === null ? undefined : phases.get(position.word);
    if (position !== null) phases.set(position.word, index);
    const after = before !== undefined ? [before] : isNumberedTask(item) ? afterTasks(sorted, index) : own;
    return { ...item, afterPrevious: after.includes(index - 1), after };
  });
}

/** Returns the items with their places moved by those that were put before them. */
export function shiftedBy(items: readonly DocumentItem[], by: number): readonly DocumentItem[] {
  if (by === 0) return items;
  return items.map((item, index) =>
    index < by ? item : { ...item, after: (item.after ?? []).map((position) => position + by) },
  );
}

/** Phases in the order of their numbers, at the places where phases stand. */
function sortPhases(items: readonly DocumentItem[]): readonly DocumentItem[] {
  const words = new Set(items.flatMap(({ description }) => sequenceNumber(description)?.word ?? []));
  let sorted = items;
  for (const word of words) {
    const numbered = sorted.flatMap((item, index) => {
      const position = sequenceNumber(item.description);
      return position?.word === word ? [{ item, index, position: position.position }] : [];
    });
    const inOrder = numbered.toSorted((a, b) => compareNumbers(a.position, b.position));
    const moved = new Map(numbered.map(({ index }, at) => [index, inOrder[at]?.item]));
    sorted = sorted.map((item, index) => moved.get(index) ?? item);
  }
  return sorted;
}

/** Numbers of requirements and stories count them; those of steps put them in order. */
export function isOrdered({
  kind,
  heading,
}: {
  readonly kind: SectionKind;
  readonly heading: string;
}): boolean {
  if (kind === 'aims') return false;
  return !/\b(?:requirement|feature|stor(?:y|ie)|goal|objective|deliverable|epic|backlog|capabilit|functionality|must have|should have|could have|scope|use case|edge case|scenario|precedence|lookup|fallback|hierarchy|principle|criteri|action item|follow up|finding|recommendation|option|alternative|suggestion)/.test(
    normalizedHeading(heading),
  );
}

/** Compares numbers with parts: 3.2 comes before 3.10, and 3 before both. */
function compareNumbers(one: readonly number[], other: readonly number[]): number {
  const at = one.findIndex((part, index) => part !== other[index]);
  return at < 0 ? one.length - other.length : (one[at] ?? 0) - (other[at] ?? -1);
}

const TASK = /^T\d{3,5}$/i;

function isNumberedTask({ tags = [] }: DocumentItem): boolean {
  return tags.some((tag) => TASK.test(tag));
}

/** A task marked `[P]` comes after the last one that is not; another after all since then, or after that one. */
function afterTasks(items: readonly DocumentItem[], index: number): readonly number[] {
  let last = index - 1;
  while (last >= 0 && items[last]?.parallel === true) last -= 1;
  const isFree = items[index]?.parallel === true || last === index - 1;
  if (isFree) return last < 0 ? [] : [last];
  return Array.from({ length: index - 1 - last }, (_, offset) => last + 1 + offset);
}
