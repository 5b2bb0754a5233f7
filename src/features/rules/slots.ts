import { isAdjective } from '../../planning/documents/english/adjectives.js';
import { isStatement } from './requirements/remarks.js';
import { normalPhrase, type GoalWords } from './clauses/goal-words.js';
import { joinItems, splitItems } from './clauses/list-items.js';
import {
  isClearClause,
  isImperative,
  phraseOf,
  slicePhrase,
  wordsOf,
  type Phrase,
} from '../../planning/documents/english/phrase.js';
import {
  isAmbiguousVerb,
  isDeterminer,
  isParticle,
  isPreposition,
  isVerb,
  verbOfGerund,
} from '../../planning/documents/english/lexicon.js';
import { expandGroups } from './clauses/word-groups.js';
import { OPTIONAL_PART, type MethodFile, type SlotFile } from './method-schema.js';

/** What a goal says in the slots of a method: the items of a list, or one text. A slot not filled is not there. */
export type Slots = ReadonlyMap<string, readonly string[]>;

const MAX_WORDS = 12;

/** Reads the slots of a method from a goal: each takes the text from its preposition to that of another slot. */
export function fillSlots(goal: GoalWords, slots: MethodFile['slots']): Slots {
  const starts = startsOf(goal, slots);
  const filled = new Map<string, readonly string[]>();
  for (const [index, { name, slot, word, from }] of starts.entries()) {
    const text = goal.text.slice(from, starts[index + 1]?.at ?? goal.text.length);
    const isAdded = word !== 'to' && /^add\s/i.test(goal.text);
    const items = itemsOf(isAdded ? text.replace(ADDED_TO, '') : text, slot, word);
    if (items.length > 0 && !items.some(isStatement)) filled.set(name, items);
  }
  return filled;
}

/** Where what is added goes: "add tests for the parser to the build". */
const ADDED_TO = /\sto\s(?:the|our|my|an?|this)\s.*$/is;

/** Where the text of each slot begins; the first of its prepositions counts. */
function startsOf(goal: GoalWords, slots: MethodFile['slots']) {
  const starts: { name: string; slot: SlotFile; word: string; at: number; from: number }[] = [];
  const end = Math.min(endOfFirstClause(goal.text), startOfRelative(goal.text));
  for (const word of goal.words.filter(({ ends, start }) => ends && start < end)) {
    const found = Object.entries(slots).find(
      ([name, { after, time }]) =>
        !time &&
        !starts.some((start) => start.name === name) &&
        after.some((other) => normalPhrase(other)[0] === word.normal),
    );
    if (found !== undefined)
      starts.push({ name: found[0], slot: found[1], word: word.normal, at: word.start, from: word.end });
  }
  return starts;
}

/** "raise £1,000", "thank everybody": a verb, whatever else the word may be. */
const BEGINS_DEED = /^\p{L}+\s(?:[$€£]\d|every(?:body|one)\b)/u;

/** Where something is said of a thing: in "the program that runs on Windows" Windows is for nobody. */
function startOfRelative(text: string): number {
  return /\s(?:that|which|who|because|since)\s/i.exec(phraseOf(text).mask)?.index ?? text.length;
}

/** Where a second thing to do begins: in "Run a quiz and raise £1,000 for the playground" the quiz is for nobody. */
function endOfFirstClause(text: string): number {
  const phrase = phraseOf(text);
  for (const { index, 0: joint } of phrase.mask.matchAll(/(?:,|(?<![\s,]))\s+(?:and|&)\s+/gi))
    if (
      BEGINS_DEED.test(phrase.mask.slice(index + joint.length)) ||
      isClearClause(slicePhrase(phrase, index + joint.length))
    )
      return index;
  return text.length;
}

/** What says how or when rather than what: it is no part of a slot. */
const MANNER =
  /\s(?:(?:that|which|showing|displaying|who|whose|where|when|with|without|including|plus|such as|across|throughout|every|each|(?:in|for)\s(?:all\s)?(?:our|my)|by|before|after|between|instead of|rather than|within|until|using|via|while|so|because|in order to|if)\s|(?:with\s+)?(?:from|to|below|under|above|over)\s[$€£]?\d).*$/is;

/** Where a text stops naming a thing: where it says how, when or what for ("our developers to spin up servers"). */
function endOfThing(text: string): number {
  const purposes = [...text.matchAll(/\sto\s+(\p{Ll}+)(?=\s)/gu)];
  const purpose = purposes.find(([, verb = '']) => isVerb(verb));
  return Math.min(MANNER.exec(text)?.index ?? text.length, purpose?.index ?? text.length);
}

