import { REQUIRES } from './demands.js';
import type { DocumentItem } from './document-item.js';
import { isDeterminer, isPreposition, isVerb, isAmbiguousVerb } from './english/lexicon.js';
import { isClearClause, phraseOf, wordsOf } from './english/phrase.js';
import { holdsBoxes, isTold } from './facts.js';
import { readItemName } from './item-names.js';
import { normalizedHeading } from './kinds/heading-kinds.js';
import { namesTasks } from './kinds/plan-sections.js';

const FINITE =
  /^(?:is|are|was|were|has|have|does|do|can|cannot|can't|will|won't|may|must|shall|should|never|always|remains?|stays?)$/i;
const MODAL =
  /\b(?:can|may|must|shall|should|will|needs? to|ha(?:s|ve) to|(?:is|are) (?:able|allowed|required) to)\b/i;
/** What is so, or is done, in a case: "If not, look for the folder". */
const CONDITION = /^(?:if|when|whenever|unless|otherwise)\b/i;
/** What has become so: "The old shelf is gone", "Jars now need lids". */
const CHANGED = /^(?:\S+ ){1,8}(?:now|no longer|(?:is|are) gone)\b/i;
/** How far into a text its verb is looked for. */
const REACH = 9;

/** Whether a text states what is so, or is to be so, and tells nobody to do it: "The server returns a clean URL". */
export function isStatement(text: string): boolean {
  if (CONDITION.test(text)) return true;
  const phrase = phraseOf(text);
  if (isClearClause(phrase) || /^as an? /i.test(text)) return false;
  const words = wordsOf(phrase).slice(0, REACH);
  if (CHANGED.test(text)) return true;
  return words.some((word, index) => {
    if (index === 0) return startsWithDeed(words);
    return FINITE.test(word) || isThirdPerson(word, words[index - 1] ?? '', words[index + 1]);
  });
}

/** Whether a text begins with what something does: "Creates daily return pressure", and not "Tests for the parser". */
function startsWithDeed([first = '', second]: readonly string[]): boolean {
  return /^\p{Lu}?\p{Ll}+s$/u.test(first) && isThirdPerson(first.toLowerCase(), '', second);
}

const PRONOUN = /^(?:it|he|she|this|that|which|who|nobody|everybody|each)$/i;

/** Whether a word is a verb of somebody's where it stands: "returns the page", but not "search results page". */
function isThirdPerson(word: string, before: string, after: string | undefined): boolean {
  if (isVerb(word)) return isPlural(word, before) && after !== undefined && isDeterminer(after);
  const stem = /^(\p{Ll}{2,}?)(?:(?<=[sxz]|sh|ch)es|s)$/u.exec(word)?.[1];
  if (stem === undefined) return false;
  const verb = [stem, `${stem}e`, stem.replace(/ie$/, 'y')].find(isVerb);
  if (verb === undefined) return false;
  if (PRONOUN.test(before)) return true;
  if (isDeterminer(before) || isPreposition(before)) return false;
  return !isAmbiguousVerb(verb) || (after !== undefined && isDeterminer(after));
}

function isPlural(verb: string, before: string): boolean {
  return !isAmbiguousVerb(verb) && /[^s]s$/.test(before);
}

const isPlain = ({ kind, isTask, children }: DocumentItem): boolean =>
  kind === 'item' && isTask !== true && children.length === 0;

/** Whether most of a list states what is so, none of it a box, a row or a part with parts. */
function areStated(items: readonly DocumentItem[]): boolean {
  const stated = items.filter(({ description }) => isStatement(readItemName(description).text));
  return items.length > 1 && items.every(isPlain) && stated.length * 3 >= items.length * 2;
}

/** Whether a list says now and then what something does, and nowhere what to do: "Traditional swaps", "Guarantees safety". */
function areDescribed(items: readonly DocumentItem[]): boolean {
  const texts = items.map(({ description }) => readItemName(description).text);
  return (
    items.length > 1 &&
    items.every(isPlain) &&
    texts.some((text) => startsWithDeed(wordsOf(phraseOf(text)))) &&
    !texts.some((text) => isClearClause(phraseOf(text)) || MODAL.test(text) || REQUIRES.test(text))
  );
}

