import { paragraphsOf } from './criteria.js';
import type { DocumentItem } from './document-item.js';
import { isClearClause, phraseOf } from './english/phrase.js';
import { readItemName } from './item-names.js';
import { normalizedHeading } from './kinds/heading-kinds.js';
import type { SectionKind } from './kinds/heading-kinds.js';

/** What a sentence says that requires something. */
export const REQUIRES = /\b(?:must|shall|should|needs? to|ha(?:s|ve) to|required to)\b/i;
const DEMANDS = /\b(?:must|shall|(?:is|are) required to)\b/i;

/** What a sentence forbids, or allows alone: nobody can start on it, but what is done has to hold to it. */
const FORBIDS = /^never\b|^[^[→]{0,200}\b(?:must|shall|may) (?:\p{L}+ly )?(?:not|never|only|remain)\b/iu;

/** Whether an item without a box, a number or parts says only what must not be. */
export function isForbidding({ description, kind, isTask, afterPrevious, children }: DocumentItem): boolean {
  const isPlain = kind === 'item' && isTask !== true && !afterPrevious && children.length === 0;
  if (!isPlain || !FORBIDS.test(description) || isClearClause(phraseOf(description))) return false;
  return readItemName(description).tags.length === 0;
}

/** What the prose of a heading demands, as goals, where it would be lost among goals below or names no work itself. */
export function demandsOf(item: DocumentItem, kind: SectionKind, below: number): readonly DocumentItem[] {
  if (item.kind !== 'heading' || /^what to (?:build|do)$/.test(normalizedHeading(item.description)))
    return [];
  if (below > 0) return requirementsIn(item, DEMANDS).filter((each) => !isForbidding(each));
  return kind === 'container' ? requirementsIn(item, REQUIRES) : [];
}

/** What a sentence begins with that is not understood without the one before. */
const GOES_ON =
  /^(?:this|these|that|those|they|such|all other|both|otherwise|however|instead|therefore|thus|so|but|and|as a result|in that case)\b/i;

/** The sentences of a section of requirements in prose that require something, as goals. */
function requirementsIn({ detail, source }: DocumentItem, demand: RegExp): readonly DocumentItem[] {
  const prose = paragraphsOf(detail ?? '').filter(
    (text) => !/^(?:```|\||>|<|[*_]*description[*_]*:)/i.test(text),
  );
  const sentences = prose.flatMap((text) => text.split(/(?<=[.!])\s+(?=\p{Lu})/u));
  const required = sentences.filter((text) => demand.test(text) && text.length < 300 && !GOES_ON.test(text));
  const subjects = required.map(
    (text) => /^(?:The|An?|Each|Every)\s.{1,40}?(?=\s(?:must|shall|should)\b)/i.exec(text)?.[0],
  );
  const named = required.map((text, index) => {
    const subject = subjects.slice(0, index).findLast((each) => each !== undefined);
    return subject === undefined ? text : text.replace(/^It\b/, subject);
  });
  return named.map((description) => ({
    kind: 'item',
    description: description.replace(/[*`]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, '').replace(/\.$/, ''),
    source,
    complete: false,
    afterPrevious: false,
    children: [],
  }));
}
