import {
  heldByBox,
  standingBeside,
  standingOfSection,
} from '../../../planning/documents/kinds/standing-words.js';
import { mendBoxes } from '../../../planning/documents/loose-markdown.js';
import { IN_BOX, isTick } from '../../../planning/documents/signs.js';
import { columnsBefore, fenceMarker } from '../checklists/code-fence.js';

/** A line of a Markdown text, or what a heading or a box begins. */
export interface TextNode {
  readonly kind: 'top' | 'section' | 'task';
  /** The level of a heading; 0 for what is none. */
  readonly level: number;
  /** What the heading or the box says, on its first line, as it is written. */
  readonly text: string;
  /** What stands in the box of a task; empty for what is none. */
  readonly box: string;
  /** The line of a task as it is written. */
  readonly written: string;
  /** Its line, from 1; 0 for the whole text. */
  readonly line: number;
  /** Columns before the bullet of a task. */
  readonly indent: number;
  /** Columns before what the item of a task holds. */
  readonly content: number;
  /** The lines that stand in it and are no heading, no box and no comment. */
  readonly own: TextLine[];
  readonly children: TextNode[];
  /** Lines of comments; the whole text has them. */
  readonly comments: TextLine[];
}

/** A line as it is written, and its number from 1. */
export interface TextLine {
  readonly line: number;
  readonly text: string;
}

const HEADING = /^ {0,3}(#{1,6})[ \t]+(?=\S)(.*)$/;
/** What may stand in a box here: any other sign is as good as none, but a letter or a digit is a label. */
const MARK = String.raw`${IN_BOX}|[^\s[\]\p{L}\p{N}]`;
const BRACKETS = String.raw`\[[ \t]{0,3}(${MARK})[ \t]{0,3}\]`;
const BOX = new RegExp(String.raw`^([ \t]*)((?:[-*+]|\d{1,9}[.)])[ \t]+)${BRACKETS}[ \t]+(\S.*)$`, 'u');
const FIRST_BOX = new RegExp(BRACKETS, 'u');
const WHOLE_BOX = new RegExp(`^(?:${MARK})$`, 'u');
const ITEM = /^([ \t]*)((?:[-*+]|\d{1,9}[.)])[ \t]+)/;

/** A line with a box, taken apart; null for any other line. A box may have any bullet. */
function boxIn(line: string): { indent: number; content: number; box: string; text: string } | null {
  const [, space = '', bullet = '', box = '', text = ''] = BOX.exec(line) ?? [];
  if (text === '') return null;
  const indent = columnsBefore(`${space}x`);
  return {
    indent,
    content: indent + Math.min(bullet.length, 5),
    box: box.trim(),
    text: text.trimEnd(),
  };
}

/**
 * Reads a Markdown text as headings and boxes in each other, with every other line where it stands: under the box whose item
 * it is in, else under the heading. What is in a fence is text.
 */
