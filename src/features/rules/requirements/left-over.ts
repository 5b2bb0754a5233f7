import { contentStems } from '../../../kernel/text/content-stems.js';
import { readAbility } from '../clauses/abilities.js';
import { isAdjective } from '../../../planning/documents/english/adjectives.js';
import { normalPhrase } from '../clauses/goal-words.js';
import { isPreposition } from '../../../planning/documents/english/lexicon.js';
import { joinItems, splitItems } from '../clauses/list-items.js';
import {
  asGoal,
  isImperative,
  phraseOf,
  slicePhrase,
  trimmedPhrase,
  wordsOf,
  type Phrase,
} from '../../../planning/documents/english/phrase.js';
import type { Planned } from '../division.js';
import { piecesOf, type Piece } from './pieces.js';

/** What of a goal its sub-goals do not name. */
export interface LeftOver {
  /** Goals for it, in the goal's own words. */
  readonly goals: readonly string[];
  /** The goal without the words of these goals. */
  readonly rest: string;
  /** That what a list names is there, as words behind "that". */
  readonly checks: readonly string[];
  /** What must hold in the end. */
  readonly conditions: readonly string[];
}

/** What a goal is about, as far as sub-goals for what is left over need it. */
export interface About {
  /** The thing as one speaks of it: "the REST API". */
  readonly thing: string;
  /** Whether the goal makes the thing or adds to it, so that more can be added. */
  readonly isMade: boolean;
  /** Words by which the goal was recognised; they need not stand below it. */
  readonly known: readonly string[];
}

/** Reads from `text` what none of `subGoals` names: every word that carries meaning must stand in one of them. */
export function leftOver(text: string, subGoals: readonly Planned[], about: About): LeftOver {
  const texts = subGoals.map(({ description, acceptance = [] }) => [description, ...acceptance].join('. '));
  const said = new Set(texts.flatMap(stemsOf));
  const saidAsIs = new Set(texts.flatMap(wordsAsTheyAre));
  const lost = (part: string): boolean => stemsOf(part).some((stem) => !said.has(stem));
  // "Map the tables" does not name the maps of a list.
  const lostOfList = (part: string): boolean =>
    lost(part) || wordsAsTheyAre(part).some((word) => !saidAsIs.has(word));
  const goal = phraseOf(text);
  const pieces = piecesOf(goal);
  const main = pieces.find(({ kind }) => kind === 'main');
  const found = pieces
    .filter((piece) => piece !== main && (piece.kind === 'list' ? lostOfList : lost)(wordsOfPiece(piece)))
    .map((piece) => ({
      piece,
      ...readPiece(piece, main, piece.kind === 'list' ? lostOfList : lost, about),
    }));
  for (const { goals, checks, conditions } of found)
    for (const stem of [...goals, ...checks, ...conditions].flatMap(stemsOf)) said.add(stem);
  for (const stem of about.known.flatMap(stemsOf)) said.add(stem);
  const apart = found.filter(({ goals }) => goals.length > 0).map(({ piece }) => piece);
  const isMainLost = main !== undefined && lost(wordsOfPiece(main));
  const beside = pieces.filter(
    (piece) => piece.kind === 'list' || piece.kind === 'sentence' || apart.includes(piece),
  );
  return {
    goals: found.flatMap(({ goals }) => goals),
    rest: without(goal.text, apart),
    checks: found.flatMap(({ checks }) => checks),
    conditions: [
      ...found.flatMap(({ conditions }) => conditions),
      ...(isMainLost ? [asAsked(`“${without(goal.text, beside)}”`)] : []),
    ],
  };
}

/** How what was asked for is told among what must hold for a goal. */
export function asAsked(words: string): string {
  return `As asked: ${words}`;
}

/** Stems of the words that carry meaning; a capital letter alone is a name: "A, B and C". */
function stemsOf(text: string): readonly string[] {
  const letters = text.match(/(?<![\p{L}\p{N}'’.-])\p{Lu}(?![\p{L}\p{N}'’-]|\s+\p{Ll})/gu) ?? [];
  return [...contentStems(normalPhrase(text).join(' ')), ...letters];
}

/** The words that carry meaning in the form in which they stand. */
function wordsAsTheyAre(text: string): readonly string[] {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  return words.filter((word) => contentStems(word).length > 0);
}

/** What stands in brackets is a piece of its own. */
function wordsOfPiece({ said, joint }: Piece): string {
  return joint.trim() === '(' ? said.text : said.text.replace(/(?:(?<!\s)\s+)?\([^()]*\)/g, ' ');
}

type Read = Omit<LeftOver, 'rest'>;
const NOTHING: Read = { goals: [], checks: [], conditions: [] };

function readPiece(
  piece: Piece,
  main: Piece | undefined,
  lost: (part: string) => boolean,
  about: About,
): Read {
  const { kind, said } = piece;
  const plain = trimmedPhrase(said);
  if (kind === 'list') return readList(piece, lost, about);
  if (isImperative(plain)) return { ...NOTHING, goals: [asGoal(plain.text)] };
  if (kind === 'sentence') {
    const goals = readAbility('.', said, about.thing);
    return goals.length > 0
      ? { ...NOTHING, goals }
      : { ...NOTHING, conditions: [`Keep in mind: “${said.text}”`] };
  }
  const whole = listWith(main, said);
  return whole === undefined
    ? { ...NOTHING, conditions: [asAsked(said.text)] }
    : { ...NOTHING, checks: [included(whole.filter(lost))] };
}

