import { mendBoxes } from '../../../planning/documents/loose-markdown.js';
import { columnsBefore, fenceMarker } from '../checklists/code-fence.js';

/** A line of a Markdown text, or what a heading or a box begins. */
export interface TextNode {
  readonly kind: 'top' | 'section' | 'task';
  /** The level of a heading; 0 for what is none. */
  readonly level: number;
  /** What the heading or the box says, on its first line, as it is written. */
  readonly text: string;
  readonly done: boolean;
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
const BOX = /^([ \t]*)((?:[-*+]|\d{1,9}[.)])[ \t]+)\[[ \t]{0,3}([^\s[\]]?)[ \t]{0,3}\][ \t]+(\S.*)$/;
const ITEM = /^([ \t]*)((?:[-*+]|\d{1,9}[.)])[ \t]+)/;

/** A line with a box, taken apart; null for any other line. A box may have any bullet and any mark; only x and X are done. */
function boxIn(line: string): { indent: number; content: number; done: boolean; text: string } | null {
  const [, space = '', bullet = '', mark = '', text = ''] = BOX.exec(line) ?? [];
  if (text === '') return null;
  const indent = columnsBefore(`${space}x`);
  return {
    indent,
    content: indent + Math.min(bullet.length, 5),
    done: /^x$/i.test(mark),
    text: text.trimEnd(),
  };
}

/**
 * Reads a Markdown text as headings and boxes in each other, with every other line where it stands: under the box whose item
 * it is in, else under the heading. What is in a fence is text.
 */
export function readTaskText(markdown: string, comments: 'apart' | 'text' = 'apart'): TextNode {
  const top = nodeOf({ kind: 'top', level: 0, text: '', done: false, line: 0, indent: -1, content: 0 });
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
        done: false,
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
      const found = nodeOf({ kind: 'task', level: 0, line, ...box });
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

/** A text with the boxes ticked as those of the same words are in another one. */
export function tickedLike(text: string, other: string): string {
  const marks = new Map<string, boolean[]>();
  for (const { text: said, done } of boxesIn(other)) push(marks, said, done);
  const lines = text.split('\n');
  for (const { text: said, done, line } of boxesIn(text)) {
    const is = marks.get(said)?.shift();
    // What names another task is ticked by that one.
    if (is === undefined || is === done || /^#\d/.test(said)) continue;
    const at = lines[line - 1] ?? '';
    lines[line - 1] = at.replace(/\[[ \t]{0,3}[^\s[\]]?[ \t]{0,3}\]/, is ? '[x]' : '[ ]');
  }
  return lines.join('\n');
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

function push(marks: Map<string, boolean[]>, said: string, done: boolean): void {
  const all = marks.get(said);
  if (all === undefined) marks.set(said, [done]);
  else all.push(done);
}

/** Tasks that stand together: under a second-level heading, or under none. */
export interface TaskSegment {
  readonly heading: string | null;
  readonly line: number;
  readonly tasks: readonly TextNode[];
  /** What else stands there; where there are no tasks, with the heading. */
  readonly text: readonly TextLine[];
}

/** Takes a text apart at its headings of the first two levels; deeper ones stay text of what they stand in. */
export function taskSegments(top: TextNode): readonly TaskSegment[] {
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
  return segments.map(({ heading, line, level, tasks, text }) => {
    const own =
      tasks.length === 0 && heading !== null ? [{ line, text: `${'#'.repeat(level)} ${heading}` }] : [];
    return { heading, line, tasks, text: [...own, ...text].toSorted((one, other) => one.line - other.line) };
  });
}
