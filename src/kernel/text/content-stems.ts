import { stemmer } from 'stemmer';

/** Of a longer word each piece is one: a pattern without bound has no room for megabytes without a blank. */
const WORD = /[\p{L}\p{N}]{1,1000}(?:['’]\p{L}{1,1000})?/gu;

/** Words that say nothing of what a text is about; those that negate are among them, for they are looked at by themselves. */
const EMPTY_WORDS = new Set(
  `a about above after again all almost already also although always am an and any anything are aren around as at be
  because been before being below between both but by can cannot could couldn did didn do does doesn doing don done
  down during each either else enough etc even ever every everything few for from further gets get got had has hasn
  have haven having he hence her here hers him his how however i if in instead into is isn it its itself just later
  least less let like many may me might more most much must my neither never no nobody none nor not nothing now of off
  often on once one only onto or other others otherwise our out over own per quite rather really s same shall she
  should shouldn since so some something still such t than that the their them then there therefore these they thing
  things this those though through thus to together too under unless until up upon us very via was wasn we well were
  weren what when where whether which while who whom whose why will with within without won would wouldn yes yet you
  your`.split(/\s+/),
);

/** The stems of the words that carry meaning, in order, repetitions included. */
export function contentStems(text: string): readonly string[] {
  return (text.toLowerCase().match(WORD) ?? [])
    .map((word) => word.replace(/['’]\p{L}+$/u, ''))
    .filter((word) => word !== '' && !EMPTY_WORDS.has(word))
    .map(stemOf);
}

/** The same; of a text without any, such as "Do it", its words themselves. */
export function contentStemsOrWords(text: string): readonly string[] {
  const stems = contentStems(text);
  return stems.length > 0 ? stems : (text.toLowerCase().match(WORD) ?? []);
}

/** The words of a text in small letters, in order, those that carry meaning with their stem. */
export function stemmedWords(
  text: string,
): readonly { readonly word: string; readonly stem: string | null }[] {
  return (text.toLowerCase().match(WORD) ?? []).map((word) => ({
    word,
    stem: contentStems(word)[0] ?? null,
  }));
}

/** Characters of a word that has a stem; the patterns of `stemmer` take longer than a word grows. */
const LONGEST_WORD = 64;

// Porter's rules leave "add", but make "ad" of "added".
function stemOf(word: string): string {
  return word.length > LONGEST_WORD ? word : stemmer(word).replace(/(\p{L})\1$/u, '$1');
}
