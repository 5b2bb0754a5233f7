import {
  isAmbiguousVerb,
  isDeterminer,
  isParticle,
  isPreposition,
  isVerb,
} from '../../../planning/documents/english/lexicon.js';
import { splitItems } from './list-items.js';
import {
  asGoal,
  isImperative,
  slicePhrase,
  splitPhrase,
  trimmedPhrase,
  wordsOf,
  type Phrase,
} from '../../../planning/documents/english/phrase.js';

/**
 * Whether a phrase can be an ability, a verb with what it is done to: "track expenses", "cover the parser";
 * "search" alone is a noun.
 */
export function isVerbPhrase(phrase: Phrase): boolean {
  const [first = '', second] = wordsOf(phrase);
  if (!isVerb(first) || second === undefined || isPreposition(second)) return false;
  if (!isAmbiguousVerb(first)) return true;
  // "version 19" and "page 2" are things.
  return (isDeterminer(second) && !/^\d/.test(second)) || isParticle(second) || /s$/i.test(second);
}

/**
 * Goals for what a thing is to do or to let people do, from the words behind "that", "where", "to" or a full stop.
 * What is said of it stays word for word, so that nothing is lost where it cannot be parted.
 */
export function readAbility(marker: string, said: Phrase, thing: string): readonly string[] {
  const word = marker.toLowerCase();
  if (said.text === '') return [];
  if (word === '.') return readSentence(said, thing);
  if (word === 'to') return partsOrWhole(said, (part) => `Make it possible to ${part}`);
  if (word === 'that' || word === 'which') return readRelative(said, thing);
  return readCan(said) ?? [`Make sure that ${said.text}`];
}

const LETS = /^(?:lets?|allows?|enables?|helps?)\s+/i;
const CAN = /(?<!\s)\s+(?:can|are able to|is able to|may)\s+/i;

/** "users can add tasks, share lists and set reminders". */
function readCan(said: Phrase): readonly string[] | undefined {
  const can = CAN.exec(said.mask);
  if (can === null || wordsOf(slicePhrase(said, 0, can.index)).length > 4) return undefined;
  const who = lowerFirst(said.text.slice(0, can.index));
  const what = slicePhrase(said, can.index + can[0].length);
  return what.text === '' ? undefined : partsOrWhole(what, (part) => `Let ${who} ${part}`);
}

/** A word that begins a sentence, as it is written inside one; names of several capitals stay. */
function lowerFirst(text: string): string {
  return /^(?:[A-Z][a-z]*s|Everyone|Everybody|Anyone|People|The|An?|Each|Every|All)\b/.test(text)
    ? text.charAt(0).toLowerCase() + text.slice(1)
    : text;
}

function readRelative(said: Phrase, thing: string): readonly string[] {
  const can = /^(?:can|could|should|must|will)\s+/i.exec(said.mask);
  if (can !== null) {
    const what = slicePhrase(said, can[0].length);
    if (isImperative(what)) return partsOrWhole(what, (part) => `Make ${thing} ${part}`);
  }
  const lets = LETS.exec(said.mask);
  if (lets !== null) return readLets(lets[0].trim(), slicePhrase(said, lets[0].length), said, thing);
  const pieces = splitItems(said);
  const parts =
    pieces.length > 1 && pieces.every((piece, index) => isThirdPerson(piece, index))
      ? pieces.map(({ text }) => text)
      : [said.text];
  return parts.map((part) => `Make sure that ${thing} ${part}`);
}

/** "lets users add tasks and share lists": who it is for, and what they do. */
function readLets(lets: string, rest: Phrase, said: Phrase, thing: string): readonly string[] {
  const words = wordsOf(rest);
  const at = words.findIndex(
    (word, index) => index > 0 && index < 5 && isVerb(word) && !isDeterminer(words[index - 1] ?? ''),
  );
  if (at < 0) return [`Make sure that ${thing} ${said.text}`];
  const start = placeOf(rest, words, at);
  const who = slicePhrase(rest, 0, start).text.replace(/(?<!\s)\s+to$/i, '');
  const verb = /^helps?$/i.test(lets) ? 'Help' : 'Let';
  return partsOrWhole(slicePhrase(rest, start), (part) => `${verb} ${who} ${part}`);
}

function placeOf({ mask }: Phrase, words: readonly string[], wanted: number): number {
  let position = 0;
  for (const word of words.slice(0, wanted + 1)) position = mask.indexOf(word, position) + word.length;
  return position - (words[wanted]?.length ?? 0);
}

/** "moderates chat": the verb of somebody who does it, and what it is done to. */
function isThirdPerson(piece: Phrase, index: number): boolean {
  const [first = '', second] = wordsOf(piece);
  if (second === undefined || !/[^s]s$/i.test(first)) return false;
  // The first stands right behind "that" and is a verb for certain; another may be a noun with its adverb.
  if (index === 0) return true;
  const stem = [first.replace(/s$/i, ''), first.replace(/es$/i, ''), first.replace(/ies$/i, 'y')].find(
    isVerb,
  );
  return stem !== undefined && (!isAmbiguousVerb(stem) || isDeterminer(second));
}

/**
 * A goal for each part of a list of verb phrases, the first of which is one for certain; one for the whole where the parts
 * are not all such phrases.
 */
function partsOrWhole(said: Phrase, goal: (part: string) => string): readonly string[] {
  const parts = splitItems(said);
  const apart =
    parts.length > 1 &&
    parts.every((part, index) => (index === 0 || isImperative(part)) && wordsOf(part).length > 1);
  return apart ? parts.map(({ text }) => goal(text)) : [goal(said.text)];
}

const REQUIRES = /\b(?:can|could|should|must|shall|needs? to|ha(?:s|ve) to|will|may)\b/i;
const OF_IT = /^(?:(?:it|they|this)\s+)?(?:should|must|shall|needs? to|ha(?:s|ve) to|will)\s+/i;

const NEXT_SUBJECT =
  /(?:,|(?<![\s,]))\s+(?:and|but)\s+(?=(?:(?:it|they|users?|people|[a-z]+s)\s+)?(?:can|should|must|shall|needs? to|ha(?:s|ve) to|will)\b)/gi;

/** What a sentence after the first asks for: nothing when it only remarks on something. */
function readSentence(sentence: Phrase, thing: string): readonly string[] {
  return splitPhrase(sentence, NEXT_SUBJECT).flatMap((part) => readStatement(part, thing));
}

function readStatement(sentence: Phrase, thing: string): readonly string[] {
  const plain = trimmedPhrase(sentence);
  if (isImperative(plain)) return [asGoal(plain.text)];
  if (!REQUIRES.test(sentence.mask)) return [];
  const ofIt = OF_IT.exec(sentence.mask);
  if (ofIt === null || thing === '') return readCan(sentence) ?? [sentence.text];
  const what = slicePhrase(sentence, ofIt[0].length);
  const [first = ''] = wordsOf(what);
  const rest = slicePhrase(what, first.length);
  if (/^(?:not|never)$/i.test(first))
    return [`Make sure that ${thing} ${/[^s]s$/i.test(thing) ? 'do' : 'does'} not ${rest.text}`];
  if (/^be$/i.test(first)) return [`Make ${thing} ${rest.text}`];
  if (/^(?:have|offer|provide|contain|include)$/i.test(first))
    return splitItems(rest).map(({ text }) => `Add ${text} to ${thing}`);
  return partsOrWhole(what, (part) => `Make ${thing} ${part}`);
}