/** Whether numbered items tell how something goes, step by step: who does what, and what happens then. */
export function isFlow(item: DocumentItem): boolean {
  const items = item.children;
  const isNumbered = items.length > 2 && items.slice(1).every(({ afterPrevious }) => afterPrevious);
  if (!isNumbered || items.some((each) => each.isTask === true || holdsBoxes(each))) return false;
  const isCalledSo =
    /\b(?:flow|workflow|lifecycle)$/.test(normalizedHeading(item.description)) &&
    !isTold({ ...item, children: [] });
  const required = items.filter(({ description }) => REQUIRES.test(description));
  return isCalledSo
    ? items.filter(isTold).length * 2 < items.length
    : required.length * 2 < items.length && areStated(items.map((each) => ({ ...each, children: [] })));
}

/**
 * Whether a list says by what one sees that what the heading above it names is done: the words of the heading tell somebody
 * to do it, or the list says how it is then, and no more what somebody must or can do.
 */
export function areCriteriaOf({ description, kind }: DocumentItem, items: readonly DocumentItem[]): boolean {
  if (kind === 'item' && /\b(?:that|which)[:：]?$/i.test(description) && items.every(isPlain)) return true;
  if (
    !(areStated(items) || areDescribed(items)) ||
    /\b(?:action item|next step|task|to ?do)$/.test(normalizedHeading(description))
  )
    return false;
  const deeds = items.filter((item) =>
    startsWithDeed(wordsOf(phraseOf(readItemName(item.description).text))),
  );
  if (kind !== 'heading' && deeds.length * 3 < items.length * 2) return false;
  const names = items.map((item) => readItemName(item.description));
  if (names.some(({ text, tags }) => tags.length > 0 || tellsAnyway(text))) return false;
  const modal = names.filter(({ text }) => MODAL.test(text));
  return isClearClause(phraseOf(readItemName(description).text)) || modal.length * 2 < items.length;
}

/** Whether a text tells somebody what to do, whatever the case. */
function tellsAnyway(text: string): boolean {
  return !CONDITION.test(text) && isClearClause(phraseOf(text));
}

/** How a user story begins. */
const STORY = /^\W*(?:as an? |als |en tant qu|como |как |作为|作為|として)/i;

/** Whether a text is a user story. */
export function isStory(text: string): boolean {
  return STORY.test(text) && /[,，、]/.test(text);
}

/** Whether a list of statements or stories is numbered only so that one can speak of them. */
export function areCounted(items: readonly DocumentItem[]): boolean {
  const stated = items.filter(({ description }) => isStatement(description) || STORY.test(description));
  return items.length > 1 && stated.length * 3 >= items.length * 2;
}

/** What names things below it: "Each app has the following fields". */
const FOLLOWING = /\bfollowing(?: \p{L}+){0,3}(?: \([^()]{1,80}\))?[:：]?$/iu;

/** What ends before the things that it has: "Profile with:". */
const HAS_PARTS =
  /\b(?:with|including|includes?|containing|contains|consisting of|consists of|such as)(?: (?:\p{L}+ ){0,3}(?:fields?|properties|attributes|columns|parameters|values))?[:：]$/iu;

/** Whether the parts of an item say of what it speaks before a colon, and no more work: "Write tests for:". */
export function specifies(item: DocumentItem, lines: readonly string[]): boolean {
  const { kind, description, children } = item;
  const names = FOLLOWING.test(description) || HAS_PARTS.test(description);
  if (kind !== 'item' || children.length === 0 || !(names || /[:：]$/.test(description))) return false;
  if (namesTasks(description)) return false;
  const isTelling = isTold({ ...item, description: readItemName(description).text, children: [] });
  const arePieces = children.every((child) => /^[\p{Ll}\d]/u.test(child.description));
  return (
    (isTelling || arePieces || names) &&
    children.every(
      (child) =>
        (isPlain(child) || (names && child.isTask !== true && child.children.every(isPlain))) &&
        !isTold(child) &&
        !staysBesideCode(child, lines),
    )
  );
}

/** What an item says that only explains the words below it: "Terms:", "Each app has the following fields". */
const DEFINES =
  /\b(?:terms?|definitions?|semantics|meanings?|fields?|parameters?|arguments?|attributes?|properties|columns?|values?|levels?|legend)\b[^:：]{0,40}[:：]?$/i;
