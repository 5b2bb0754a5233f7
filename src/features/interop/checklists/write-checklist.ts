import { escapeMarkdown } from '../../../kernel/text/escape-markdown.js';
import { commentsOf } from '../../../kernel/text/html-comments.js';
import { oneLine } from '../../../kernel/text/safe-text.js';
import { goalSuffix } from '../../../plan/ids.js';
import { goalOf, rootOf } from '../../../plan/plan.js';
import type { Plan } from '../../../plan/plan.js';
import type { Goal } from '../../../plan/schema.js';
import { boxOfGoal, boxText } from './box-marks.js';
import type { Checklist, ChecklistItem, ChecklistPart } from './checklist.js';
import type { RemovedNotes } from './baseline.js';
import { flattenItems } from './nested-item.js';
import { placeLines } from './place-lines.js';
import { readChecklist } from './read-checklist.js';
import { bodyOf } from './removed-notes.js';

/** What is written of a plan into the checklist that it was brought in step with. */
interface Writing {
  readonly plan: Plan;
  readonly goals: ReadonlyMap<ChecklistItem, string>;
  readonly kept: ReadonlySet<string>;
  readonly gone: ReadonlySet<ChecklistItem>;
  /** What stood below the lines of goals that were gone; null where such text stays in the file. */
  readonly notes: ReadonlyMap<string, RemovedNotes> | null;
  /** The line of each goal. */
  readonly items: ReadonlyMap<string, ChecklistItem>;
  /** Lines with what stands before their line feed; that of new ones is `end`. */
  readonly lines: string[];
  readonly end: string;
}

/**
 * The checklist with every goal of the plan as a line, in the plan's order and with its ticks. Lines that say the same stay as they are
 * written, and so does all that is no line of a goal: it stays after the line that it followed, and what
 * stands below the line of a goal that is gone goes with it.
 */
export function writeChecklist(
  plan: Plan,
  checklist: Checklist,
  {
    merge: { goals, kept, gone },
    notes,
  }: { readonly merge: Pick<Writing, 'goals' | 'kept' | 'gone'> } & Pick<Writing, 'notes'>,
): string {
  const items = new Map<string, ChecklistItem>();
  for (const { item } of flattenItems(checklist)) {
    const id = goals.get(item);
    if (id !== undefined) items.set(id, item);
  }
  const end = checklist.lineEnd.slice(0, -1);
  const writing: Writing = { plan, goals, kept, gone, notes, items, lines: [], end };
  writeBody(writing, rootOf(plan), checklist.body, { indent: 0, shift: 0 });
  const { lines } = writing;
  if (lines.at(-1)?.trim() !== '') lines.push(end);
  return checklist.byteOrderMark + [...lines, `<!-- plan:${plan.header.id} -->${end}`, ''].join('\n');
}

/** A checklist of a plan that has none yet. */
export function newChecklist(plan: Plan): Checklist {
  const title = escapeMarkdown(rootOf(plan).description) || plan.header.id;
  return { ...readChecklist(`# ${title}\n\n`), plan: plan.header.id };
}

interface Indentation {
  /** Where lines that are new begin. */
  readonly indent: number;
  /** By how much what was written moves to the right. */
  readonly shift: number;
}

/** Writes what is below a goal: its children in the plan's order, and the text between them where it was. */
function writeBody(
  writing: Writing,
  goal: Goal,
  body: readonly ChecklistPart[],
  indentation: Indentation,
): void {
  const children = new Set(goal.child_ids);
  const { start, after, own, last } = textsOf(writing, body, children);
  const columns = [...new Set(own.values())];
  const indent =
    columns.length === 0
      ? indentation.indent
      : columns.reduce((least, column) => Math.min(least, column)) + indentation.shift;
  // A line farther right than the one above it would become a part of that: such lines stay as they are, before new ones.
  const order = columns.length < 2 ? goal.child_ids : [...new Set([...own.keys(), ...goal.child_ids])];
  const placed = placeLines({ start, after, end: writing.end }, order);
  for (const [index, each] of placed.entries()) {
    if (each.kind === 'text') addText(writing, each.lines, indentation.shift);
    else {
      const column = own.get(each.id);
      const goalBelow = goalOf(writing.plan, each.id);
      writeItem(writing, goalBelow, column === undefined ? indent : column + indentation.shift);
      if (placed[index + 1]?.kind === 'line') addText(writing, each.gap, indentation.shift);
    }
  }
  addText(writing, last, indentation.shift);
}

