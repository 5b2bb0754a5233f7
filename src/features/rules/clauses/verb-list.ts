import { clause } from './clause.js';
import type { Clause } from './clause.js';
import {
  isAmbiguousVerb,
  isDeterminer,
  isParticle,
  isPreposition,
  isVerb,
} from '../../../planning/documents/english/lexicon.js';
import { distributeVerb, LIST_SEPARATOR } from './noun-list.js';
import {
  isClearClause,
  isImperative,
  isOpenEnded,
  slicePhrase,
  splitPhrase,
  trimmedPhrase,
  wordsOf,
  type Phrase,
} from '../../../planning/documents/english/phrase.js';

/**
 * "Design, build and deploy the app" and "Write A and publish B": a clause of each verb of a list, or of each of its nouns. A
 * step of several may be a list without "and".
 */
export function splitVerbList(phrase: Phrase, isStep = false): readonly Clause[] | undefined {
  return (
    shareObject(phrase) ?? splitAtVerbs(phrase, isStep) ?? distributeVerb(phrase)?.map((text) => clause(text))
  );
}

/** "Design, build and deploy the app": three or more verbs are done to one object, in order; "find and fix it" is one. */
function shareObject(phrase: Phrase): readonly Clause[] | undefined {
  const pieces = splitPhrase(phrase, LIST_SEPARATOR);
  const last = pieces.at(-1);
  const verbs = pieces.slice(0, -1);
  if (last === undefined || verbs.length < 2) return undefined;
  if (!verbs.every((verb) => wordsOf(verb).length === 1 && isVerb(verb.mask))) return undefined;
  const [lastVerb = '', next = ''] = wordsOf(last);
  const clear = isDeterminer(next) || !isAmbiguousVerb(lastVerb);
  const object = last.text.slice(lastVerb.length).trim();
  if (!isVerb(lastVerb) || !clear || isPreposition(next) || object === '') return undefined;
  const later = object.replace(/^an?\s+/i, 'the ');
  return [...verbs.map(({ text }) => text), last.text.slice(0, lastVerb.length)].map((verb, index) =>
    index === 0 ? clause(`${verb} ${object}`) : clause(`${verb} ${later}`, [index]),
  );
}

/** Behind these a list of things may stand, among which "follow requests" is a thing and no clause. */
const RELATIVE_LIST =
  /\s(?:that|which)\s+(?:has|have|offers?|supports?|provides?|includes?|contains?|features?|comes? with)\s/i;
const HAS_LIST = new RegExp(`\\s(?:with|including|featuring|plus)\\s|${RELATIVE_LIST.source}`, 'i');

/** Splits where a clause with a verb and an object of its own begins; "it" after the verb makes it wait for the clause before. */
function splitAtVerbs(phrase: Phrase, isStep: boolean): readonly Clause[] | undefined {
  const joints = [...phrase.mask.matchAll(LIST_SEPARATOR)];
  const parallel = areParallel(splitPhrase(phrase, LIST_SEPARATOR));
  const starts = joints.filter(({ index, 0: joint }, at) => {
    const end = joints[at + 1]?.index ?? phrase.text.length;
    const right = trimmedPhrase(slicePhrase(phrase, index + joint.length, end));
    if (parallel) return true;
    const isFirm = HAS_LIST.test(phrase.mask.slice(0, index)) ? hasOwnObject(right) : !isNumber(right);
    const isToldOf = RELATIVE_S.test(phrase.mask.slice(0, index)) && /^\p{L}+[^s\P{L}]s\s/u.test(right.mask);
    return isFirm && isClearClause(right) && !isWhen(right) && !isToldOf;
  });
  if (starts.length === 0) return undefined;
  const froms = [0, ...starts.map(({ index, 0: joint }) => index + joint.length)];
  const parts = froms.map((from, at) => trimmedPhrase(slicePhrase(phrase, from, starts[at]?.index)));
  const isJoined = isStep || parts.length > 2 || /\b(?:and|&)\b/i.test(starts.at(-1)?.[0] ?? '');
  const areWhole = parts.every((part, at) => {
    const next = parts[at + 1];
    return next === undefined || isWholeClause(part, next, starts[at]?.[0] ?? '');
  });
  return isJoined && areWhole
    ? parts.map((part, at) => clause(part.text, waitsFor(part, at, parts[at - 1])))
    : undefined;
}

