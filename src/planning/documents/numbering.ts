import type { DocumentItem } from './document-item.js';
import { sequenceNumber } from './item-names.js';

/** A number that a heading or an item begins with, as numberings are written, and what stands behind it. */
const BEGINS = /^(\d{1,9}(?:\.\d{1,9}){0,9})[.)]?\s+(?=\S)/;
/** A number that counts what stands behind it: "99.9 % uptime", "2.5 GB". */
const COUNTS =
  /^\d{1,9}\.\d{1,9}\s+(?:[%‰°€$£¥×]|(?:[kKMGTP]i?[Bb](?:it)?|ms|µs|s|sec|min|h|hrs?|px|r?em|x|fps|[mck]?m|k?g|[kMG]?Hz|seconds?|minutes?|hours?|days?|weeks?|months?|years?|percent|euros?|dollars?|USD|EUR|[mb]illion)(?!\p{L}))/u;

/** Returns the items with a note at those whose first number belongs to what they say, as no other is numbered next to it. */
export function withOwnNumbers(items: readonly DocumentItem[]): readonly DocumentItem[] {
  const numbers = new Set<string>();
  collect(items, numbers);
  return noted(items, numbers);
}

function collect(items: readonly DocumentItem[], numbers: Set<string>): void {
  for (const { description, children } of items) {
    const number =
      numberOf(description.replace(/^\P{L}{0,8}?(?=\d)/u, '')) ?? sequenceNumber(description)?.position;
    if (number !== undefined) numbers.add(number.join('.'));
    collect(children, numbers);
  }
}

function noted(items: readonly DocumentItem[], numbers: ReadonlySet<string>): readonly DocumentItem[] {
  return items.map((item) => {
    const number = numberOf(item.description);
    const isOwn = number !== undefined && (COUNTS.test(item.description) || !isNumbered(number, numbers));
    return { ...item, children: noted(item.children, numbers), ...(isOwn ? { hasOwnNumber: true } : {}) };
  });
}

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