export function readTaskText(markdown: string, comments: 'apart' | 'text' = 'apart'): TextNode {
  const top = nodeOf({
    kind: 'top',
    level: 0,
    text: '',
    box: '',
    written: '',
    line: 0,
    indent: -1,
    content: 0,
  });
  const sections = [top];
  let tasks: TextNode[] = [];
  let fence: { readonly mark: string; readonly owner: TextNode } | null = null;
  let comment = false;
  let isParagraph = false;
  const section = () => sections.at(-1) ?? top;
  for (const [index, text] of mendBoxes(markdown).split(/\r?\n/).entries()) {
    const line = index + 1;
    if (fence !== null) {
      fence.owner.own.push({ line, text });
      if (text.trim().startsWith(fence.mark) && /^[`~]+$/.test(text.trim())) fence = null;
      continue;
    }
    if (comment || /^ {0,3}<!--/.test(text)) {
      (comments === 'apart' ? top.comments : (tasks.at(-1) ?? section()).own).push({ line, text });
      comment = !text.includes('-->');
      continue;
    }
    const [, marks, heading = ''] = HEADING.exec(text) ?? [];
    if (marks !== undefined) {
      while ((section().level || -1) >= marks.length) sections.pop();
      const said = heading
        .trimEnd()
        .replace(/(?<=[ \t])#+$/, '')
        .trimEnd();
      const found = nodeOf({
        kind: 'section',
        level: marks.length,
        text: said,
        box: '',
        written: text,
        line,
        indent: -1,
        content: 0,
      });
      section().children.push(found);
      sections.push(found);
      [tasks, isParagraph] = [[], false];
      continue;
    }
    const box = boxIn(text);
    // Far to the right of any item a box is code.
    const isCode = box !== null && box.indent >= (tasks.at(-1)?.content ?? 0) + 4;
    if (box !== null && !isCode) {
      while ((tasks.at(-1)?.indent ?? -2) + 2 > box.indent && tasks.length > 0) tasks.pop();
      const found = nodeOf({ kind: 'task', level: 0, line, written: text, ...box });
      (tasks.at(-1) ?? section()).children.push(found);
      tasks.push(found);
      isParagraph = true;
      continue;
    }
    if (text.trim() === '') isParagraph = false;
    else if (!isParagraph || ITEM.test(text)) {
      // A paragraph goes on whatever stands before its lines; anything else is in the item whose content it is below.
      const columns = columnsBefore(text);
      while (tasks.length > 0 && columns < (tasks.at(-1)?.indent ?? 0) + 2) tasks.pop();
      isParagraph = true;
    }
    const owner = tasks.at(-1) ?? section();
    owner.own.push({ line, text });
    const mark = fenceMarker(text, Math.min(columnsBefore(text), 40));
    if (mark !== null) fence = { mark, owner };
  }
  return top;
}

function nodeOf(about: Omit<TextNode, 'own' | 'children' | 'comments'>): TextNode {
  return { ...about, own: [], children: [], comments: [] };
}

/** The lines of a node as they are written, without the columns before its content and without empty lines around them. */
export function textOf(lines: readonly TextLine[], content = 0): string {
  const dedented = lines.map(({ text }) => withoutColumns(text, content));
  return dedented
    .join('\n')
    .replace(/^(?:[ \t]*\n)+/, '')
    .trimEnd();
}

function withoutColumns(line: string, columns: number): string {
  let [at, passed] = [0, 0];
  for (; passed < columns && at < line.length; at += 1) {
    if (line[at] === ' ') passed += 1;
    else if (line[at] === '\t') passed += 4;
    else break;
  }
  return line.slice(at);
}

/** A text with the boxes filled as those of the same words are in another one, where that says something else. */
export function tickedLike(text: string, other: string): string {
  const boxes = new Map<string, string[]>();
  for (const { text: said, box } of boxesIn(other)) push(boxes, said, box);
  const lines = text.split('\n');
  for (const { text: said, box, line } of boxesIn(text)) {
    const is = boxes.get(said)?.shift();
    // What names another task is ticked by that one.
    if (is === undefined || isSameBox(is, box) || /^#\d/.test(said)) continue;
    lines[line - 1] = (lines[line - 1] ?? '').replace(FIRST_BOX, `[${is || ' '}]`);
  }
  return lines.join('\n');
}

/** Tells whether a text is what may stand in a box. */
export function isBox(text: string): boolean {
  return WHOLE_BOX.test(text);
}

/** Tells whether two boxes say the same. */
function isSameBox(one: string, other: string): boolean {
  return isTick(one) === isTick(other) && heldByBox(one) === heldByBox(other);
}

/** Marks of other tools before the words of a task: its number, its id, its labels. */
const MARKS = /^(?:(?:T\d\w{0,11}|\d{1,9}(?:\.\d{1,9}){0,9}[.):]?|\[(?:P|US\d{1,9})\])\s{1,9}){1,5}/;

/** What a line with a box says of how it stands with its task. */
export interface TaskStanding {
  readonly done: boolean;
  /** What keeps it from being worked on. */
  readonly onHold?: string;
}

/** Returns what a box, and the words behind it, say of a task: what is struck through is done, for nobody wants it any more. */
export function standingOfTask({ box, text }: Pick<TextNode, 'box' | 'text'>): TaskStanding {
  const words = text.replace(MARKS, '');
  if (isTick(box) || /^~~(?=\S)/.test(words)) return { done: true };
  const held = heldByBox(box);
  if (held !== undefined) return { done: false, onHold: held };
  const beside = standingBeside(words, true);
  return beside === null || beside.standing === 'done'
    ? { done: false }
    : { done: false, onHold: beside.said };
}

/** Returns what the name of a section says that keeps all in it from being worked on; undefined where it says nothing of it. */
export function holdOfSection(name: string): string | undefined {
  const alone = standingOfSection(name);
  const { standing, said } =
    alone === null ? (standingBeside(name, true) ?? {}) : { standing: alone, said: name };
  return standing === 'held' || standing === 'dropped' ? said : undefined;
}

/** Returns the text of a task with its mark below it, where that says that the task is begun. */
export function detailOf({ own, content, box }: TextNode): string {
  const text = textOf(own, content);
  const isBegun = box !== '' && !isTick(box) && heldByBox(box) === undefined;
  return isBegun ? [text, `[${box}]`].filter((part) => part !== '').join('\n\n') : text;
}

/** Every box of a text, in the order of its lines. */
function boxesIn(text: string): readonly TextNode[] {
  const found: TextNode[] = [];
  const open = [readTaskText(text, 'text')];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (node.kind === 'task') found.push(node);
    for (const each of node.children) open.push(each);
  }
  return found.toSorted((one, next) => one.line - next.line);
}

function push(boxes: Map<string, string[]>, said: string, box: string): void {
  const all = boxes.get(said);
  if (all === undefined) boxes.set(said, [box]);
  else all.push(box);
}

/** Tasks that stand together: under a second-level heading, or under none. */
export interface TaskSegment {
  readonly heading: string | null;
  readonly line: number;
  readonly tasks: readonly TextNode[];
  /** What else stands there; where there are no tasks, with the heading. */
  readonly text: readonly TextLine[];
}

/**
 * Takes a text apart at its headings of the first two levels; deeper ones stay text of what they stand in.
 * @param isText whether what stands below a heading is text, with its boxes
 */
export function taskSegments(
  top: TextNode,
  isText: (heading: string, tasks: readonly TextNode[]) => boolean = () => false,
): readonly TaskSegment[] {
  const segments: {
    heading: string | null;
    line: number;
    level: number;
    tasks: TextNode[];
    text: TextLine[];
  }[] = [];
  const begin = (heading: string | null, { line, level }: TextNode) => {
    const segment = { heading, line, level, tasks: [] as TextNode[], text: [] as TextLine[] };
    segments.push(segment);
    return segment;
  };
  const collect = (node: TextNode, segment: ReturnType<typeof begin>): void => {
    for (const each of node.own) segment.text.push(each);
    for (const child of node.children) {
      if (child.kind === 'task') segment.tasks.push(child);
      else if (child.level > 2) {
        segment.text.push({ line: child.line, text: `${'#'.repeat(child.level)} ${child.text}` });
        collect(child, segment);
      } else {
        const next = begin(child.level === 2 ? child.text : null, child);
        if (child.level === 1) next.text.push({ line: child.line, text: `# ${child.text}` });
        collect(child, next);
      }
    }
  };
  collect(top, begin(null, top));
  return segments.map(({ heading, line, level, tasks: boxes, text }) => {
    const isTold = heading !== null && boxes.length > 0 && isText(heading, boxes);
    const tasks = isTold ? [] : boxes;
    const own =
      tasks.length === 0 && heading !== null ? [{ line, text: `${'#'.repeat(level)} ${heading}` }] : [];
    const all = [...own, ...text, ...(isTold ? boxes.flatMap(writtenLines) : [])];
    return { heading, line, tasks, text: all.toSorted((one, other) => one.line - other.line) };
  });
}

/** The lines of a task as they are written, and of all below it. */
function writtenLines({ line, written, own, children }: TextNode): readonly TextLine[] {
  return [{ line, text: written }, ...own, ...children.flatMap(writtenLines)];
}