function addText({ lines }: Writing, text: readonly string[], shift: number): void {
  for (const line of text) lines.push(shifted(line, shift));
}

function shifted(line: string, by: number): string {
  if (by === 0 || line.trim() === '') return line;
  if (by > 0) return ' '.repeat(by) + line;
  return line.replace(new RegExp(`^ {0,${-by}}`), '');
}

function writeItem(writing: Writing, goal: Goal, indent: number): void {
  const item = writing.items.get(goal.id);
  const bullet = item?.bullet ?? '- ';
  writing.lines.push(lineOf(writing, goal, item, indent));
  const notes = item === undefined ? writing.notes?.get(goal.id) : undefined;
  const shift = indent - (item?.indent ?? notes?.indent ?? indent);
  writeBody(writing, goal, item?.body ?? bodyOf(notes), { indent: indent + bullet.length, shift });
}

function lineOf({ kept, end }: Writing, goal: Goal, item: ChecklistItem | undefined, indent: number): string {
  const text = oneLine(goal.description).trim();
  const isKept = item !== undefined && kept.has(goal.id);
  const isSame = item !== undefined && (isKept || item.text === text);
  const box = boxText(isKept ? item : boxOfGoal(goal), item);
  const isPlaced = item?.indent === indent;
  const space = isPlaced ? (/^\s*/.exec(item.line)?.[0] ?? '') : ' '.repeat(indent);
  const wasMarked = item?.goal === goalSuffix(goal.id);
  if (isSame && wasMarked && item.box === box) return `${space}${item.line.trimStart()}${item.end}`;
  const words = isSame ? item.written : withComments(escapeMarkdown(text), item);
  return `${space}${item?.bullet ?? '- '}[${box}] ${words} <!-- goal:${goalSuffix(goal.id)} -->${item?.hardBreak ?? ''}${item?.end ?? end}`;
}

/** Other words for a goal, with the comments of its line, which are no words. */
function withComments(words: string, item: ChecklistItem | undefined): string {
  return [words, ...commentsOf(item?.written ?? '').map(({ text }) => text)].join(' ');
}

interface Texts {
  readonly start: readonly string[];
  readonly after: ReadonlyMap<string, readonly string[]>;
  /** The goals whose lines are still below this one, with the columns before them; of what stood below a line that goes, those before that. */
  readonly own: ReadonlyMap<string, number>;
  /** What ends in a block of code that only the end of the item closes: a line below it would be code. */
  readonly last: readonly string[];
}

/** The text of a body by the line that it follows. Of lines that are no goals, or went elsewhere, the text stays. */
function textsOf(writing: Writing, body: readonly ChecklistPart[], children: ReadonlySet<string>): Texts {
  const start: string[] = [];
  const after = new Map<string, string[]>();
  const own = new Map<string, number>();
  const last: string[] = [];
  let current = start;
  const look = (parts: readonly ChecklistPart[], columns: number | null, goes = false): void => {
    for (const part of parts) {
      if (part.kind === 'text') {
        if (goes && writing.notes !== null) continue;
        for (const line of part.lines) (part.isOpen && parts === body ? last : current).push(line);
        continue;
      }
      const id = writing.goals.get(part.item);
      if (id !== undefined && children.has(id)) {
        current = [];
        after.set(id, current);
        own.set(id, columns ?? part.item.indent);
      } else if (id === undefined || !writing.plan.goals.has(id)) {
        // A line that could not become a goal stays as text; one whose goal is gone goes with its notes, and lines below it stay.
        const isGone = writing.gone.has(part.item);
        if (!isGone) current.push(`${part.item.line}${part.item.end}`);
        look(part.item.body, isGone ? (columns ?? part.item.indent) : null, isGone);
      }
    }
  };
  look(body, null);
  return { start, after, own, last };
}
