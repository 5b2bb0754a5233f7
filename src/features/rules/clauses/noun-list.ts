import {
  isDeterminer,
  isParticle,
  isSubordinator,
  isVerb,
} from '../../../planning/documents/english/lexicon.js';
import {
  asGoal,
  hasPreposition,
  isImperative,
  isOpenEnded,
  slicePhrase,
  splitPhrase,
  wordsOf,
  type Phrase,
} from '../../../planning/documents/english/phrase.js';

/** What stands between the items of a list. */
export const LIST_SEPARATOR = /(?:(?<!\s)\s+)?,\s+(?:(?:and|&)\s+)?|(?<!\s)\s+(?:and|&)\s+/gi;

/** Verbs that need all of a list at once, or that put an adjective after their object. */
const COLLECTIVE = new Set(
  `combine merge compare mix choose decide balance reconcile connect separate divide distribute rank sort make keep get
  leave find turn paint consider call name select pick blend join unify become stay render declare`.split(
    /\s+/,
  ),
);
const MAX_ITEM_WORDS = 5;

/**
 * The goals of "Add authentication, rate limiting and logging": the verb distributed over a list of three or more.
 * Undefined when the list may belong to something else: to a preposition, to a noun shared by the items ("unit,
 * integration and load tests"), or to a verb that needs it whole.
 */
export function distributeVerb(phrase: Phrase): readonly string[] | undefined {
  if (!isImperative(phrase) || !/\s(?:and|&)\s/i.test(phrase.mask) || isOpenEnded(phrase)) return undefined;
  const pieces = splitPhrase(phrase, LIST_SEPARATOR);
  const [first] = pieces;
  const last = pieces.at(-1);
  if (first === undefined || last === undefined || !endsWithAnd(phrase, last)) return undefined;
  const words = wordsOf(first);
  if (pieces.length < 3 && !areTwoOfTheirOwn(words, wordsOf(last))) return undefined;
  const verb = isParticle(words[1] ?? '') ? words.slice(0, 2).join(' ') : (words[0] ?? '');
  if (COLLECTIVE.has(verb.toLowerCase()) || hasPreposition(first)) return undefined;
  const { item: lastItem, tail } = withoutTail(last);
  const items = [slicePhrase(first, verb.length), ...pieces.slice(1, -1), lastItem];
  const hasClause =
    !/^add$/i.test(verb) && items.some((item) => isImperative(item) && wordsOf(item).length > 1);
  if (hasClause || !items.every(isItem) || sharesHead(items)) return undefined;
  const owner = OWNER.exec(items[0]?.text ?? '')?.[0] ?? '';
  return items.map((item, index) => {
    const own = index > 0 && !isDeterminer(wordsOf(item)[0] ?? '') && !OWNER.test(item.text) ? owner : '';
    return asGoal(`${first.text.slice(0, verb.length)} ${own}${item.text}${tail}`);
  });
}

/** Whose all of a list is: "my late husband's " of "my late husband's accounts and pension". */
const OWNER = /^(?:my|our|your|his|her|their|the)\s+(?:\p{L}+\s+){0,2}?\p{L}+['’]s?\s+/iu;

const OF_EACH =
  /^(?:hire|recruit|buy|build|write|create|make|plan|organi[sz]e|design|develop|draw|knit|sew|paint|bake|record|book|rent|plant)$/i;
const COUNTED = /^(?:an?|one|two|three|four|five|six|seven|eight|nine|ten|\d+)$/i;

/** "Hire two engineers and one designer": two things that are counted each by itself. */
function areTwoOfTheirOwn(
  [verb = '', count = '']: readonly string[],
  [other = '']: readonly string[],
): boolean {
  return OF_EACH.test(verb) && COUNTED.test(count) && COUNTED.test(other);
}

/** "and" stands before the last piece only. */
function endsWithAnd({ mask }: Phrase, last: Phrase): boolean {
  const before = mask.slice(0, mask.lastIndexOf(last.mask));
  return (
    /(?:\band|&)\s+$/i.test(before) &&
    !/\s(?:and|&|or|but|then)\s/i.test(before.replace(/(?:and|&)\s+$/i, ''))
  );
}

/** "logging to the API": what is added to goes with every item. */
function withoutTail(last: Phrase): { readonly item: Phrase; readonly tail: string } {
  const at = last.mask.search(/\s(?:to|into|across)\s/i);
  return at < 0 ? { item: last, tail: '' } : { item: slicePhrase(last, 0, at), tail: last.text.slice(at) };
}

function isItem(item: Phrase): boolean {
  const words = wordsOf(item);
  return (
    words.length > 0 &&
    words.length <= MAX_ITEM_WORDS &&
    !hasPreposition(item) &&
    !/^(?:or|but|not|then|etc|e\.g|i\.e)\b/i.test(item.text) &&
    !/[.:;?]\s|\sor\s/.test(item.mask) &&
    !words.some(isSubordinator)
  );
}

/** Nouns that stand for a thing by themselves: "authentication", "caching", "eggs". */
const SELF_STANDING = /(?:tion|sion|ing|ment|ity|ance|ence|ism|ics|[^s]s|\d)$/i;

/**
 * Whether the items may be modifiers of one noun at the end: each before the last is a bare word that rarely stands
 * alone, and the last has a word more.
 */
function sharesHead(items: readonly Phrase[]): boolean {
  const last = wordsOf(items.at(-1) ?? { text: '', mask: '' });
  if (last.length < 2 || isDeterminer(last[0] ?? '')) return false;
  const others = items.slice(0, -1).map(wordsOf);
  if (others.some((words) => isVerb(words[0] ?? '') && words.length === 1)) return true;
  const plain = others.map((words) => words.filter((word) => !isDeterminer(word)));
  const hasPlural = plain.some((words) => /[^s]s$/i.test(words.at(-1) ?? ''));
  if (hasPlural) return false;
  const bare = plain.every((words) => words.length === 1);
  const pluralHead = /[^s]s$/i.test(last.at(-1) ?? '');
  const selfStanding = plain.every((words) => SELF_STANDING.test(words.at(-1) ?? ''));
  return pluralHead ? bare || !selfStanding : !selfStanding;
}