const TERM_FIRST =
  /^[\s>]*(?:[-*+]|\d{1,9}[.)])\s+(?:\*\*[^*]+\*\*|__[^_]+__|`[^`]+`|[\p{L}\d_][\p{L}\d_ -]{0,29})\s*(?:[:–—]|\s-\s)/u;

/** Whether the parts of an item say what the words are that it speaks of: "**Term** – what it is". */
export function areDefined(item: DocumentItem, lines: readonly string[]): boolean {
  const { kind, description, children, isTask } = item;
  const isLine = ({ source }: DocumentItem) => TERM_FIRST.test(lines[source.start_line - 1] ?? '');
  const isNamed = kind === 'item' && isTask !== true && children.length > 1 && DEFINES.test(description);
  return (
    isNamed &&
    !isTold({ ...item, children: [] }) &&
    children.every((child) => isPlain(child) && isLine(child))
  );
}

const CODE_FIRST =
  /^[\s>]*(?:[-*+]|\d{1,9}[.)])\s+(?:\*\*)?`[^`]+`(?:\*\*)?\s*(?:$|[:(–—→`-]|(?!(?:to|is|are|was|passes|returns|works|can|will)\b)\p{Ll})/u;
/** The words that follow a name of code with nothing between. */
const AFTER_CODE = /^[\s>]*(?:[-*+]|\d{1,9}[.)])\s+(?:\*\*)?`[^`]+`(?:\*\*)?\s+(\p{Ll}+)/u;

/** Whether a list says what names of code are: an option, a file, a field. One in five may say something else. */
export function describeCode(items: readonly DocumentItem[], lines: readonly string[]): boolean {
  const others = items.filter((item) => staysBesideCode(item, lines) || !beginsWithCode(item, lines));
  return items.length > 1 && others.length * 5 <= items.length && items.every(isPlain);
}

/** Whether an item among those that describe code tells somebody what to do: with code, or besides it. */
export function staysBesideCode(item: DocumentItem, lines: readonly string[]): boolean {
  const verb = AFTER_CODE.exec(lines[item.source.start_line - 1] ?? '')?.[1] ?? '';
  return isVerb(verb) || REQUIRES.test(item.description) || (!beginsWithCode(item, lines) && isTold(item));
}

function beginsWithCode({ source }: DocumentItem, lines: readonly string[]): boolean {
  return CODE_FIRST.test(lines[source.start_line - 1] ?? '');
}

/** Whether a heading states what is so: "Agents make this urgent". */
export function isClaim(heading: string): boolean {
  const { text } = readItemName(heading);
  return isStatement(text) && !MODAL.test(text);
}

/** Whether a sentence of a text, outside code, tables and quotations, tells somebody what to do or requires it. */
export function proseTells(text: string): boolean {
  let fence: string | undefined;
  const prose = text.split('\n').filter((line) => {
    const mark = /^ {0,3}(`{3,}(?=[^`]*$)|~{3,})/.exec(line)?.[1];
    if (mark !== undefined && (fence === undefined || mark.startsWith(fence)))
      fence = fence === undefined ? mark : undefined;
    return mark === undefined && fence === undefined && !/^ {0,3}[|>]/.test(line);
  });
  return prose
    .join('\n')
    .split(/(?<=[.!?:])\s+|\n\n/)
    .some(
      (sentence) =>
        [REQUIRES, WAITS].some((each) => each.test(sentence)) || isClearClause(phraseOf(sentence)),
    );
}

/** A sentence of what waits for something with a number, which only work does: "Depends on 1.2." */
const WAITS =
  /^[\s*_-]{0,6}(?:depends on|blocked by|waits for)[\s*_:]{1,6}(?:#|[A-Z]{1,10}-?|[a-z]{4,9} )?\d/i;

/** Returns how many items without parts tell somebody what to do. */
export function countTold(items: readonly DocumentItem[]): number {
  return items.reduce((sum, item) => sum + (isLeafTold(item) ? 1 : countTold(item.children)), 0);
}

function isLeafTold(item: DocumentItem): boolean {
  return item.children.length === 0 && item.kind !== 'heading' && isTold(item);
}
