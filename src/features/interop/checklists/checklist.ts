/** A mark in a box that puts a goal on hold, "-" or ">"; empty without one. */
export type HoldMark = '' | '-' | '>';

/** A line with a box, and what stands below it. */
export interface ChecklistItem {
  /** The part of a goal's id after the plan's; null for a line that has none yet. */
  readonly goal: string | null;
  /** What it says, on one line, without comments and what only keeps it from being Markdown. */
  readonly text: string;
  /** The same as it is written, with comments but without the mark of its goal. */
  readonly written: string;
  /** What ends the line where Markdown is to break it: a backslash, or blanks. */
  readonly hardBreak: string;
  /** What stands in the brackets. */
  readonly box: string;
  readonly ticked: boolean;
  /** What in the box puts it on hold. */
  readonly mark: HoldMark;
  /** Columns before the bullet. */
  readonly indent: number;
  /** The bullet or number, with the space after it. */
  readonly bullet: string;
  /** The whole line, without its end. */
  readonly line: string;
  /** What stands before its line feed. */
  readonly end: '' | '\r';
  /** Where it stands in the file, from 1. */
  readonly lineNumber: number;
  readonly body: readonly ChecklistPart[];
}

/** Lines that are no items, each with what stands before its line feed. */
interface TextPart {
  readonly kind: 'text';
  readonly lines: readonly string[];
  /** Whether it ends in a block of code that nothing closes but the end of its item. */
  readonly isOpen: boolean;
}

/** Lines that are no items, or an item. */
export type ChecklistPart = TextPart | { readonly kind: 'item'; readonly item: ChecklistItem };

/** A Markdown file as a checklist: its items, and all else where it stands. */
export interface Checklist {
  readonly body: readonly ChecklistPart[];
  /** The plan that the file says it belongs to. */
  readonly plan: string | null;
  /** What it begins with to say how its bytes are ordered, if it does. */
  readonly byteOrderMark: '' | '\uFEFF';
  /** How most of its lines end, and so those that are new. */
  readonly lineEnd: '\n' | '\r\n';
  /** The goals that it names anywhere, also in text: the parts of their ids after the plan's. */
  readonly named: ReadonlySet<string>;
  /** Columns before the item that is farthest right. */
  readonly deepest: number;
  /** How many items stand in each other at most. */
  readonly levels: number;
  /** A block of code or HTML at the margin that nothing closes. */
  readonly unclosed: { readonly kind: 'code' | 'html'; readonly lineNumber: number } | null;
  /** The last line, if it has no end and may have been cut off. */
  readonly cut: ChecklistItem | null;
}
