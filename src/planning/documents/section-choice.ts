import type { DocumentItem } from './document-item.js';
import { normalizedHeading } from './kinds/heading-kinds.js';
import { readItemName } from './item-names.js';

/** Which parts of a document are planned, when not its own reading decides. */
export interface ReadingChoice {
  /** Plan context too. */
  readonly all?: boolean | undefined;
  /** Headings of the only sections to plan. */
  readonly only?: readonly string[] | undefined;
  /** Headings of sections that are left out besides. */
  readonly skip?: readonly string[] | undefined;
}

/** A stretch of a document that is no goal. */
export interface LeftOut {
  readonly heading: string;
  readonly why: 'context' | 'out_of_scope' | 'chosen';
  readonly start_line: number;
  readonly end_line: number;
}

/** Every heading of a document, in order: the sections to choose from. */
export function headings(items: readonly DocumentItem[]): readonly DocumentItem[] {
  return items.filter(({ kind }) => kind === 'heading').flatMap((item) => [item, ...headings(item.children)]);
}

/** Where an item stands that the choice of sections left out. */
export function asLeftOut({ description, source }: DocumentItem, why: LeftOut['why']): LeftOut {
  return {
    heading: readItemName(description).text,
    why,
    start_line: source.start_line,
    end_line: source.end_line,
  };
}

function isNamed({ description }: DocumentItem, names: readonly string[]): boolean {
  return names.includes(normalizedHeading(description));
}

/** The items without those that `only` and `skip` leave out. */
export function chooseSections(
  items: readonly DocumentItem[],
  choice: ReadingChoice,
  leftOut: LeftOut[],
): readonly DocumentItem[] {
  const only = (choice.only ?? []).map(normalizedHeading);
  const skip = (choice.skip ?? []).map(normalizedHeading);
  if (only.length + skip.length === 0) return items;
  return items.flatMap((item): readonly DocumentItem[] => {
    if (item.kind !== 'heading') return only.length > 0 ? [] : [item];
    const out = isNamed(item, skip);
    if (!out && (only.length === 0 || isNamed(item, only))) {
      const children = chooseSections(item.children, { skip: choice.skip }, leftOut);
      if (only.length === 0) return [{ ...item, children }];
      // Whoever asks for "Later" wants it now.
      const { onHold: _held, excluded: _excluded, ...chosen } = item;
      return [{ ...chosen, children }];
    }
    const below = out ? [] : chooseSections(item.children, choice, leftOut);
    if (below.length > 0) return [{ ...item, children: below }];
    leftOut.push(asLeftOut(item, 'chosen'));
    return [];
  });
}

/** Headings that a choice names and that the document does not have. */
export function unknownHeadings(
  items: readonly DocumentItem[],
  { only = [], skip = [] }: ReadingChoice,
): readonly string[] {
  const names = new Set(headings(items).map(({ description }) => normalizedHeading(description)));
  return [...only, ...skip].filter((heading) => !names.has(normalizedHeading(heading)));
}
