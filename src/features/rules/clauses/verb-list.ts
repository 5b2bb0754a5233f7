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

/** "Design, build and deploy the app" and "Write A and publish B": a clause of each verb of a list, or of each of its nouns. */
export function splitVerbList(phrase: Phrase): readonly Clause[] | undefined {
  return shareObject(phrase) ?? splitAtVerbs(phrase) ?? distributeVerb(phrase)?.map((text) => clause(text));
}

/** "Design, build and deploy the app": the verbs are done to one object, in order. */
function shareObject(phrase: Phrase): readonly Clause[] | undefined {
  const pieces = splitPhrase(phrase, LIST_SEPARATOR);
  const last = pieces.at(-1);
  const verbs = pieces.slice(0, -1);
  if (last === undefined || verbs.length === 0) return undefined;
  if (!verbs.every((verb) => wordsOf(verb).length === 1 && isVerb(verb.mask))) return undefined;
  const [lastVerb = '', next = ''] = wordsOf(last);
  const clear = isDeterminer(next) || (verbs.length > 1 && !isAmbiguousVerb(lastVerb));
  if (!isVerb(lastVerb) || !clear || isPreposition(next)) return undefined;
  const object = last.text.slice(lastVerb.length).trim();
  if (object === '') return undefined;
  const later = object.replace(/^an?\s+/i, 'the ');
  return [...verbs.map(({ text }) => text), last.text.slice(0, lastVerb.length)].map((verb, index) =>
    index === 0 ? clause(`${verb} ${object}`) : clause(`${verb} ${later}`, [index]),
  );
}

/** Splits where a clause with a verb of its own begins; "it" after the verb makes it wait for the clause before. */
function splitAtVerbs(phrase: Phrase): readonly Clause[] | undefined {
  const clauses: Clause[] = [];
  const parallel = areParallel(splitPhrase(phrase, LIST_SEPARATOR));
  let from = 0;
  for (const joint of phrase.mask.matchAll(LIST_SEPARATOR)) {
    const left = slicePhrase(phrase, from, joint.index);
    const right = trimmedPhrase(slicePhrase(phrase, joint.index + joint[0].length));
    if (!(parallel || isClearClause(right)) || !isWholeClause(left, right, joint[0])) continue;
    if (HAS_LIST.test(left.mask) && !isBeyondList(right)) continue;
    clauses.push(clause(left.text, waitsFor(left, clauses.length)));
    from = joint.index + joint[0].length;
  }
  if (clauses.length === 0) return undefined;
  const last = trimmedPhrase(slicePhrase(phrase, from));
  return [...clauses, clause(last.text, waitsFor(last, clauses.length))];
}

/** A list of things may follow, among which "follow requests" is a thing and no clause. */
const RELATIVE_LIST =
  /\s(?:that|which)\s+(?:has|have|offers?|supports?|provides?|includes?|contains?|features?|comes? with)\s/i;
const HAS_LIST = new RegExp(`\\s(?:with|including|featuring|plus)\\s|${RELATIVE_LIST.source}`, 'i');
/** Verbs that begin a clause even behind a list, whatever follows them. */
const WORK = new Set(
  `write add create build implement deploy publish document migrate install configure integrate ensure make develop
  refactor optimise optimize containerise containerize dockerise dockerize announce`.split(/\s+/),
);

function isBeyondList(clause: Phrase): boolean {
  const [verb = '', second = '', third = ''] = wordsOf(clause);
  return WORK.has(verb.toLowerCase()) || isDeterminer(isParticle(second) ? third : second);
}

/** Whether three or more pieces all begin with a verb and one after the first is beyond doubt: then all are clauses. */
function areParallel(pieces: readonly Phrase[]): boolean {
  const clauses = pieces.map(trimmedPhrase);
  return (
    clauses.length > 2 &&
    !HAS_LIST.test(pieces[0]?.mask ?? '') &&
    clauses.every((piece) => isImperative(piece) && wordsOf(piece).length > 1) &&
    clauses.slice(1).some(isClearClause)
  );
}

/** Whether `left` has a verb and an object, and leaves nothing open that `right` may belong to. */
function isWholeClause(left: Phrase, right: Phrase, joint: string): boolean {
  const words = wordsOf(left);
  const endsInVerb = isVerb(words.at(-1) ?? '') && !isDeterminer(words.at(-2) ?? '');
  const firmRight = joint.includes(',') || isDeterminer(wordsOf(right)[1] ?? '');
  // "An API that has A and B" leaves nothing open: it has a list.
  const listed = { text: left.text, mask: left.mask.replace(RELATIVE_LIST, ' with ') };
  return isImperative(left) && words.length > 1 && !isOpenEnded(listed) && (!endsInVerb || firmRight);
}

/** What only the work before can have brought: "and present the findings". */
const OUTCOME = /^(?:findings?|results?|outcomes?|conclusions?|lessons)$/i;

function waitsFor(phrase: Phrase, before: number): readonly number[] {
  const [, ...rest] = wordsOf(phrase);
  const [object = '', noun = ''] = isParticle(rest[0] ?? '') ? rest.slice(1) : rest;
  const waits = /^(?:it|them)\b/i.test(object) || (/^(?:the|its|their)$/i.test(object) && OUTCOME.test(noun));
  return before > 0 && waits ? [before] : [];
}
