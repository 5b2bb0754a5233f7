import type { Source } from '../../plan/schema.js';

/** A goal that a document names: a heading with its section, or a list item with what is nested in it. */
export interface DocumentItem {
  readonly kind: 'heading' | 'item' | 'row';
  /** The plain text of the heading or of the item's first paragraph, on one line. */
  readonly description: string;
  /** The source text that belongs to the goal but is no goal itself. */
  readonly detail?: string;
  readonly source: Source;
  /** Ticked off in a task list, and so is everything below it. */
  readonly complete: boolean;
  /** In an ordered list, and not its first item. */
  readonly afterPrevious: boolean;
  readonly children: readonly DocumentItem[];
  /** Its number and priority in the document. */
  readonly tags?: readonly string[];
  /** What shows that it is done. */
  readonly acceptance?: readonly string[];
  /** What must not be planned for it. */
  readonly outOfScope?: readonly string[];
  /** Places among its siblings of those that come first; said instead of `afterPrevious`. */
  readonly after?: readonly number[];
  /** An item with a box to tick. */
  readonly isTask?: boolean;
  /** The numbers by which the document may speak of it, beside its tags: "1.2" of "1.2 Search", "3" of the third of a list. */
  readonly numbers?: readonly string[];
  /** The number that it begins with is no numbering: "99.9 % uptime". */
  readonly hasOwnNumber?: boolean;
  /** Marked as one that may be done beside its neighbours. */
  readonly parallel?: boolean;
  /** How urgent it is, from 0 to 4. */
  readonly priority?: number;
  /** What keeps it from being worked on, in the document's word. */
  readonly onHold?: string;
  /** Its points that are open, if any, keep nobody from it: its document tells what is on hold. */
  readonly isFree?: boolean;
  /** It says of itself that it will not be done. */
  readonly excluded?: boolean;
  /** What else of the document is said in it: rows and sections that told of it, without their parts. */
  readonly told?: readonly DocumentItem[];
}

/** A Markdown document read as goals. */
export interface DocumentOutline {
  /** The text of the only first-level heading, when nothing stands before it; else null. */
  readonly title: string | null;
  readonly detail?: string;
  readonly source: Source;
  readonly items: readonly DocumentItem[];
  /** What shows that the whole is done, and what must not be planned for it. */
  readonly acceptance?: readonly string[];
  readonly outOfScope?: readonly string[];
  /** Sections of which nothing is left. */
  readonly told?: readonly DocumentItem[];
}
