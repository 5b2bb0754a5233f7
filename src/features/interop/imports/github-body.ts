import { rangeOf, saidNeeds, spanned } from '../../../kernel/text/said-needs.js';
import { isTick } from '../../../planning/documents/signs.js';
import { readTold } from '../told.js';
import type { Told } from '../told.js';
import { readTaskText, standingOfTask, textOf } from './task-text.js';
import type { TextLine, TextNode } from './task-text.js';

/** A line of a task list, with what stands below it. */
export interface BodyItem {
  readonly text: string;
  /** What stands in its box. */
  readonly box: string;
  readonly done: boolean;
  readonly onHold?: string;
  readonly detail: string;
  readonly items: readonly BodyItem[];
}

/** What the text of an issue says. */
export interface Body extends Told {
  readonly detail: string;
  readonly criteria: readonly { readonly text: string; readonly ticked: boolean }[];
  readonly items: readonly BodyItem[];
  /** The numbers of what its text, but no item of it, says that it waits for. */
  readonly blockers: readonly string[];
}

const NUMBER = rangeOf(String.raw`#\d{1,9}`);
const BLOCKED = new RegExp(
  String.raw`\b(?:blocked by|depends on)[ \t*_:]{1,8}(${NUMBER}(?:(?: ?[,;/+&])? ?(?:and )?${NUMBER}){0,50})`,
  'gi',
);
const NUMBERS = new RegExp(NUMBER, 'g');

/** The numbers that a text says something waits for. */
export function blockersIn(text: string): readonly string[] {
  const said = saidNeeds(text, BLOCKED).flatMap((list) => list.match(NUMBERS) ?? []);
  return said.flatMap((each) => (spanned(each) ?? [each]).join(' ').match(/\d+/g) ?? []);
}

const [BEGIN, END] = ['<!-- frctl: text -->', '<!-- frctl: text end -->'];

/** Puts a text between marks within which everything is text; it must be the first in a body to be read so. */
export function asText(text: string): string {
  return [BEGIN, text, END].join('\n');
}

/** Takes what stands between the marks of a text out of a body. */
function markedText(body: string): { readonly marked: string; readonly text: string } {
  const lines = body.split(/\r?\n/);
  const [begin, end] = [lines.indexOf(BEGIN), lines.lastIndexOf(END)];
  if (begin < 0 || end < begin) return { marked: '', text: body };
  return {
    marked: lines.slice(begin + 1, end).join('\n'),
    text: [...lines.slice(0, begin), ...lines.slice(end + 1)].join('\n'),
  };
}

/** Takes the text of an issue apart: its task list, what stands under “Acceptance criteria”, and the rest, as it is written. */
export function readBody(whole: string): Body {
  const { text: untold, told } = readTold(whole);
  const { marked, text } = markedText(untold);
  const criteria: Body['criteria'][number][] = [];
  const items: BodyItem[] = [];
  const kept: TextLine[] = [];
  const visit = (node: TextNode, isCriteria: boolean): void => {
    for (const each of node.own.filter(({ text: line }) => !/^Blocked by #\d+\s*$/.test(line)))
      kept.push(each);
    for (const child of node.children)
      if (child.kind === 'section') {
        const isTheirs = /^acceptance criteria:?$/i.test(child.text);
        if (!isTheirs) kept.push({ line: child.line, text: `${'#'.repeat(child.level)} ${child.text}` });
        visit(child, isTheirs);
      } else if (isCriteria) criteria.push({ text: wholeCriterion(child), ticked: isTick(child.box) });
      else items.push(itemOf(child));
  };
  const top = readTaskText(text, 'text');
  visit(top, false);
  const blockers = linesOf(top).flatMap(({ text: line }) => blockersIn(line));
  const detail = [marked, joined(kept)].filter((part) => part !== '').join('\n\n');
  return { detail, criteria, items, blockers, ...told };
}

function itemOf(node: TextNode): BodyItem {
  const { text, box, own, content, children } = node;
  return { text, box, ...standingOfTask(node), detail: textOf(own, content), items: children.map(itemOf) };
}

/** A criterion with all its lines. */
function wholeCriterion(node: TextNode): string {
  const below = [
    ...node.own,
    ...node.children.map(({ line, text, box }) => ({ line, text: `- [${box || ' '}] ${text}` })),
  ];
  const rest = textOf(below, node.content);
  return rest === '' ? node.text : `${node.text}\n${rest}`;
}

/** The lines that stand in no box. */
function linesOf(node: TextNode): readonly TextLine[] {
  return [...node.own, ...node.children.filter(({ kind }) => kind === 'section').flatMap(linesOf)];
}

/** Lines as one text; where something stood between them, one empty line is left of two. */
function joined(lines: readonly TextLine[]): string {
  const sorted = lines.toSorted((one, other) => one.line - other.line);
  const text: string[] = [];
  let before = 0;
  for (const { line, text: said } of sorted) {
    const isCut = line > before + 1;
    if (!(isCut && said.trim() === '' && (text.at(-1) ?? '').trim() === '')) text.push(said);
    before = line;
  }
  return text
    .join('\n')
    .replace(/^(?:[ \t]*\n)+/, '')
    .trimEnd();
}
