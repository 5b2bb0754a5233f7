/** Words that an only sub-goal may add to its parent's, or leave out, and still say the same. */
const EMPTY_WORDS = new Set(
  (
    'again all and be completely correctly do entirely ensure for full fully fulfil in is it just make now of ' +
    'on please properly really simply successfully sure that this to we well whole will with'
  ).split(' '),
);
/** Verbs that say of a goal no more than that it is to be done. */
const MAKING = /^(?:accomplish|achieve|build|complete|construct|create|develop|implement|make|produce)$/;
/** Characters of a description that are compared. */
const MOST_COMPARED = 20_000;

/** Letters, numbers and signs such as `<`, `€` and emoji; the minus of a number; an operator that stands alone. */
const WORD =
  /(?:(?<=^|[\s(=,])-(?=\p{N}))?[\p{L}\p{M}\p{N}\p{Sm}\p{Sc}\p{So}#]+|(?<=[\s"'`(])[*/%&^@\\]+(?=[\s"'`),.;:]|$)/gu;

/**
 * The words of a description as far as they carry meaning: case, punctuation, articles and courtesies do
 * not. `C`, `C++` and `C#`, the numbers `1.2` and `12`, and the operators `<` and `*` stay different.
 */
export function normalizedWords(text: string): readonly string[] {
  const words = text.normalize('NFKC').match(WORD) ?? [];
  const shouted = !/\p{Ll}/u.test(text);
  return words
    .filter((word, index) => !isSilent(word, words[index + 1], shouted || index === 0))
    .map((word) => word.toLowerCase());
}

/** An article or a courtesy, as opposed to the name in `Part A` and `Node a b`. */
function isSilent(word: string, next: string | undefined, capitalIsNoName: boolean): boolean {
  if (next === undefined || !/^\p{L}{3,}$/u.test(next)) return false;
  return /^(?:an|the|please)$/i.test(word) || word === 'a' || (word === 'A' && capitalIsNoName);
}

/**
 * Whether both hold the same words in any order, empty ones aside. A word more or another one may well be
 * what makes it a goal of its own: `Stage one` and `Stage two`, `Task A` and `Task A A`.
 */
export function isSameInOtherWords(one: string, other: string): boolean {
  return meaningOf(one) === meaningOf(other);
}

function meaningOf(description: string): string {
  const words = normalizedWords(description);
  const telling = words.filter((word) => !EMPTY_WORDS.has(word) && !MAKING.test(word));
  return (telling.length === 0 ? words : telling).toSorted().join(' ');
}

/** What descriptions have in common that say the same in the same order. */
export function wordKey(description: string): string {
  const beginning = description.slice(0, MOST_COMPARED);
  const words = normalizedWords(beginning);
  return words.length === 0 ? beginning.trim() : words.join(' ');
}
