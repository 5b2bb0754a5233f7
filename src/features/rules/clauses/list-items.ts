import { slicePhrase, splitPhrase, type Phrase } from '../../../planning/documents/english/phrase.js';

const COMMA = /(?:(?<!\s)\s+)?,\s+/g;
const LEADING_AND = /^(?:and|&|plus|as well as)\s+/i;
const LAST_WORDS = /(?<!\s)\s+(?:and also|and|&|plus|as well as)\s+/gi;

/**
 * The items of "A, B and C", "A, B, and C" or "A; B; and C". An item is never cut in two: where "and" may belong to an item
 * ("search and filtering") it stays in it. With a comma before the last "and", commas alone separate.
 */
export function splitItems(phrase: Phrase): readonly Phrase[] {
  if (/;\s/.test(phrase.mask))
    return splitPhrase(phrase, /(?:(?<!\s)\s+)?;\s+/g)
      .map(withoutAnd)
      .filter(hasText);
  const pieces = splitPhrase(phrase, COMMA).filter(hasText);
  const last = pieces.at(-1);
  if (last === undefined) return [];
  const closed = LEADING_AND.test(last.mask);
  const items = closed ? [withoutAnd(last)] : splitLast(last);
  return [...pieces.slice(0, -1).map(withoutAnd), ...items].filter(hasText);
}

/** The last piece of a list whose last two items no comma parts; with more than one "and" it may be either, and stays. */
function splitLast(last: Phrase): readonly Phrase[] {
  const joints = [...last.mask.matchAll(LAST_WORDS)];
  const [joint] = joints;
  if (joint === undefined || joints.length > 1) return [last];
  const first = slicePhrase(last, 0, joint.index);
  // "an export to CSV with headers and totals": the "and" is inside what is said of the item.
  if (/\s(?:with|including|between|both|of|from)\s/i.test(first.mask)) return [last];
  return [first, slicePhrase(last, joint.index + joint[0].length)];
}

function withoutAnd(item: Phrase): Phrase {
  return slicePhrase(item, LEADING_AND.exec(item.mask)?.[0].length ?? 0);
}

function hasText({ text }: Phrase): boolean {
  return text !== '';
}

/** "A, B and C"; with a comma before the "and" where an item has one of its own. */
export function joinItems(items: readonly string[]): string {
  if (items.length < 2) return items.join('');
  const own = items.some((item) => /\s(?:and|&)\s/i.test(item));
  const closing = own ? ', and ' : ' and ';
  return `${items.slice(0, -1).join(', ')}${closing}${items.at(-1)}`;
}