const ENDS_TEXT = /[;!?]\s|\.\s|\n|\s[–—-]\s|\s\((?=(?:with|including|featuring|such as|e\.g\.)\s)/;

function itemsOf(text: string, slot: SlotFile, word: string): readonly string[] {
  const sentence = phraseOf(text.split(ENDS_TEXT)[0] ?? '');
  const whole = untilClause(slot.list ? sentence : slicePhrase(sentence, 0, endOfThing(sentence.mask)));
  const comma = slot.list || isListOfThings(whole) ? -1 : whole.mask.search(/,\s/);
  if (comma >= 0 && goesOn(whole, comma, word)) return [];
  const phrase = comma < 0 ? whole : slicePhrase(whole, 0, comma);
  const items = slot.list ? splitItems(phrase) : [phrase];
  const distinct = new Map<string, string>();
  for (const item of items) {
    const words = normalPhrase(item.text);
    if (
      words.length === 0 ||
      /^(?:time (?:for|to)|order to)\b/i.test(item.text) ||
      HAS_NOTHING.test(item.text) ||
      isExcepted(item.text, slot.except)
    )
      continue;
    if (!slot.list && (words.length > MAX_WORDS || !isNounPhrase(item, word))) continue;
    if (!distinct.has(words.join(' '))) distinct.set(words.join(' '), item.text);
  }
  return [...distinct.values()];
}

/** "no car" and "two cats and no car" name what is not there, or not only what is. */
const HAS_NOTHING = /(?:^|[,\s])(?:no|without|not)\s/i;

/** What a place stands behind: "in Lisbon, Portugal" is one. */
const OF_PLACES = new Set(['in', 'at', 'from', 'to', 'near']);

/** Whether a comma stands inside what is named: "small, family-owned bakeries", "iOS, Android", "cats, dogs". */
function goesOn(phrase: Phrase, comma: number, before: string): boolean {
  const first = wordsOf(slicePhrase(phrase, 0, comma));
  if (first.every((word) => isDeterminer(word) || isAdjective(word))) return true;
  const rest = splitItems(slicePhrase(phrase, comma + 1)).map(({ text }) => text);
  return !OF_PLACES.has(before) && rest.every((item) => /^(?:\p{Lu}\S*|\S+s)(?:\s\S+)?$/u.test(item));
}

/** What stands before a clause of its own: "Node 22" of "Node 22 and drop support for Windows". */
function untilClause(phrase: Phrase): Phrase {
  for (const { index, 0: joint } of phrase.mask.matchAll(/(?:,|(?<![\s,]))\s+(?:and|&)\s+/gi))
    if (mayBeClause(slicePhrase(phrase, 0, index), slicePhrase(phrase, index + joint.length)))
      return slicePhrase(phrase, 0, index);
  return phrase;
}

/** A slot ends sooner than a sentence is made into two goals. */
function mayBeClause(before: Phrase, after: Phrase): boolean {
  const last = wordsOf(before).at(-1) ?? '';
  return isImperative(after) && wordsOf(after).length > 1 && !isAdjective(last);
}

/** Whether a text can stand where a template has a noun: "the shop", not "(to) cover the parser", "3 pm, weekly" or "17". */
function isNounPhrase(phrase: Phrase, before: string): boolean {
  // "by moving to smaller machines" says how.
  const isWay = before === 'by' && verbOfGerund(wordsOf(phrase)[0] ?? '') !== undefined;
  const isAction = isWay || (before === 'to' && isVerbPhrase(phrase));
  if (isListOfThings(phrase)) return true;
  // "log in with Google": the "in" belongs to the verb.
  if (isPreposition(wordsOf(phrase)[0] ?? '')) return false;
  return !isAction && !/[,:]\s/.test(phrase.mask) && !/^[\d.]+$/.test(phrase.text);
}

/** A verb with what it is done to: "track expenses", "cover the parser"; "search" alone is a noun. */
export function isVerbPhrase(phrase: Phrase): boolean {
  const [first = '', second] = wordsOf(phrase);
  if (!isVerb(first) || second === undefined || isPreposition(second)) return false;
  if (!isAmbiguousVerb(first)) return true;
  // "version 19" and "page 2" are things.
  return (isDeterminer(second) && !/^\d/.test(second)) || isParticle(second) || /s$/i.test(second);
}

/** "the API, the worker and the database": things of one kind, which can stand where one of them can. */
function isListOfThings(phrase: Phrase): boolean {
  const items = splitItems(phrase);
  const comma = phrase.mask.search(/,\s/);
  if (items.length < 3 || comma < 0 || !/\s(?:and|&)\s/i.test(phrase.mask.slice(comma + ', '.length)))
    return false;
  return items.every((item, index) => {
    const words = wordsOf(item);
    const [first = ''] = words;
    const isPlain =
      words.length < 5 && !/[:.]\s/.test(item.mask) && !/^(?:not|then|or|but|also)$|ly$/i.test(first);
    return (
      isPlain &&
      !words.some((word) => isPreposition(word)) &&
      !(index > 0 && isImperative(item) && words.length > 1)
    );
  });
}

/** Whether an item of a list in a slot is one of those that it leaves out, word for word. */
export function isExcepted(item: string, except: readonly string[]): boolean {
  const words = normalPhrase(item).join(' ');
  return expandGroups(except).some((other) => normalPhrase(other).join(' ') === words);
}

const SLOT = /\{([^{}]*)\}/g;

/**
 * `template` with each {slot} replaced by what `values` or its default says. A part in square brackets that names a slot is
 * left out unless `values` fills it: "of the API[ for {subject}]".
 */
export function fillTemplate(template: string, values: Slots, slots: MethodFile['slots']): string {
  const chosen = template.replace(OPTIONAL_PART, (_, part: string) =>
    slotsOfTemplate(part).every((name) => values.has(name)) ? part : '',
  );
  const agreeing = chosen.replace(
    /\{([^{}]*)\} ([a-z]+[^s\W])s(?=$| [a-z])/g,
    (whole, name: string, verb: string) =>
      isVerb(verb) && isSeveral(values.get(name) ?? []) ? `{${name}} ${verb}` : whole,
  );
  return agreeing.replace(SLOT, (whole, name: string) => {
    const items = values.get(name);
    return items === undefined ? (slots[name]?.default ?? whole) : joinItems(items);
  });
}

/** Whether the words of a slot name more than one thing, so that the verb behind them has no "s". */
function isSeveral(items: readonly string[]): boolean {
  const [first = ''] = items;
  // "admins", but not "Kubernetes".
  return (
    items.length > 1 ||
    /\s(?:and|&)\s/i.test(phraseOf(first).mask) ||
    /(?:^|\s)\p{Ll}+[^su\P{L}]s$/u.test(first)
  );
}

function slotsOfTemplate(template: string): readonly string[] {
  return [...template.matchAll(SLOT)].map(([, name = '']) => name);
}
