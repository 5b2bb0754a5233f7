import { oneLine } from '../../kernel/text/safe-text.js';
import { unescapeMarkdown } from '../../kernel/text/escape-markdown.js';

/** A line with a box, and what stands below it. */
export interface ChecklistItem {
  /** The part of a goal's id after the plan's; null for a line that has none yet. */
  readonly goal: string | null;
  /** What it says, on one line and without what only keeps it from being Markdown. */
  readonly text: string;
  /** The same as it is written. */
  readonly written: string;
  readonly ticked: boolean;
  /** Columns before the bullet. */
  readonly indent: number;
  /** The bullet or number, with the space after it. */
  readonly bullet: string;
  /** The whole line. */
  readonly line: string;
  readonly body: readonly ChecklistPart[];
}

/** Lines that are no items, or an item. */
export type ChecklistPart =
  | { readonly kind: 'text'; readonly lines: readonly string[] }
  | { readonly kind: 'item'; readonly item: ChecklistItem };

/** A Markdown file as a checklist: its items, and all else where it stands. */
export interface Checklist {
  readonly body: readonly ChecklistPart[];
  /** The plan that the file says it belongs to. */
  readonly plan: string | null;
  readonly lineEnd: '\n' | '\r\n';
}

const ITEM = /^([ \t]*)([-*+]|\d{1,9}[.)])([ \t]+)\[([ xX])\][ \t]+(\S.*)$/;
const GOAL = /\s*<!--\s*goal:([0-9A-Za-z_-]{1,64})\s*-->\s*$/;
const PLAN = /^<!--\s*plan:([0-9a-f]{8})\s*-->\s*$/;
const FENCE = /^\s*(?:`{3,}|~{3,})/;

interface Open {
  readonly indent: number;
  readonly body: ChecklistPart[];
}

/** Reads a checklist. Lines below an item that stand farther right are its own; what is fenced as code is text. */
export function readChecklist(text: string): Checklist {
  const root: Open = { indent: -1, body: [] };
  let open: Open[] = [root];
  let blank: string[] = [];
  let fence: string | null = null;
  let plan: string | null = null;
  const lines = text.split(/\r?\n/);
  if (lines.at(-1) === '') lines.pop();
  for (const line of lines) {
    const found = fence === null ? ITEM.exec(line) : null;
    const named = PLAN.exec(line)?.[1];
    if (named !== undefined && fence === null) {
      plan = named;
      continue;
    }
    if (found === null && line.trim() === '' && fence === null) {
      blank.push(line);
      continue;
    }
    const indent = columnsBefore(line);
    if (fence === null) open = open.filter((each) => each.indent < indent);
    const owner = open.at(-1) ?? root;
    if (blank.length > 0) addLines(owner, blank);
    blank = [];
    if (found === null) {
      fence = fenceAfter(fence, line);
      addLines(owner, [line]);
      continue;
    }
    const body: ChecklistPart[] = [];
    owner.body.push({ kind: 'item', item: itemOf(line, indent, found, body) });
    open.push({ indent, body });
  }
  if (blank.length > 0) addLines(root, blank);
  return { body: root.body, plan, lineEnd: text.includes('\r\n') ? '\r\n' : '\n' };
}

function itemOf(
  line: string,
  indent: number,
  [, , mark = '-', space = ' ', box = ' ', rest = '']: RegExpExecArray,
  body: readonly ChecklistPart[],
): ChecklistItem {
  const written = rest.replace(GOAL, '').trimEnd();
  return {
    goal: GOAL.exec(rest)?.[1] ?? null,
    text: oneLine(unescapeMarkdown(written)).trim(),
    written,
    ticked: box !== ' ',
    indent,
    bullet: `${mark}${space}`,
    line,
    body,
  };
}

function addLines({ body }: Open, lines: readonly string[]): void {
  const last = body.at(-1);
  if (last?.kind === 'text') body[body.length - 1] = { kind: 'text', lines: [...last.lines, ...lines] };
  else body.push({ kind: 'text', lines });
}

function columnsBefore(line: string): number {
  const space = /^[ \t]*/.exec(line)?.[0] ?? '';
  return space.replaceAll('\t', '    ').length;
}

function fenceAfter(fence: string | null, line: string): string | null {
  const mark = FENCE.exec(line)?.[0].trim();
  if (mark === undefined) return fence;
  if (fence === null) return mark;
  return mark.startsWith(fence) && line.trim() === mark ? null : fence;
}