const MARKER = /^(?:with|including|featuring|incl\.|having|e\.g\.,?|for example,?|such as|like)\s+/i;
const EXAMPLES = /such as|e\.g\.|like|for example/i;

function readList({ joint, said }: Piece, lost: (part: string) => boolean, about: About): Read {
  const marker = MARKER.exec(said.text)?.[0] ?? '';
  const items = splitItems(slicePhrase(said, marker.length));
  const isPlain = items.every(
    ({ text, mask }) => wordsOf({ text, mask }).length <= 8 && !/[.?!:]\s/.test(mask),
  );
  const [first = ''] = wordsOf(items[0] ?? said);
  const isAside = joint.trim() === '(' && marker === '';
  if (!isPlain || isAside || isPreposition(first)) return { ...NOTHING, conditions: [asAsked(said.text)] };
  if (items.length > 0 && items.every(isImperative) && items.some((item) => wordsOf(item).length > 1))
    return { ...NOTHING, goals: items.map(({ text }) => asGoal(text)) };
  const texts = items.map(({ text }) => text).filter(lost);
  if (texts.length === 0) return { ...NOTHING, conditions: [asAsked(said.text)] };
  const isExample = EXAMPLES.test(joint) || EXAMPLES.test(marker);
  return about.isMade && about.thing !== '' && !isExample
    ? { ...NOTHING, goals: texts.map((text) => `Add ${text} to ${about.thing}`) }
    : { ...NOTHING, checks: [included(texts)] };
}

/** "the worker and the database are included". */
function included(items: readonly string[]): string {
  const isPlural = items.length > 1 || /[^su]s$/i.test(items[0] ?? '');
  return `${joinItems(items)} ${isPlural ? 'are' : 'is'} included`;
}

/** The items of a list that begins behind the last preposition of what stands before: "for the API, the worker and the site". */
function listWith(main: Piece | undefined, more: Phrase): readonly string[] | undefined {
  const isList = /\s(?:and|&)\s/i.test(more.mask) || /^(?:and|&)\s/i.test(more.mask);
  const items = splitItems(more);
  const isPlain = items.every(
    (item) =>
      wordsOf(item).length <= 6 &&
      !wordsOf(item).some(isPreposition) &&
      !isImperative(item) &&
      !/ly$/i.test(item.text),
  );
  if (main === undefined || !isPlain || !(isList || items.length === 1)) return undefined;
  const before = /^(?:.*\s)?(?:for|to|in|of|on|with|from|into|at|about)\s+(.+)$/is.exec(main.said.mask)?.[1];
  const first = before === undefined ? undefined : main.said.text.slice(-before.length);
  return [...(first === undefined ? [] : [first]), ...items.map(({ text }) => text)];
}

/** A goal without some of its pieces. */
function without(text: string, pieces: readonly Piece[]): string {
  let rest = '';
  let from = 0;
  for (const { start, end } of pieces.toSorted((a, b) => a.start - b.start)) {
    if (start > from) rest += text.slice(from, start);
    from = Math.max(from, end);
  }
  return `${rest}${text.slice(from)}`.replace(/(?<![\s,;:])[\s,;:]+$/, '').trim();
}

/** A goal for each quality of "Make the checkout faster, cheaper and accessible"; undefined for another goal. */
export function splitQualities(text: string): readonly string[] | undefined {
  const start = startOfQualities(phraseOf(text).mask);
  if (start === undefined) return undefined;
  const lead = text.slice(0, start).trimEnd();
  const items = splitItems(phraseOf(text.slice(start))).map((item) => item.text);
  const areQualities = items.every((item) => {
    const word = item.toLowerCase().replace(/^(?:more|less)\s+/, '');
    return isAdjective(word) || /[^e]er$/.test(word) || word !== item.toLowerCase();
  });
  return items.length > 1 && areQualities ? items.map((item) => `${lead} ${item}`) : undefined;
}

/** Where the list begins in "make the checkout faster, more secure and accessible": from its end back, as far as words and commas go. */
function startOfQualities(mask: string): number | undefined {
  const words = Array.from(mask.matchAll(/\S+/g), ({ 0: word, index }) => ({
    word: word.toLowerCase(),
    index,
  }));
  const isPlain = (at: number) => /^[\p{L}-]+,?$/u.test(words[at]?.word ?? '');
  const beforeDegree = (at: number) => (/^(?:more|less)$/.test(words[at]?.word ?? '') ? at - 1 : at);
  const and = beforeDegree(words.length - 2);
  const isOpened = /^(?:make|keep)$/.test(words[0]?.word ?? '');
  if (!isOpened || words[and]?.word !== 'and' || mask.endsWith(',') || !isPlain(words.length - 1))
    return undefined;
  let first = and - 1;
  for (let before = first; ; first = before) {
    before = beforeDegree(first - 1);
    if (before < 2 || !isPlain(first) || !/.,$/.test(words[before]?.word ?? '')) break;
  }
  return first < 2 ? undefined : words[first]?.index;
}
