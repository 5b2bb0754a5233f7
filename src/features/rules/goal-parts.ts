import { normalPhrase, readGoal } from './clauses/goal-words.js';
import { splitItems } from './clauses/list-items.js';
import { readDoing } from './clauses/made-thing.js';
import { phraseOf, slicePhrase, type Phrase } from '../../planning/documents/english/phrase.js';
import { expandGroups } from './clauses/word-groups.js';
import { isStatement } from './requirements/remarks.js';
import { isVerbPhrase } from './slots.js';

/** What a goal asks for besides the thing itself; each text is asked for once. */
export interface GoalParts {
  /** The first sentence of the goal without the parts below and without clauses, in the same words. */
  readonly core: string;
  /** The thing as one speaks of it afterwards: "the REST API". */
  readonly thing: string;
  readonly isThing: boolean;
  /** What the thing is to have: "authentication", "an admin dashboard". */
  readonly features: readonly string[];
  /** What it is to be made with: "React", "GitHub Actions". */
  readonly tools: readonly string[];
  /** The items of its list in order, whatever they are. */
  readonly items: readonly string[];
  /** Whether it says more than these parts: a clause or a further sentence. */
  readonly saysMore: boolean;
  /** What the thing is to do, or is for: "that reminds people of reviews", "where users can share lists". */
  readonly clause: string;
}

const HAVING =
  /(?<=\s)(?:with|including|featuring|plus|(?:that|which)\s+(?:has|have|offers?|supports?|provides?|includes?|contains?|features?|comes? with))\s+/gi;
const CLAUSE_BEGINS =
  /\s(?:(?:that|which)\s+(?!(?:has|have|offers?|supports?|provides?|includes?|contains?|features?|comes? with)\s)|(?:where|showing(?=\s)|displaying(?=\s)|so that|in which|on which)\s*)/iu;
const SENTENCE_END = /[.!?]\s+(?=\S)|(?:(?<!\s)\s+)?[;\n]\s*/;
const MANNER =
  /^(?:(?:the )?same|no|zero|minimal|little|as|at least|at most|less|more|fewer|only|just|care|ease|respect|regard|help|my|friends?|me|him|her|them)\b/i;
const NAMED_TOOL = /^[A-Z][A-Z\d_]*[a-z]\w*$/;
const TOOLS = new Set(expandGroups(['~technology']).map((word) => normalPhrase(word).join(' ')));

/** Reads what a goal asks for besides the thing itself: "with A, B and C", "that has D", "in Go". */
export function readParts(description: string): GoalParts {
  const said = phraseOf(readGoal(description).text);
  const { verb, thing, isThing, end } = readDoing(said.text);
  const { purpose, rest: whole } = readPurpose(said, end);
  const ends = [SENTENCE_END, CLAUSE_BEGINS].map((pattern) => whole.mask.search(pattern));
  const mainEnd = Math.min(whole.text.length, ...ends.filter((at) => at >= 0));
  const main = slicePhrase(whole, 0, mainEnd);
  const having = [...main.mask.matchAll(HAVING)].find(({ index }) => index >= end);
  const lists =
    having === undefined ? NOTHING : readList(slicePhrase(main, having.index + having[0].length), verb);
  const before = lists === NOTHING ? main : slicePhrase(main, 0, having?.index);
  const ways = readWays(before, end);
  return {
    core: [ways.rest, lists.rest].filter((part) => part !== '').join(' '),
    thing,
    isThing,
    features: lists.features,
    tools: [...ways.tools, ...lists.tools],
    items: lists.items,
    saysMore: purpose !== '' || mainEnd < whole.text.length,
    clause: purpose === '' ? clauseOf(slicePhrase(whole, mainEnd)) : purpose,
  };
}

const TO_DO = /\s(?:for\s(?:[^\s,;.:]+\s){1,4}?)?to\s+(?=\p{Ll})/giu;
const ENDS_CLAUSE = /,\s+(?=(?:with|including|featuring)\s)/i;
const ENDS_PURPOSE = /[.!?;\n]|(?:,|(?<![\s,]))\s+(?=(?:with|including|featuring)\s)/i;

/**
 * What a thing is for or does, "to remind people of reviews", "for nurses to swap shifts" or "that hides spoilers" before a list,
 * and the text without it.
 */
function readPurpose(phrase: Phrase, from: number): { readonly purpose: string; readonly rest: Phrase } {
  const said = phrase.mask.search(CLAUSE_BEGINS);
  const purpose = [...phrase.mask.matchAll(TO_DO)].find(
    ({ index, 0: opening }) => index >= from && isVerbPhrase(slicePhrase(phrase, index + opening.length)),
  );
  const start = Math.min(...[said, purpose?.index ?? -1].filter((at) => at >= 0));
  const length = phrase.mask.slice(start + 1).search(start === said ? ENDS_CLAUSE : ENDS_PURPOSE);
  if (
    !Number.isFinite(start) ||
    (start === said && (length < 0 || clauseOf(slicePhrase(phrase, start)) === ''))
  )
    return { purpose: '', rest: phrase };
  const end = length < 0 ? phrase.text.length : start + 1 + length;
  const words = phrase.text.slice(start + 1, end);
  return {
    purpose: words.startsWith('to ') ? `that is ${words}` : words,
    rest: phraseOf(phrase.text.slice(0, start) + phrase.text.slice(end)),
  };
}

