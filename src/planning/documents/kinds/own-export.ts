import { escapeMarkdown, unescapeMarkdown } from '../../../kernel/text/escape-markdown.js';
import type { LineAccount } from '../../../kernel/text/line-account.js';
import { parsePriority } from '../../../plan/readiness/priorities.js';
import type { DocumentItem, DocumentOutline } from '../document-item.js';
import { isVerb } from '../english/lexicon.js';
import { checkNesting } from '../markdown-nesting.js';
import { accountForOutline } from '../outline-account.js';

/** Reads a text in which nothing is ours, as any document is read. */
type ReadOthers = (text: string) => DocumentOutline;

const HEAD = /^Plan `[0-9a-f]{8}` \(.{1,200}\): \d+ of \d+ atomic goals done\.\s*$/;
const BOX = /^( *)[-*+] \[([ xX])\] (.*)$/;
const ITEM = /^( *)(?:[-*+]|\d{1,9}[.)]) (?=.*\S)/;
/** An id as this program makes them, or as older tools did: those made of letters alone are words. */
const ID = /(?:^|\s)`(root|[\da-z]{6}|(?=[\w-]*[\d_-])[\w-]{1,64})`(?=\s|$)/g;
const CRITERION = /^ *done when: (.*)$/;
/** What stands behind the list: what was decided, is missing or looks wrong. */
const SAID = /^\*\*[^*]{1,60}\*\* (?:(?:for|at) `|.*\(used by `)/;
const FAILED = '**failed**';

/** Whether a text is what `plan export --format markdown` writes, by the line with its counts. */
export function isOwnExport(text: string): boolean {
  return text.split(/\r\n|\n|\r/).some((line) => HEAD.test(line));
}

/** A goal of the list; what somebody added to its parts stands among them as it is read. */
interface Draft {
  readonly depth: number;
  readonly line: number;
  last: number;
  readonly id: string | null;
  readonly after: readonly string[];
  /** What the line says, read. */
  readonly said: Pick<DocumentItem, 'description' | 'complete'> & Partial<DocumentItem>;
  readonly detail: string[];
  readonly acceptance: string[];
  readonly outOfScope: string[];
  readonly children: (Draft | DocumentItem)[];
}

/**
 * Reads what `plan export --format markdown` writes, and what somebody has added to it: an item a goal, with what stands behind
 * its id. What a goal waits for that is not beside it, its size and why it failed are lines of its detail; a goal that failed is
 * on hold. Null for a text that has neither the line with the counts nor the item of the root.
 * @param readOthers reads what is not ours: items without id, and what stands around the list
 */
export function readOwnExport(
  text: string,
  file: string,
  readOthers: ReadOthers,
): { readonly outline: DocumentOutline; readonly account: LineAccount } | null {
  const lines = text.replace(/^\uFEFF/, '').split(/\r\n|\n|\r/);
  const head = lines.findIndex((line) => HEAD.test(line));
  if (head < 0 && !lines.some((line) => line.includes(' `root`') && BOX.test(line))) return null;
  checkNesting(text, file);
  const heading = lines.findIndex((line) => line.startsWith('# '));
  const { top, around, notOurs } = readLines(lines, [heading, head], readOthers);
  const [first, ...others] = top.children;
  const root = first !== undefined && isDraft(first) && first.id === 'root' ? first : top;
  const ids = new Map<string, string>();
  for (const each of below(top)) if (each.id !== null) ids.set(each.id, each.said.description);
  const beside = readOthers(around);
  const detail = [...(root === top ? [] : root.detail), ...top.detail, beside.detail ?? ''];
  const outline = {
    title: heading < 0 ? root.said.description : unescapeMarkdown(lines[heading]?.slice(2) ?? '').trim(),
    source: { file, start_line: 1, end_line: lines.length },
    ...textsOf({
      detail: detail.filter((part) => part !== ''),
      acceptance: [...root.acceptance, ...(beside.acceptance ?? [])],
      outOfScope: [...root.outOfScope, ...(beside.outOfScope ?? [])],
    }),
    items: [root.children, root === top ? [] : others]
      .map((children) => itemsOf(children, file, ids))
      .concat([beside.items])
      .reduce(followedBy),
  };
  return { outline, account: accountForOutline(notOurs, outline, file) };
}

