import { unescapeMarkdown } from '../../../kernel/text/escape-markdown.js';
import { commentsOf, withoutLineComments } from '../../../kernel/text/html-comments.js';
import { oneLine } from '../../../kernel/text/safe-text.js';
import { markedGoal, markedPlan } from '../../../plan/checklist-marks.js';
import { IN_BOX } from '../../../planning/documents/signs.js';
import type { Checklist, ChecklistItem } from './checklist.js';
import { closesFence, columnsBefore, endsWithItem, fenceMarker, htmlEndMarker } from './code-fence.js';
import type { CodeFence } from './code-fence.js';
import { boxSays } from './box-marks.js';

const BYTE_ORDER_MARK = '\uFEFF';
const ITEM = new RegExp(`^([ \\t]*)([-*+]|\\d{1,9}[.)])([ \\t]+)\\[(${IN_BOX})\\][ \\t]+(\\S[^]*)$`, 'u');
const BULLET = /^[ \t]*(?:[-*+]|\d{1,9}[.)])(?:[ \t]+|$)/;
const HEADING = /^[ \t]*#{1,6}(?:[ \t]|$)/;
/** What makes the text above it a heading. */
const UNDERLINE = /^[ \t]*(?:=+|-+)[ \t]*$/;
const ANY_GOAL = /goal:\s*([0-9A-Za-z_-]{1,64})/g;
const PART_OF_PLAN = /^<(?:!(?:-(?:-(?: (?:p(?:l(?:a(?:n(?::[0-9a-f]{0,8}(?: -{0,2})?)?)?)?)?)?)?)?)?)?$/;

/** An item to which more may come; the file itself is one, at -1. */
interface OpenItem {
  readonly indent: number;
  /** Columns before what it holds. */
  readonly content: number;
  readonly body: PartBeingRead[];
}

type PartBeingRead =
  | { readonly kind: 'text'; readonly lines: string[]; readonly isOpen: boolean }
  | { readonly kind: 'item'; readonly item: ChecklistItem };

/** Text whose item is known when the next item or heading is. */
interface WaitingLine {
  readonly line: string;
  /** Columns before it, or before the block of code that it is in; null for an empty line. */
  readonly indent: number | null;
  /** The block of code that it is in. */
  readonly fence: CodeFence | null;
}

/** How far a file was read. */
interface Reading {
  open: readonly OpenItem[];
  waiting: WaitingLine[];
  fence: CodeFence | null;
  readonly broken: Set<CodeFence>;
  plan: string | null;
  deepest: number;
  levels: number;
  last: ChecklistItem | null;
}

/**
 * Reads a checklist. Lines below an item that stand farther right are its own; only items and headings end it. What is fenced as
 * code is text, up to the end of the fence or of the item that it is in.
 */
