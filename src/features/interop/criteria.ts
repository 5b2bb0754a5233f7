import { columnsBefore, fenceMarker } from './checklists/code-fence.js';

/** What shows that a task is done, with all its lines, and whether a box before it is ticked; null where it has none. */
export interface Criterion {
  readonly text: string;
  readonly ticked: boolean | null;
}

const HEADING = /^ {0,3}#{1,6}(?:[ \t]|$)/;
const ITEM = /^([ \t]*)([-*+]|\d{1,9}[.)])([ \t]+)(\S.*)$/;
const BOX = /^\[[ \t]{0,3}([^\s[\]]?)[ \t]{0,3}\][ \t]+(?=\S)/;

interface Open {
  lines: string[];
  /** Columns before what it holds; 0 for a line that is no item of a list. */
  readonly content: number;
  readonly indent: number;
  readonly ticked: boolean | null;
}

/**
 * Reads criteria as people write them: an item of a list is one, with the lines and lists below it; so is a line of its own.
 * Headings are none, and code stays whole in the one that it stands in or after.
 */
export function readCriteria(text: string): readonly Criterion[] {
  const found: Open[] = [];
  let fence: { readonly mark: string; readonly content: number } | null = null;
  let blanks = 0;
  for (const line of text.split(/\r?\n/)) {
    const current = found.at(-1);
    if (fence !== null) {
      current?.lines.push(dedented(line, fence.content));
      if (closes(line, fence.mark)) fence = null;
      continue;
    }
    if (line.trim() === '') {
      blanks += 1;
      continue;
    }
    const columns = columnsBefore(line);
    const isBelow = current !== undefined && current.content > 0 && columns >= current.indent + 2;
    const mark = fenceMarker(line, Math.min(columns, 40));
    const item = ITEM.exec(line);
    if (isBelow || (mark !== null && current !== undefined)) {
      const content = isBelow ? (current?.content ?? 0) : 0;
      for (let blank = 0; blank < blanks; blank += 1) current?.lines.push('');
      current?.lines.push(dedented(line, content));
      if (mark !== null) fence = { mark, content };
    } else if (item !== null) {
      const [, space = '', bullet = '', gap = '', rest = ''] = item;
      const box = BOX.exec(rest);
      const indent = columnsBefore(`${space}x`);
      const said = box === null ? rest : rest.slice(box[0].length);
      const content = indent + bullet.length + Math.min(gap.length, 4);
      found.push({ lines: [said], content, indent, ticked: box === null ? null : /^x$/i.test(box[1] ?? '') });
      const inside = fenceMarker(said, 0);
      if (inside !== null) fence = { mark: inside, content };
    } else if (!HEADING.test(line)) {
      if (current !== undefined && current.content > 0 && blanks === 0) current.lines.push(line.trim());
      else found.push({ lines: [line.trim()], content: 0, indent: 0, ticked: null });
      if (mark !== null) fence = { mark, content: 0 };
    }
    blanks = 0;
  }
  return found.map(({ lines, ticked }) => ({ text: lines.join('\n').trimEnd(), ticked }));
}

/** Writes a criterion as an item of a list, so that it is read as one. */
export function criterionItem(bullet: string, text: string): string {
  const [first = '', ...rest] = text.split('\n');
  const lines = rest.map((line) => (line.trim() === '' ? '' : `${' '.repeat(2)}${line}`));
  return [`${bullet}${first}`, ...lines].join('\n');
}

/** Writes criteria a line each, those as items of a list that would otherwise not be read as they are. */
export function plainCriteria(criteria: readonly string[]): string {
  const isPlain = criteria.every((text) => {
    const [only, ...more] = readCriteria(text);
    return more.length === 0 && only?.text === text && only.ticked === null && ITEM.exec(text) === null;
  });
  return criteria.map((text) => (isPlain ? text : criterionItem('- ', text))).join('\n');
}

function closes(line: string, mark: string): boolean {
  const there = line.trim();
  return there.length >= mark.length && there === (mark[0] ?? '`').repeat(there.length);
}

function dedented(line: string, columns: number): string {
  let at = 0;
  while (at < columns && (line[at] === ' ' || line[at] === '\t')) at += line[at] === '\t' ? columns : 1;
  return line.slice(Math.min(at, line.length - line.trimStart().length));
}