/** The goals of the list, the text around it and all that is not ours, each line where it stands. */
function readLines(
  lines: readonly string[],
  heads: readonly number[],
  readOthers: ReadOthers,
): { readonly top: Draft; readonly around: string; readonly notOurs: string } {
  const top = newDraft(-1, 0, { description: '', complete: false });
  const open: Draft[] = [top];
  const around = lines.map(() => '');
  const notOurs = lines.map(() => '');
  let added: Added | null = null;
  let [isInside, isBelowItem] = [false, false];
  const current = () => open.at(-1) ?? top;
  const close = () => {
    if (added !== null) addItems(current(), added, readOthers);
    added = null;
  };
  const reach = (depth: number) => {
    while (current().depth >= depth) open.pop();
  };
  for (const [index, line] of lines.entries()) {
    const indent = /^ */.exec(line)?.[0].length ?? 0;
    const own = ownGoal(line, index + 1, readOthers);
    const criterion = isBelowItem ? CRITERION.exec(line)?.[1] : undefined;
    const isBlank = line.trim() === '';
    isBelowItem = own !== null || criterion !== undefined;
    if (own !== null) {
      close();
      reach(own.depth);
      current().children.push(own);
      open.push(own);
      isInside = true;
    } else if (criterion !== undefined) current().acceptance.push(unescapeMarkdown(withoutBreak(criterion)));
    else if (heads.includes(index) || isBlank) added?.lines.push('');
    else if (!isInside || (indent === 0 && !ITEM.test(line))) {
      close();
      open.splice(1);
      isInside = false;
      notOurs[index] = line;
      if (SAID.test(line)) top.detail.push(line.trim());
      else around[index] = line;
    } else {
      notOurs[index] = line;
      if (added !== null && (indent > added.indent || (indent === added.indent && ITEM.test(line))))
        added.lines.push(line);
      else if (ITEM.test(line)) {
        close();
        reach(Math.floor(indent / 2));
        added = { indent, line: index + 1, lines: [line] };
      } else {
        close();
        current().detail.push(line.trim());
      }
    }
    if (!isBlank) for (const each of open) each.last = index + 1;
  }
  close();
  return { top, around: around.join('\n'), notOurs: notOurs.join('\n') };
}

/** Items that somebody added to the list, with what stands below them. */
interface Added {
  readonly indent: number;
  readonly line: number;
  readonly lines: string[];
}

function addItems(parent: Draft, { indent, line, lines }: Added, readOthers: ReadOthers): void {
  const read = readOthers(lines.map((each) => each.slice(indent)).join('\n'));
  const before = parent.children.length;
  for (const item of read.items) parent.children.push({ ...moved(item, line - 1), ...laterBy(item, before) });
  if (read.detail !== undefined) parent.detail.push(read.detail);
  for (const each of read.acceptance ?? []) parent.acceptance.push(each);
  for (const each of read.outOfScope ?? []) parent.outOfScope.push(each);
}

/** An item that stands so many lines further down. */
function moved(item: DocumentItem, by: number): DocumentItem {
  const { file, start_line, end_line } = item.source;
  return {
    ...item,
    source: { file, start_line: start_line + by, end_line: end_line + by },
    children: item.children.map((child) => moved(child, by)),
  };
}

/** Items behind others, which come after those that they came after. */
function followedBy(items: readonly DocumentItem[], more: readonly DocumentItem[]): readonly DocumentItem[] {
  return [...items, ...more.map((item) => ({ ...item, ...laterBy(item, items.length) }))];
}

function laterBy({ after, afterPrevious }: DocumentItem, by: number): Partial<DocumentItem> {
  return after === undefined ? { afterPrevious } : { after: after.map((place) => place + by) };
}

function isDraft(one: Draft | DocumentItem): one is Draft {
  return 'said' in one;
}

function* below(top: Draft): Generator<Draft> {
  for (const each of top.children)
    if (isDraft(each)) {
      yield each;
      yield* below(each);
    }
}

function newDraft(depth: number, line: number, said: Draft['said'], more: Partial<Draft> = {}): Draft {
  const lists = { detail: [], acceptance: [], outOfScope: [], children: [] };
  return { depth, line, last: line, id: null, after: [], said, ...lists, ...more };
}

/** The goal of a line with an id. Where more stands there than an export writes, it is read as anybody's words, the id among them. */
function ownGoal(line: string, number: number, readOthers: ReadOthers): Draft | null {
  const [, spaces = '', box = '', rest = ''] = BOX.exec(line) ?? [];
  if (box === '') return null;
  const text = withoutBreak(rest);
  const ids = [...text.matchAll(ID)].filter(([, id = '']) => !isVerb(id));
  const behind = (found: RegExpExecArray) => readNotes(text.slice(found.index + found[0].length).trim());
  const found = ids.findLast((each) => behind(each) !== null) ?? ids[0];
  if (found === undefined) return null;
  const notes = behind(found);
  const words = notes === null ? text : text.slice(0, found.index);
  const isOurs = notes !== null && escapeMarkdown(unescapeMarkdown(words)) === words;
  const [read] = isOurs ? [] : readOthers(`- [${box}] ${words}`).items;
  const { after = [], detail = [], ...said } = notes ?? {};
  return newDraft(
    Math.floor(spaces.length / 2),
    number,
    {
      description: unescapeMarkdown(words).trim(),
      complete: box !== ' ',
      ...read,
      ...said,
      ...(isOurs ? { isFree: true } : {}),
    },
    {
      id: found[1] ?? null,
      after,
      detail: [...detail, ...(read?.detail === undefined ? [] : [read.detail])],
    },
  );
}

