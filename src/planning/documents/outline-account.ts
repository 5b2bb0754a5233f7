import { accountFor } from '../../kernel/text/line-account.js';
import type { LineAccount } from '../../kernel/text/line-account.js';
import { plainText, withoutFormatting } from './block-text.js';
import type { DocumentItem, DocumentOutline } from './document-item.js';
import { readItemName } from './item-names.js';
import { mendMarkdown } from './loose-markdown.js';
import { parseBlocks } from './markdown-blocks.js';
import { DONE_WORDS, EMPTY_WORDS } from './requirement-table.js';
import { sectionKind } from './kinds/heading-kinds.js';
import { markedGoal, markedPlan } from '../../plan/checklist-marks.js';

/**
 * Accounts for the lines of a document by what its goals say, not by what a reader meant to do: a line is kept as text where
 * the detail of a goal has its words, and read where the goals that it stands in say all of them; whatever else holds words is
 * left out.
 */
export function accountForOutline(text: string, outline: DocumentOutline, file: string): LineAccount {
  const lines = mendMarkdown(text.replace(/^\uFEFF/, '')).split(/\r\n|\n|\r/);
  const details = new Set<string>();
  const owners = ownersOf(outline, details);
  const [detail, leftOut]: [number[], number[]] = [[], []];
  const open: Owner[] = [];
  let next = 0;
  for (const [index, line] of lines.entries()) {
    const number = index + 1;
    for (let owner = owners[next]; owner !== undefined && owner.first <= number; owner = owners[(next += 1)])
      open.push(owner);
    while (open.length > 0 && (open.at(-1)?.last ?? 0) < number) open.pop();
    const words = wordsOf(line);
    if (words.length === 0 || isMark(line)) continue;
    const plain = withoutFormatting(withoutMarks(line.replace(MARKS, '')));
    const own = wordsOf(plain);
    if (details.has(words.join(' ')) || details.has(own.join(' '))) detail.push(number);
    else if (
      !isSaid(own, around(open, number)) &&
      !isSaid(wordsOf(plain.replaceAll(INLINE, '').replace(PLAIN_LINK, '$1')), around(open, number)) &&
      !isSaid(namedBy(line), around(open, number)) &&
      !isSaid(escapedWords(plain), around(open, number)) &&
      !isHead(line, lines[index + 1] ?? '')
    )
      leftOut.push(number);
  }
  return accountFor([{ file, text: lines.join('\n'), detail, leftOut }]);
}

/** What stands before the words of an item: marks of headings, quotes, lists, numbers and boxes. */
const MARKS = /^(?:[\s>#*+|-]|\d+(?:\.\d+)*[.)]?\s|`?\[ ?[^\]\s]? ?\]`?\s)+/;

/** A link whose address says no more than its text. */
const PLAIN_LINK = /\[([^[\]]*)\]\((?:https?:\/\/|mailto:)?\1\)/g;
/** Marks within a line and the names of its links' addresses, which are kept elsewhere: marks stand between no words where a script has no blanks. */
const INLINE = /[*_~`]+|(?<=\])\[[^[\]]{1,200}\]/g;

/** The words of a line without the kind that its name begins with: "Epic: Search". */
function namedBy(line: string): readonly string[] {
  return wordsOf(withoutFormatting(readItemName(line.replace(MARKS, '')).text));
}

/** The words of a text that names signs ("&amp;", "Caf&eacute;") or takes the meaning from them ("\\*"). */
function escapedWords(plain: string): readonly string[] {
  const names = /&(?:#[\da-f]{1,7}|[a-z]\w{1,31});|\\[!-/:-@[-`{-~]/i.test(plain);
  return wordsOf(
    names ? [...parseBlocks(plain, START, '')].map(({ node }) => plainText(node)).join(' ') : plain,
  );
}

const START = { offset: 0, line: 0 };

interface Owner {
  readonly first: number;
  readonly last: number;
  readonly words: ReadonlySet<string>;
}

/** The goals of an outline by where they stand, those around before those within. */
function ownersOf(outline: DocumentOutline, details: Set<string>): readonly Owner[] {
  const owners: Owner[] = [];
  const whole: Pick<DocumentItem, Said> = {
    kind: 'heading',
    ...outline,
    description: outline.title ?? '',
    complete: false,
  };
  const items: Pick<DocumentItem, Said>[] = [whole, ...(outline.told ?? [])];
  const below = [outline.items];
  for (let each = below.pop(); each !== undefined; each = below.pop())
    for (const item of each) {
      items.push(item);
      for (const told of item.told ?? []) items.push(told);
      below.push(item.children);
    }
  for (const { kind, description, detail, source, complete, ...item } of items) {
    const { tags = [], acceptance = [], outOfScope = [] } = item;
    for (const line of detail?.split(/\r\n|\n|\r/) ?? [])
      for (const each of [line, line.replace(MARKS, '')]) details.add(wordsOf(each).join(' '));
    // The columns of a row are its detail; "— already fixed" behind a heading is what it is now.
    const columns = kind === 'row' ? [detail ?? '', ...EMPTY_WORDS] : [];
    const done = complete && kind !== 'item' ? ['already', ...DONE_WORDS] : [];
    const words = [description, ...columns, ...done, ...tags, ...acceptance, ...outOfScope].flatMap(wordsOf);
    owners.push({ first: source.start_line, last: source.end_line, words: new Set(words) });
  }
  return owners.toSorted((a, b) => a.first - b.first || b.last - a.last);
}

type Said = 'complete' | 'kind' | 'description' | 'detail' | 'source' | 'tags' | 'acceptance' | 'outOfScope';

function wordsOf(text: string): readonly string[] {
  // Without bound the pattern has no room for a word of megabytes.
  return text.toLowerCase().match(/[\p{L}\p{N}]{1,1000}/gu) ?? [];
}

function around(open: readonly Owner[], line: number): readonly Owner[] {
  return open.filter(({ last }) => last >= line);
}

function isSaid(words: readonly string[], open: readonly Owner[]): boolean {
  return words.every((word) => open.some((owner) => owner.words.has(word)));
}

/** Whether a line only says what the lines below it are: the head of a table, or of criteria, or of what is not to be done. */
function isHead(line: string, next: string): boolean {
  if (/^[\s|:-]*$/.test(next) && next.includes('-') && next.includes('|')) return true;
  const name = line
    .replace(MARKS, '')
    .replaceAll(/[*_:]+/g, ' ')
    .trim();
  return (
    name.length < 80 && ['acceptance', 'out_of_scope', 'aims', 'container'].includes(sectionKind(name, false))
  );
}

/** Returns a line without the mark of a goal that `plan sync` keeps behind it. */
function withoutMarks(line: string): string {
  return line.replace(/<!--[^<>]{1,100}-->\s*$/, (comment) =>
    markedGoal(comment.trim()) === null ? comment : '',
  );
}

/** Whether a line is a mark that `plan sync` keeps, and no part of what a document says. */
function isMark(line: string): boolean {
  return markedPlan(line.trim()) !== null || markedGoal(line.trim()) !== null;
}
