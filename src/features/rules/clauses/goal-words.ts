import { isAdjective } from '../../../planning/documents/english/adjectives.js';
import { isPreposition, isSubordinator, verbOfGerund } from '../../../planning/documents/english/lexicon.js';
import { protect } from '../../../planning/documents/english/protect.js';
import { expandGroups } from './word-groups.js';

/** A word of a goal. */
interface GoalWord {
  /** In lower case and singular, with one spelling: "APIs" and "api" are the same, so are "-ise" and "-ize". */
  readonly normal: string;
  readonly start: number;
  readonly end: number;
  /** Whether the phrase before it ends here: at a preposition, a conjunction that opens a clause, or punctuation. */
  readonly ends: boolean;
}

/** A goal as the matching of methods sees it. */
export interface GoalWords {
  readonly text: string;
  /** Every word, the leading verb first; what is quoted or in brackets is left out. */
  readonly words: readonly GoalWord[];
}

/** A longer text is no goal that a method knows. */
const MAX_LENGTH = 1000;
const LEAD_IN =
  /^(?:(?:please|goal:|todo:|first|next|finally|let’s|let's|let us|help (?:me|us)(?: to)?|can you|could you|(?:so )?(?:how (?:do|can|could|should|would|might)|can|could|should) (?:i|we|you)(?: (?:best|finally|ever))?|(?:i|we|you)(?: would|’d|'d)? (?:want|need|have|like|love|should|must|plan|aim|intend|hope)(?: to)?|(?:(?:i|we)(?:['’]m|['’]re| am| are) )?(?:want|need|looking|trying|planning|hoping) to|(?:i|we)(?:['’]m|['’]re| am| are) an? [^,.;:]{1,60}? and (?:want|need)(?: to)?),?\s+)+/i;
const ENDS_PHRASE = new Set(
  'based written powered supporting called named hosted featuring running containing covering allowing selling found showing displaying'.split(
    ' ',
  ),
);

/** "an apartment closer to work", "a car cheaper than ours": what is said of the thing before it. */
const COMPARES =
  /^(?:closer|nearer|bigger|smaller|larger|cheaper|lighter|quieter|shorter|longer|better|older|newer|faster|slower|(?:more|less)\s\p{L}+)\s(?:to|than)\s/iu;

/** The words of a goal without "please", "we need to" and the like before them; none for a text too long to be a goal. */
export function readGoal(description: string): GoalWords {
  const trimmed = description.trim();
  const text = trimmed.length > MAX_LENGTH ? '' : trimmed.slice(leadInLength(trimmed));
  const words: GoalWord[] = [];
  let end = 0;
  for (const match of protect(text).matchAll(/[\p{L}\p{N}][\p{L}\p{N}+#]*(?:['’]\p{L}+)?/gu)) {
    const [raw] = match;
    const gap = text.slice(end, match.index);
    const alone = gap.trim() === '' && /^(?:[\s,.;:!?)]|$)/.test(text.slice(match.index + raw.length));
    // "VS Code" is a name.
    const opens =
      alone &&
      raw !== 'VS' &&
      (isPreposition(raw) ||
        isSubordinator(raw) ||
        (ENDS_PHRASE.has(raw.toLowerCase()) && !isInCompound(text.slice(match.index))) ||
        COMPARES.test(text.slice(match.index)));
    const ends = words.length > 0 && (opens || /[,;:!?(]|\.\s|\s[–—-]+\s/.test(gap));
    end = match.index + raw.length;
    words.push({ normal: normalWord(raw), start: match.index, end, ends });
  }
  return { text, words };
}

const SAID_OF = new Set([...expandGroups(['~program']), 'club', 'group', 'shop', 'store', 'marketplace']);

/** "selling website", "running club": whether the word that a text begins with stands before the thing that it is said of. */
function isInCompound(text: string): boolean {
  const [, next = ''] = /^\p{L}+\s([\p{L}-]+)/u.exec(text) ?? [];
  return SAID_OF.has(next.toLowerCase());
}

/** How many characters of "please", "we need to" and the like stand before a goal. */
export function leadInLength(text: string): number {
  return LEAD_IN.exec(text)?.[0].length ?? 0;
}

/** The words of a phrase in a method file, normalised as those of a goal are. */
export function normalPhrase(phrase: string): readonly string[] {
  return (phrase.match(/[\p{L}\p{N}][\p{L}\p{N}+#]*(?:['’]\p{L}+)?/gu) ?? []).map(normalWord);
}

function normalWord(raw: string): string {
  const word = raw
    .toLowerCase()
    .replace(/['’]s?$/, '')
    .replace(/['’]/g, '');
  return singular(word).replace(/is(e|ed|er|ing|ation)$/, 'iz$1');
}

function singular(word: string): string {
  if (word.length < 4 || /(?:ss|us|is)$/.test(word)) return word;
  if (word.endsWith('ies')) return `${word.slice(0, -3)}y`;
  if (/(?:ss|x|zz|sh|tch|rch|nch)es$/.test(word)) return word.slice(0, -2);
  return word.endsWith('s') ? word.slice(0, -1) : word;
}

/** The normalised verb that the goal begins with, "-ing" taken off. */
export function leadingVerb({ words }: GoalWords): string {
  return plainVerb(words[0]?.normal ?? '');
}

/** A normalised word with "-ing" taken off, where it is the form of a verb. */
export function plainVerb(first: string): string {
  return normalWord(verbOfGerund(first.replace(/izing$/, 'ising')) ?? verbOfGerund(first) ?? first);
}

/** How many words of `phrases` stand in `words` at their best place, and whether one of them ends at `head`. */
export function findInGoalWords(
  phrases: readonly (readonly string[])[],
  words: readonly string[],
  head = -1,
): { readonly length: number; readonly atHead: boolean } | undefined {
  let length = 0;
  let atHead = false;
  for (const phrase of phrases) {
    for (let at = words.indexOf(phrase[0] ?? ''); at >= 0; at = words.indexOf(phrase[0] ?? '', at + 1)) {
      if (!phrase.every((word, index) => words[at + index] === word)) continue;
      length = Math.max(length, phrase.length);
      atHead ||= at + phrase.length - 1 === head;
    }
  }
  return length === 0 ? undefined : { length, atHead };
}

/** Nouns that add nothing to the noun before them: "payment system", "caching layer". */
const NEUTRAL = new Set(
  `system service support feature functionality module layer backend server solution capability flow component setup
  integration project stack suite app application platform strategy process workflow infrastructure environment`.split(
    /\s+/,
  ),
);

/** Where among the words of a goal's object its head stands, the last word that says what kind of thing it is. */
export function headOf(object: readonly string[]): number {
  let head = object.length - 1;
  while (head > 0 && addsNothing(object[head] ?? '')) head -= 1;
  return head;
}

function addsNothing(word: string): boolean {
  return NEUTRAL.has(word) || /^v?\d+$/.test(word);
}

/** Whether "and" among the words of a goal joins two things rather than two adjectives of one. */
export function namesTwoThings(object: readonly string[]): boolean {
  return object.some(
    (word, index) =>
      (word === 'and' || word === 'or') &&
      !(isAdjective(object[index - 1] ?? '') && isAdjective(object[index + 1] ?? '')),
  );
}