interface Notes extends Pick<DocumentItem, 'priority' | 'onHold'> {
  readonly after: readonly string[];
  readonly detail: readonly string[];
}

/** What an export writes behind an id; null for anything else. */
function readNotes(behind: string): Notes | null {
  let notes = /^(?:\((.*)\))?$/.exec(behind)?.[1] ?? '';
  if (behind !== '' && notes === '') return null;
  const take = (begin: string, end = ';') => {
    if (!notes.startsWith(begin)) return null;
    const length = end === '' || !notes.includes(end) ? notes.length : notes.indexOf(end);
    const taken = notes.slice(begin.length, length);
    notes = notes.slice(length).replace(/^; /, '');
    return unescapeMarkdown(taken);
  };
  take('depth ');
  const after = take('after ') ?? '';
  const size = take('size ');
  const urgency = take('priority ');
  const priority = parsePriority(urgency ?? '');
  const held = take('on hold: ', `; ${FAILED}`);
  const reason = take(FAILED, '');
  const failure = reason === null ? null : `failed${reason}`;
  if (notes !== '' || (urgency !== null && priority === null)) return null;
  return {
    after: [...after.matchAll(/`([\w-]{1,64})`/g)].map(([, id = '']) => id),
    detail: [
      ...(size === null ? [] : [`Size ${size}`]),
      ...(held === null || failure === null ? [] : [failure]),
    ],
    ...(priority === null ? {} : { priority }),
    ...(held === null && failure === null ? {} : { onHold: held ?? failure ?? '' }),
  };
}

function withoutBreak(line: string): string {
  let end = line.length;
  while (line[end - 1] === '\\') end -= 1;
  return (line.length - end) % 2 === 1 ? line.slice(0, -1) : line;
}

function itemsOf(
  children: Draft['children'],
  file: string,
  ids: ReadonlyMap<string, string>,
): readonly DocumentItem[] {
  const places = new Map(children.map((each, index) => [isDraft(each) ? each.id : null, index]));
  const circular = inCircle(
    children.map((each) => (isDraft(each) ? each.after : [])),
    places,
  );
  return children.map((draft, index): DocumentItem => {
    if (!isDraft(draft)) return draft;
    // Of goals that somebody made to wait for each other each waits for those before it alone.
    const isBeside = (id: string) =>
      places.has(id) && (!circular.has(index) || (places.get(id) ?? index) < index);
    const elsewhere = draft.after.filter((id) => !isBeside(id));
    const waits = elsewhere.map((id) => `Waits for: ${ids.get(id) ?? id}`);
    const below = itemsOf(draft.children, file, ids);
    return {
      kind: 'item',
      isTask: true,
      ...draft.said,
      source: { file, start_line: draft.line, end_line: draft.last },
      complete: draft.said.complete && below.every(({ complete }) => complete),
      afterPrevious: false,
      after: draft.after.filter(isBeside).flatMap((id) => places.get(id) ?? []),
      children: below,
      ...textsOf({ ...draft, detail: [...draft.detail, ...waits] }),
    };
  });
}

/** The texts of a goal, those that there are. */
function textsOf({
  detail,
  acceptance,
  outOfScope,
}: Pick<Draft, 'detail' | 'acceptance' | 'outOfScope'>): Partial<DocumentItem> {
  return {
    ...(detail.length === 0 ? {} : { detail: detail.join('\n\n') }),
    ...(acceptance.length === 0 ? {} : { acceptance }),
    ...(outOfScope.length === 0 ? {} : { outOfScope }),
  };
}

/** Returns the places of the goals that wait for each other in a circle, or for such. */
function inCircle(
  afters: readonly (readonly string[])[],
  places: ReadonlyMap<string | null, number>,
): ReadonlySet<number> {
  const needs = afters.map((after) => [...new Set(after.flatMap((id) => places.get(id) ?? []))]);
  const left = needs.map(({ length }) => length);
  const waiting = afters.map((): number[] => []);
  for (const [index, each] of needs.entries()) for (const at of each) waiting[at]?.push(index);
  const free = left.flatMap((count, index) => (count === 0 ? [index] : []));
  // What becomes free meanwhile is walked too.
  for (const at of free)
    for (const next of waiting[at] ?? []) {
      left[next] = (left[next] ?? 0) - 1;
      if (left[next] === 0) free.push(next);
    }
  return new Set(left.flatMap((count, index) => (count > 0 ? [index] : [])));
}