export function readChecklist(file: string): Checklist {
  const byteOrderMark = file.startsWith(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK : '';
  const text = file.slice(byteOrderMark.length);
  const lines = text.split('\n');
  const isEnded = lines.at(-1) === '';
  if (isEnded) lines.pop();
  const lineEnd = lines.filter((line) => line.endsWith('\r')).length * 2 > lines.length ? '\r\n' : '\n';
  if (!isEnded && lineEnd === '\r\n') lines.push(`${lines.pop() ?? ''}\r`);
  const root: OpenItem = { indent: -1, content: 0, body: [] };
  const reading: Reading = {
    open: [root],
    waiting: [],
    fence: null,
    broken: new Set(),
    plan: null,
    deepest: 0,
    levels: 0,
    last: null,
  };
  const isMarkCut = !isEnded && PART_OF_PLAN.test(lines.at(-1)?.trimEnd() ?? '');
  if (isMarkCut) lines.pop();
  for (const [index, line] of lines.entries()) readLine(reading, line, index + 1);
  if (reading.fence?.isInItem === true) reading.broken.add(reading.fence);
  placeText(reading, 0);
  const { plan, deepest, levels, fence, last } = reading;
  const isCut = !isEnded && !isMarkCut && last?.goal === null && last.lineNumber === lines.length;
  const cut = isCut ? last : null;
  const unclosed = fence?.content === 0 ? fence : null;
  const named = new Set([...text.matchAll(ANY_GOAL)].map(([, goal = '']) => goal));
  return { body: root.body, plan, byteOrderMark, lineEnd, named, deepest, levels, unclosed, cut };
}

function readLine(reading: Reading, whole: string, lineNumber: number): void {
  const line = whole.replace(/\r$/, '');
  if (reading.fence !== null && readCode(reading, reading.fence, whole)) return;
  const named = markedPlan(line);
  if (named !== null) {
    reading.plan = named;
    return;
  }
  if (line.trim() === '') {
    reading.waiting.push({ line: whole, indent: null, fence: null });
    return;
  }
  const indent = columnsBefore(line);
  const found = ITEM.exec(line);
  if (found !== null) readItem(reading, found, { whole, line, indent, lineNumber });
  else readText(reading, { whole, line, indent, lineNumber });
}

/** Whether a line is still in the block of code that is open. */
function readCode(reading: Reading, fence: CodeFence, whole: string): boolean {
  const isOver = endsWithItem(fence, whole);
  if (isOver && fence.isInItem) reading.broken.add(fence);
  if (!isOver) reading.waiting.push({ line: whole, indent: fence.indent, fence });
  if (isOver || closesFence(fence, whole)) reading.fence = null;
  return !isOver;
}

interface Line {
  readonly whole: string;
  readonly line: string;
  readonly indent: number;
  readonly lineNumber: number;
}

function readItem(
  reading: Reading,
  [, , mark = '-', space = ' ', box = ' ', rest = '']: RegExpExecArray,
  { whole, line, indent, lineNumber }: Line,
): void {
  const body: PartBeingRead[] = [];
  const hardBreak = hardBreakOf(rest);
  const { written, goal } = withoutMark(rest.slice(0, rest.length - hardBreak.length));
  const bullet = `${mark}${space}`;
  const item: ChecklistItem = {
    goal,
    text: oneLine(unescapeMarkdown(withoutLineComments(written))).trim(),
    written,
    hardBreak,
    box,
    ...boxSays(box),
    indent,
    bullet,
    line,
    end: whole === line ? '' : '\r',
    lineNumber,
    body,
  };
  placeText(reading, indent);
  reading.open.at(-1)?.body.push({ kind: 'item', item });
  reading.open = [...reading.open, { indent, content: indent + bullet.length, body }];
  reading.deepest = Math.max(reading.deepest, indent);
  reading.levels = Math.max(reading.levels, reading.open.length - 1);
  reading.last = item;
}

/** Returns what breaks the line at its end, which is none of its words; a mark is written before it. */
function hardBreakOf(rest: string): string {
  const words = rest.trimEnd();
  if (rest.length - words.length > 1) return rest.slice(words.length);
  const slashes = rest.length - rest.replace(/\\{1,1000}$/, '').length;
  return rest.length > slashes && slashes % 2 === 1 ? '\\' : '';
}

/** What a line says with its comments, and the goal that the last of its marks names. */
function withoutMark(rest: string): Pick<ChecklistItem, 'written' | 'goal'> {
  const whole = rest.trimEnd();
  // The mark that a line ends with counts also below a comment that nothing ends.
  const last = whole.lastIndexOf('<!--');
  const ending = last === -1 ? null : markedGoal(whole.slice(last));
  if (ending !== null) return { written: whole.slice(0, last).trimEnd(), goal: ending };
  const mark = commentsOf(whole).findLast(({ text }) => markedGoal(text) !== null);
  if (mark === undefined) return { written: whole, goal: null };
  return { written: withoutLineComments(whole, [mark]).trimEnd(), goal: markedGoal(mark.text) };
}

function readText(reading: Reading, { whole, line, indent, lineNumber }: Line): void {
  const bullet = BULLET.exec(line)?.[0];
  const before = reading.waiting.at(-1);
  const isUnderline = UNDERLINE.test(line) && before !== undefined && before.indent !== null;
  if (isUnderline || bullet !== undefined || HEADING.test(line)) placeText(reading, indent);
  // A fence can stand where a list item without a box begins; new lines of items never come to stand in that.
  const owner = reading.open.findLast((each) => each.indent < indent);
  const held = bullet === undefined ? Math.min(owner?.content ?? 0, indent) : columnsOf(bullet);
  const within = bullet === undefined ? line : ' '.repeat(held) + line.slice(bullet.length);
  const html = htmlEndMarker(within, held);
  const mark = html ?? fenceMarker(within, held);
  if (mark !== null) {
    const isInItem = bullet === undefined && owner !== undefined && owner.indent >= 0;
    const content = isInItem || bullet !== undefined ? held : 0;
    const kind = html === null ? 'code' : 'html';
    reading.fence = { mark, kind, content, indent, lineNumber, isInItem };
  }
  reading.waiting.push({ line: whole, indent, fence: reading.fence });
}

function columnsOf(bullet: string): number {
  return bullet.replaceAll('\t', '    ').length;
}

/**
 * Gives the text that waits to the items that it stands below, and ends those that a line at `indent` is no part of. Text farther
 * left than an item is that item's still when lines of the item follow.
 */
function placeText(reading: Reading, indent: number): void {
  const { open, waiting, broken } = reading;
  const depthOf = (columns: number) => Math.max(0, open.filter((each) => each.indent < columns).length - 1);
  const least = depthOf(indent);
  let depth = open.length - 1;
  let blank: string[] = [];
  for (const { line, indent: columns, fence } of waiting) {
    if (columns === null) {
      blank.push(line);
      continue;
    }
    depth = Math.max(Math.min(depth, depthOf(columns)), least);
    for (const each of blank) addText(open[depth], each, false);
    blank = [];
    // Where text farther left has ended the item of a block, whatever comes next ends the block.
    const isOpen = fence !== null && broken.has(fence) && depth === depthOf(columns);
    addText(open[depth], line, isOpen);
  }
  for (const each of blank) addText(open[least], each, false);
  reading.waiting = [];
  reading.open = open.slice(0, least + 1);
}

function addText(owner: OpenItem | undefined, line: string, isOpen: boolean): void {
  const last = owner?.body.at(-1);
  if (last?.kind === 'text' && last.isOpen === isOpen) last.lines.push(line);
  else owner?.body.push({ kind: 'text', lines: [line], isOpen });
}
