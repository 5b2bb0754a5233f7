import { capitalized } from '../../../kernel/text/capitalized.js';
import {
  isAmbiguousVerb,
  isDeterminer,
  isParticle,
  isPreposition,
  isSubordinator,
  isVerb,
} from './lexicon.js';
import { protect } from './protect.js';

/** A stretch of a goal beside the same stretch with what must not be split hidden; both have one length. */
export interface Phrase {
  readonly text: string;
  readonly mask: string;
}

/** `text` as a phrase, with what must survive splitting hidden. */
export function phraseOf(text: string): Phrase {
  const trimmed = text.trim();
  return { text: trimmed, mask: protect(trimmed) };
}

/** The part from `start` to `end` without spaces, commas or stops around it. */
export function slicePhrase({ text, mask }: Phrase, start: number, end = text.length): Phrase {
  const slice = mask.slice(start, end);
  const from = start + (/^[\s,;]*/.exec(slice)?.[0].length ?? 0);
  const until = Math.max(from, start + slice.replace(/(?<![\s,;])[\s,;]+$/, '').replace(/[.!]$/, '').length);
  return { text: text.slice(from, until), mask: mask.slice(from, until) };
}

/** The phrases between the matches of a global `separator`, which is looked for outside what is hidden. */
export function splitPhrase(phrase: Phrase, separator: RegExp): readonly Phrase[] {
  const parts: Phrase[] = [];
  let from = 0;
  for (const match of phrase.mask.matchAll(separator)) {
    parts.push(slicePhrase(phrase, from, match.index));
    from = match.index + match[0].length;
  }
  return [...parts, slicePhrase(phrase, from)];
}

const FILLER =
  /^(?:(?:please|first|firstly|second|secondly|third|thirdly|then|next|finally|lastly|also|now|and)\b,?\s+)+/i;

/** The phrase without "please", "first", "then" and the like before it. */
export function trimmedPhrase(phrase: Phrase): Phrase {
  return slicePhrase(phrase, FILLER.exec(phrase.mask)?.[0].length ?? 0);
}

/** The words of a phrase; what is hidden counts as a word. */
export function wordsOf({ mask }: Phrase): readonly string[] {
  return mask.match(/[^\s,;:!?]{1,1000}/g) ?? [];
}

/** The words from the leading verb on, an adverb before it left out: "carefully check it" begins with "check". */
function imperativeWords(phrase: Phrase): readonly string[] {
  const words = wordsOf(phrase);
  const [first = '', second = ''] = words;
  return /ly$/i.test(first) && !isVerb(first) && isVerb(second) ? words.slice(1) : words;
}

/** Whether the phrase begins with a verb that tells somebody to do something. */
export function isImperative(phrase: Phrase): boolean {
  const words = imperativeWords(phrase);
  const [first = '', second = ''] = words;
  // "Budget is 2000 euros" states something, and "Do not store it" forbids it.
  if (FINITE.test(second) || /^(?:do\s+not|don['’]t|never)\b/i.test(phrase.mask)) return false;
  return isVerb(first) || isDoneToIt(words);
}

const FINITE = /^(?:is|are|was|were|has|have|had|should|must|can|cannot|will|would|may)$/i;

const NO_VERB =
  /^(?:is|are|was|were|be|been|am|do|does|did|has|have|had|will|shall|let|and|or|but|nor|yet|so|then|than|not|no|yes|what|who|how|why|maybe|perhaps|also|only|just|even|still|once|otherwise|however)$/i;

/** An unknown word right before "it" or "them" is a verb: "hand it over". */
function isDoneToIt([first = '', second = '', third = '']: readonly string[]): boolean {
  const object = isParticle(second) ? third : second;
  const isWord = /^[\p{L}-]{3,}$/u.test(first) && !NO_VERB.test(first);
  const isOther = isPreposition(first) || isSubordinator(first) || isDeterminer(first);
  return isWord && !isOther && /^(?:it|them)$/i.test(object);
}

/** Verbs after which "to" shows that they are no nouns. */
const GO_TO = new Set(['deploy', 'export', 'travel', 'drive', 'sail', 'walk', 'go']);

/** Whether the phrase begins with a verb and an object, and cannot be read as a noun with its modifier. */
export function isClearClause(phrase: Phrase): boolean {
  const words = imperativeWords(phrase);
  const [verb = '', second, third] = words;
  if (isDoneToIt(words)) return true;
  if (!isVerb(verb) || second === undefined || /^(?:and|or|&)$/i.test(second)) return false;
  if (!isAmbiguousVerb(verb)) return true;
  if (second.toLowerCase() === 'to') return GO_TO.has(verb.toLowerCase());
  return isDeterminer(second) || (isParticle(second) && third !== undefined);
}

/** Verbs whose object may have a verb of its own: "help the team plan and run it". */
const CAUSATIVE = new Set(
  `help let watch make get ensure verify check confirm teach tell ask remind enable encourage persuade convince demonstrate
  explain describe prove decide guarantee find show`.split(/\s+/),
);

/** Whether a verb after "and" may belong to a clause inside the phrase, as in "a script to build it and deploy it". */
export function isOpenEnded(phrase: Phrase): boolean {
  const words = wordsOf(phrase);
  const causative = CAUSATIVE.has(words[0]?.toLowerCase() ?? '');
  const lower = words.map((word) => word.toLowerCase());
  if (lower.filter((word) => word === 'between' || word === 'both').length > countOf(lower, 'and'))
    return true;
  return words.some((word, index) => {
    const before = words[index - 1] ?? '';
    if (index === 0) return false;
    if (isSubordinator(word) || word.toLowerCase() === 'sure') return true;
    // "from PHP to Go": a name.
    if (!isVerb(word) || /^\p{Lu}/u.test(word)) return false;
    return before.toLowerCase() === 'to' || (causative && index > 1 && !isDeterminer(before));
  });
}

function countOf(words: readonly string[], word: string): number {
  return words.filter((other) => other === word).length;
}

/** Whether the phrase has a preposition other than the particle of its verb. */
export function hasPreposition(phrase: Phrase): boolean {
  return wordsOf(phrase).some((word, index) => isPreposition(word) && !(index === 1 && isParticle(word)));
}

/**
 * A phrase as a goal: with a capital letter if it begins with a verb in lower case; names such as "iPhone" stay.
 */
export function asGoal(text: string): string {
  const [first = ''] = text.split(' ');
  return isVerb(first) || first.endsWith('ly') || isDoneToIt(text.split(/\s+/)) ? capitalized(text) : text;
}