/** What a text that follows the thing says of it; empty when it is a sentence of its own. */
function clauseOf({ text, mask }: Phrase): string {
  if (!/^\s?(?:that|which|where|showing|displaying)\s/i.test(mask)) return '';
  const end = mask.search(SENTENCE_END);
  const clause = text.slice(0, end < 0 ? text.length : end).trim();
  return clause.endsWith('.') ? clause.slice(0, -1) : clause;
}

interface Lists {
  readonly features: readonly string[];
  readonly tools: readonly string[];
  readonly items: readonly string[];
  /** What of the list belongs to the goal as a whole, such as "for a library". */
  readonly rest: string;
}

const NOTHING: Lists = { features: [], tools: [], items: [], rest: '' };
const OF_THE_WHOLE =
  /\s(?:for\s+(?:an?|our|my|the whole)\s|(?:in|on)\s+(?:our|my)\s|by\s+\S+day|in\s+\d|before\s|until\s|within\s)/i;
const ADDED_TO = /\s(?:to|into)\s+(?:the|our|my|your|its|their)\s/i;
const CLAUSE = /(?:^|\s(?:and|then)\s+)\S+\s+(?:\S+\s+)?(?:it|them)\b/i;

/** The items of a list; nothing when one of them says how the goal is to be reached: "with no downtime". */
function readList(list: Phrase, verb: string): Lists {
  const [last = list, ...others] = splitItems(list).toReversed();
  // "with Sentry for our app and our API": what it is for goes on behind the "and".
  if (others.some(({ mask }) => /\sfor\s+(?:our|my)\s/i.test(mask))) return NOTHING;
  const tails = /^(?:add|introduce|integrate)$/i.test(verb) ? [ADDED_TO, OF_THE_WHOLE] : [OF_THE_WHOLE];
  const positions = tails.map((tail) => last.mask.search(tail)).filter((position) => position > 0);
  const tail = positions.length === 0 ? last.text.length : Math.min(...positions);
  const end = list.text.length - last.text.length + tail;
  const items = splitItems(slicePhrase(list, 0, end));
  const ways = readWays(items.at(-1) ?? list, 1);
  const texts = [...items.slice(0, -1).map(({ text }) => text), ways.rest].filter((text) => text !== '');
  if (texts.length === 0 || texts.some((text) => MANNER.test(text) || isStatement(text))) return NOTHING;
  const features = texts.filter((text) => !isTool(text));
  const isMixed = tails.length > 1 && features.length > 0 && features.length < texts.length;
  if (isMixed || texts.some((text) => CLAUSE.test(text))) return NOTHING;
  return {
    features,
    tools: [...texts.filter(isTool), ...ways.tools],
    items: texts,
    rest: slicePhrase(list, end).text,
  };
}

/** Whether an item names what the work is done with rather than what comes of it: "React", "GitHub Actions". */
function isTool(item: string): boolean {
  return (
    isKnownTool(item) ||
    /^the [A-Z]\w*(?: \w+)? (?:stack|platform|framework|library|sdk|api|cli)$/i.test(item) ||
    item.split(/\s+/).every((word) => NAMED_TOOL.test(word))
  );
}

/**
 * Whether the parts of a goal can be read in two ways: an "and" may end what is said of a feature or go on with
 * the list, as in "payments with Stripe and search".
 */
export function isAmbiguous(text: string): boolean {
  const { mask } = phraseOf(text);
  return [OPENS_LIST, AND].some((pattern) => {
    const found = pattern.exec(mask);
    return found !== null && AND.test(mask.slice(found.index + found[0].length));
  });
}

const OPENS_LIST = /\s(?:with|including|featuring|between|both|of|from|in)\s/i;
const AND = /\s(?:and|&)\s/i;

interface Ways {
  readonly rest: string;
  readonly tools: readonly string[];
}

const WAY = /\s(?:in|using|via|based on|built with|written in|powered by)\s+/gi;

/** Takes "in Go", "using Postgres" and the like out of a phrase, from the last to the first. */
function readWays(phrase: Phrase, from: number): Ways {
  const ways = [...phrase.mask.matchAll(WAY)].filter(({ index }) => index >= from);
  const taken: (readonly string[])[] = [];
  let end = phrase.text.length;
  for (const way of ways.toReversed()) {
    const items = splitItems(slicePhrase(phrase, way.index + way[0].length, end)).map(({ text }) => text);
    const fits = way[0].trim().toLowerCase() === 'in' ? isKnownTool : isTool;
    if (items.length === 0 || !items.every(fits)) break;
    taken.push(items);
    end = way.index;
  }
  const rest = end === phrase.text.length ? phrase : slicePhrase(phrase, 0, end);
  return { rest: rest.text, tools: taken.toReversed().flat() };
}

function isKnownTool(item: string): boolean {
  return TOOLS.has(normalPhrase(item).join(' '));
}
