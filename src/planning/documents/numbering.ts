import type { DocumentItem } from './document-item.js';
import { sequenceNumber } from './item-names.js';

/** A number that a heading or an item begins with, as numberings are written, and what stands behind it. */
const BEGINS = /^(\d{1,9}(?:\.\d{1,9}){0,9})[.)]?\s+(?=\S)/;
/** What a number counts that stands before it: "99.9 % uptime", "2.5 GB". */
export const COUNTED = String.raw`(?:[%‰°€$£¥×]|(?:[kKMGTP]i?[Bb](?:it)?|ms|µs|s|sec|min|h|hrs?|px|r?em|x|fps|[mck]?m|k?g|[kMG]?Hz|seconds?|minutes?|hours?|days?|weeks?|months?|years?|percent|euros?|dollars?|USD|EUR|[mb]illion)(?![^\W\d_]))`;
const COUNTS = new RegExp(String.raw`^\d{1,9}\.\d{1,9}\s+${COUNTED}`, 'u');

/** Returns the items with their numbers, and a note at those whose first number belongs to what they say, as no other is numbered next to it. */
export function withOwnNumbers(
  items: readonly DocumentItem[],
  lines: readonly string[],
): readonly DocumentItem[] {
  const numbers = new Set<string>();
  collect(items, numbers);
  return noted(items, numbers, lines);
}

function collect(items: readonly DocumentItem[], numbers: Set<string>): void {
  for (const { description, children } of items) {
    const number =
      numberOf(description.replace(/^\P{L}{0,8}?(?=\d)/u, '')) ?? sequenceNumber(description)?.position;
    if (number !== undefined) numbers.add(number.join('.'));
    collect(children, numbers);
  }
}

function noted(
  items: readonly DocumentItem[],
  numbers: ReadonlySet<string>,
  lines: readonly string[],
): readonly DocumentItem[] {
  return items.map((item) => {
    const number = numberOf(item.description);
    const isOwn = number !== undefined && (COUNTS.test(item.description) || !isNumbered(number, numbers));
    const inList =
      item.kind === 'item' ? IN_LIST.exec(lines[item.source.start_line - 1] ?? '')?.[1] : undefined;
    const all = [...(isOwn ? [] : [number?.join('.')]), inList].filter((each) => each !== undefined);
    return {
      ...item,
      children: noted(item.children, numbers, lines),
      ...(isOwn ? { hasOwnNumber: true } : {}),
      ...(all.length === 0 ? {} : { numbers: all }),
    };
  });
}

/** The number of an item in its list. */
const IN_LIST = /^[\s>]{0,200}(?:[-*+]\s+)?(\d{1,9})[.)]\s/;

function numberOf(description: string): readonly number[] | undefined {
  return BEGINS.exec(description)?.[1]?.split('.').map(Number);
}

/** Whether a number is the first below another, or one next to it is there, and so is the first of them: 1.2 beside 1.1 and 1.3. */
function isNumbered(number: readonly number[], numbers: ReadonlySet<string>): boolean {
  const above = number.slice(0, -1);
  const last = number.at(-1) ?? 0;
  const has = (at: number) => numbers.has([...above, at].join('.'));
  const isNext = has(last - 1) || has(last + 1);
  if (above.length === 0) return last <= 1 || isNext;
  const isBelow = numbers.has(above.join('.'));
  const [chapter = 0] = number;
  // "1.0 Scope" beside "2.0 Plan".
  const areChapters = [chapter - 1, chapter + 1].some((each) => numbers.has(`${each}.${last}`));
  if (number.length === 2 && last <= 1 && areChapters) return true;
  return last <= 1 ? isBelow || isNext : isNext && (isBelow || has(0) || has(1));
}
