import { clauseWords, plainClause } from '../clauses/clause-words.js';
import type { Method } from '../methods.js';
import {
  phraseOf,
  slicePhrase,
  splitPhrase,
  type Phrase,
} from '../../../planning/documents/english/phrase.js';

const FIRM =
  /(?:(?<!\s)\s+)?;\s*|(?:(?<!\s)\s+)?\n\s*(?:[-*•]\s+)?|[.!]\s+|(?:(?:(?<!\s)\s+)?,|(?<![\s,]))\s+(?:and\s+)?then\b,?\s+|(?:(?:(?<!\s)\s+)?,|(?<![\s,]))\s+(?:and\s+)?(?:afterwards|after that|finally|lastly|next)\b,\s+/gi;
const LOOSE = /(?:(?<!\s)\s+)?,\s+(?:(?:and|&)\s+)?|(?<!\s)\s+(?:and|&)\s+/gi;

/** Characters of a clause among which its verb is looked for. */
const BEGINNING = 200;

/**
 * The clauses of a browser request in order: between semicolons, line breaks, full stops, "then" and the numbers of a
 * list; and at a comma or "and" when what follows begins with a verb of one of `methods`. Quotations, addresses,
 * decimals and what stands in brackets are never split.
 */
export function splitRequest(text: string, methods: readonly Method[]): readonly Phrase[] {
  const isVerb = verbTest(methods);
  return splitNumbered(phraseOf(text))
    .flatMap((item) => splitPhrase(item, FIRM))
    .flatMap((part) => splitLoosely(part, isVerb))
    .map(plainClause)
    .filter((clause) => clause.text !== '');
}

/** The items of "1. A 2. B"; a number that does not go on from the one before is a number of the text. */
function splitNumbered(phrase: Phrase): readonly Phrase[] {
  if (!/^1[.)]\s/.test(phrase.mask))
    return [slicePhrase(phrase, /^[-*•]\s+/.exec(phrase.mask)?.[0].length ?? 0)];
  const items: Phrase[] = [];
  let from = 0;
  for (const match of phrase.mask.matchAll(/(?<![^\s,;:])(\d{1,3})[.)]\s+/g)) {
    if (Number(match[1]) !== items.length + (from === 0 ? 1 : 2)) continue;
    if (from > 0) items.push(slicePhrase(phrase, from, match.index));
    from = match.index + match[0].length;
  }
  return [...items, slicePhrase(phrase, from)];
}

function splitLoosely(phrase: Phrase, isVerb: (clause: Phrase) => boolean): readonly Phrase[] {
  const parts: Phrase[] = [];
  let from = 0;
  for (const joint of phrase.mask.matchAll(LOOSE)) {
    const after = joint.index + joint[0].length;
    if (joint.index <= from || !isVerb(plainClause(slicePhrase(phrase, after, after + BEGINNING)))) continue;
    parts.push(slicePhrase(phrase, from, joint.index));
    from = after;
  }
  return [...parts, slicePhrase(phrase, from)];
}

function verbTest(methods: readonly Method[]): (clause: Phrase) => boolean {
  const verbs = methods.flatMap(({ patterns }) => patterns.flatMap((pattern) => pattern.verbs));
  return (clause) => {
    const words = clauseWords(clause);
    return verbs.some(
      (verb) => verb.length > 0 && verb.every((word, index) => words[index]?.normal === word),
    );
  };
}