/** Whether three or more pieces all begin with a verb and one after the first is beyond doubt: then all are clauses. */
function areParallel(pieces: readonly Phrase[]): boolean {
  const clauses = pieces.map(trimmedPhrase);
  return (
    clauses.length > 2 &&
    !HAS_LIST.test(pieces[0]?.mask ?? '') &&
    clauses.every((piece) => isImperative(piece) && wordsOf(piece).length > 1 && !isNumber(piece)) &&
    clauses.slice(1).some(isClearClause)
  );
}

/** "move in before August" says when, and of nothing else. */
function isWhen(phrase: Phrase): boolean {
  const [, particle = '', next = ''] = wordsOf(phrase);
  return isParticle(particle) && /^(?:before|by|until|after|in|on|within)$/i.test(next);
}

/** "budget 15k": a number behind what may be a noun is no object. */
function isNumber(phrase: Phrase): boolean {
  const [verb = '', second = ''] = wordsOf(phrase);
  return isAmbiguousVerb(verb) && /^\d/.test(second);
}

function hasOwnObject(phrase: Phrase): boolean {
  const [, second = '', third = ''] = wordsOf(phrase);
  return isDeterminer(isParticle(second) ? third : second);
}

/** Whether a clause has a verb and an object, and leaves nothing open that what follows may belong to. */
function isWholeClause(part: Phrase, next: Phrase, joint: string): boolean {
  const words = wordsOf(part);
  const endsInVerb = isVerb(words.at(-1) ?? '') && !endsInNoun(words);
  const isFirm = (joint.includes(',') || hasOwnObject(next)) && !/,\s+\S+$/.test(part.mask);
  return isImperative(part) && words.length > 1 && !leavesOpen(part) && (!endsInVerb || isFirm);
}

/** "a tool that converts A and publish it": the second verb would have an "s" if the tool did it. */
const RELATIVE_S = /\s(?:that|which|who)\s+\p{L}+s\s/iu;

/** "the shop", "the whole shop": a word that may be a verb is none there. */
function endsInNoun(words: readonly string[]): boolean {
  const [third = '', second = '', last = ''] = words.slice(-3);
  return isDeterminer(second) || (isDeterminer(third) && !isVerb(second) && isAmbiguousVerb(last));
}

/** What is asked about, up to the end: "interview ten managers about how they plan". */
const ASKED_ABOUT = /\sabout\s(?:how|what|why|when|where|which|who|whether)\s.*$/isu;

/** Whether what follows a clause may belong to it; "an API that has A and B" leaves nothing open: it has a list. */
export function leavesOpen({ text, mask }: Phrase): boolean {
  const closed = mask.replace(ASKED_ABOUT, '').replace(RELATIVE_LIST, ' with ').replace(RELATIVE_S, ' with ');
  return isOpenEnded({ text: text.slice(0, closed.length), mask: closed });
}

/** What is there no longer once the work before is done. */
const AWAY =
  /^(?:delete|remove|drop|retire|decommission|switch off|turn off|shut down|tear down|cancel|archive)\s+(?:the|our|my)\s+(?:old|former|previous|legacy|existing|current|present)\s/i;

/** What only the work before can have brought: "and present the findings". */
const OUTCOME = /^(?:findings?|results?|outcomes?|conclusions?|lessons)$/i;

/** Work that brings what is made something of: "sort the photos and make a book". */
const GATHERING =
  /^(?:sort|collect|gather|scan|digiti[sz]e|research|interview|survey|measure|analy[sz]e|transcribe|photograph|scrape|fetch|download|monitor|check|track|count|test)\s/i;
const OF_GATHERED =
  /^(?:make|create|write|print|publish|compile|put together|produce|assemble|present|share|(?:e-?mail|send|text)(?:\s+(?:me|us|them|everyone))?)\s+an?\s/i;

function waitsFor(phrase: Phrase, before: number, previous?: Phrase): readonly number[] {
  const [, ...rest] = wordsOf(phrase);
  const [object = '', noun = ''] = isParticle(rest[0] ?? '') ? rest.slice(1) : rest;
  const waits = /^(?:it|them)\b/i.test(object) || (/^(?:the|its|their)$/i.test(object) && OUTCOME.test(noun));
  const isAway = AWAY.test(phrase.mask);
  const isOfGathered = OF_GATHERED.test(phrase.mask) && GATHERING.test(previous?.mask ?? '');
  return before > 0 && (waits || isAway || isOfGathered) ? [before] : [];
}
