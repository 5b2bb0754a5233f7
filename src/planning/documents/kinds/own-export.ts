import { unescapeMarkdown } from '../../../kernel/text/escape-markdown.js';
import { accountFor } from '../../../kernel/text/line-account.js';
import type { LineAccount } from '../../../kernel/text/line-account.js';
import { parsePriority } from '../../../plan/readiness/priorities.js';
import type { DocumentItem, DocumentOutline } from '../document-item.js';
import { checkNesting } from '../markdown-nesting.js';

const HEAD = /^Plan `[0-9a-f]{8}` \(.{1,200}\): \d+ of \d+ atomic goals done\.\s*$/;
const ITEM = /^( *)[-*+] \[([ xX])\] (.*)$/;
const ID = /(?:^|\s)`([\w-]{1,64})`(?:\s|$)/;
const CRITERION = /^ *done when: (.*)$/;
const FAILED = '**failed**';

interface Draft {
  readonly depth: number;
  readonly line: number;
  last: number;
  readonly ticked: boolean;
  readonly id: string | null;
  readonly description: string;
  readonly after: readonly string[];
  readonly said: Pick<DocumentItem, 'priority' | 'onHold'>;
  readonly detail: string[];
  readonly acceptance: string[];
  readonly children: Draft[];
}

/**
 * Reads what `plan export --format markdown` writes: an item a goal, with what stands behind its id. What a goal waits for that
 * is not beside it, its size and why it failed are lines of its detail; a goal that failed is on hold. Null for any other text.
 */
export function readOwnExport(
  text: string,
  file: string,
): { readonly outline: DocumentOutline; readonly account: LineAccount } | null {
  const lines = text.replace(/^\uFEFF/, '').split(/\r\n|\n|\r/);
  const [title = '', , head = ''] = lines;
  if (!title.startsWith('# ') || !HEAD.test(head)) return null;
  checkNesting(text, file);
  const top = { ...draftOf(0, 0, ''), depth: -1 };
  const open: Draft[] = [top];
  const beside: number[] = [];
  for (const [index, line] of lines.entries()) {
    const item = index < 3 ? null : ITEM.exec(line);
    const depth = Math.floor((item?.[1]?.length ?? 0) / 2);
    if (item === null && /^\S/.test(line)) open.splice(1);
    if (item !== null) while ((open.at(-1)?.depth ?? -1) >= depth) open.pop();
    const current = open.at(-1) ?? top;
    const criterion = CRITERION.exec(line)?.[1];
    if (item !== null) {
      const draft = draftOf(depth, index + 1, item[3] ?? '', item[2] !== ' ');
      current.children.push(draft);
      open.push(draft);
    } else if (criterion !== undefined && current !== top)
      current.acceptance.push(unescapeMarkdown(withoutBreak(criterion)));
    else if (index > 2 && line.trim() !== '') {
      current.detail.push(line.trim());
      beside.push(index + 1);
    }
    for (const each of open) each.last = index + 1;
  }
  const [only, ...others] = top.children;
  const root = only?.id === 'root' && others.length === 0 ? only : top;
  const ids = new Map<string, string>();
  for (const each of below(top)) if (each.id !== null) ids.set(each.id, each.description);
  const detail = [...(root === top ? [] : root.detail), ...top.detail].join('\n\n');
  const outline = {
    title: unescapeMarkdown(title.slice(2)).trim(),
    source: { file, start_line: 1, end_line: lines.length },
    ...(detail === '' ? {} : { detail }),
    ...(root.acceptance.length === 0 ? {} : { acceptance: root.acceptance }),
    items: itemsOf(root.children, file, ids),
  };
  return { outline, account: accountFor([{ file, text, detail: beside, leftOut: [] }]) };
}

function* below(top: Draft): Generator<Draft> {
  for (const each of top.children) {
    yield each;
    yield* below(each);
  }
}

/** A goal as its line says. */
function draftOf(depth: number, line: number, said: string, ticked = false): Draft {
  const text = withoutBreak(said);
  const found = ID.exec(text);
  const behind = found === null ? '' : text.slice(found.index + found[0].length).trim();
  let notes = /^\((.*)\)$/.exec(behind)?.[1] ?? '';
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
  const priority = parsePriority(take('priority ') ?? '');
  const held = take('on hold: ', `; ${FAILED}`);
  const reason = take(FAILED, '');
  const failure = reason === null ? null : `failed${reason}`;
  return {
    depth,
    line,
    last: line,
    ticked,
    id: found?.[1] ?? null,
    description: unescapeMarkdown(found === null ? text : text.slice(0, found.index)).trim(),
    after: [...after.matchAll(/`([\w-]{1,64})`/g)].map(([, id = '']) => id),
    said: {
      ...(priority === null ? {} : { priority }),
      ...(held === null && failure === null ? {} : { onHold: held ?? failure ?? '' }),
    },
    detail: [
      ...(size === null ? [] : [`Size ${size}`]),
      ...(held === null || failure === null ? [] : [failure]),
      ...(notes === '' ? [] : [notes]),
    ],
    acceptance: [],
    children: [],
  };
}

function withoutBreak(line: string): string {
  let end = line.length;
  while (line[end - 1] === '\\') end -= 1;
  return (line.length - end) % 2 === 1 ? line.slice(0, -1) : line;
}

function itemsOf(
  drafts: readonly Draft[],
  file: string,
  ids: ReadonlyMap<string, string>,
): readonly DocumentItem[] {
  const places = new Map(drafts.map(({ id }, index) => [id, index]));
  const circular = inCircle(drafts, places);
  return drafts.map((draft, index): DocumentItem => {
    // Of goals that somebody made to wait for each other each waits for those before it alone.
    const isBeside = (id: string) =>
      places.has(id) && (!circular.has(index) || (places.get(id) ?? index) < index);
    const elsewhere = draft.after.filter((id) => !isBeside(id));
    const waits = elsewhere.map((id) => `Waits for: ${ids.get(id) ?? id}`);
    const detail = [...draft.detail, ...waits].join('\n\n');
    const children = itemsOf(draft.children, file, ids);
    return {
      kind: 'item',
      description: draft.description,
      source: { file, start_line: draft.line, end_line: draft.last },
      complete: draft.ticked && children.every(({ complete }) => complete),
      afterPrevious: false,
      after: draft.after.filter(isBeside).flatMap((id) => places.get(id) ?? []),
      isTask: true,
      children,
      ...(detail === '' ? {} : { detail }),
      ...(draft.acceptance.length === 0 ? {} : { acceptance: draft.acceptance }),
      ...draft.said,
    };
  });
}

/** Returns the places of the goals that wait for each other in a circle, or for such. */
function inCircle(drafts: readonly Draft[], places: ReadonlyMap<string | null, number>): ReadonlySet<number> {
  const needs = drafts.map(({ after }) => [...new Set(after.flatMap((id) => places.get(id) ?? []))]);
  const left = needs.map(({ length }) => length);
  const waiting = drafts.map((): number[] => []);
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
