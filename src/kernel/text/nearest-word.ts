/** Of some words the one that another was most likely meant to be, by the fewest letters that differ; undefined where none is near. */
export function nearestWord(word: string, among: Iterable<string>): string | undefined {
  let found: string | undefined;
  let least = Math.max(1, Math.floor(word.length * MOST_DIFFERENT)) + 1;
  for (const each of among) {
    if (each === word || Math.abs(each.length - word.length) >= least || each.length > LONGEST) continue;
    const letters = lettersBetween(word, each);
    if (letters < least) [found, least] = [each, letters];
  }
  return found;
}

/** As much of a word as may differ. */
const MOST_DIFFERENT = 0.4;
const LONGEST = 200;

/** How many letters are to be put in, taken out, replaced or swapped with their neighbour to make one word of another. */
function lettersBetween(one: string, other: string): number {
  let before: readonly number[] = [];
  let above = Array.from({ length: other.length + 1 }, (_each, index) => index);
  for (let row = 1; row <= one.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= other.length; column += 1) {
      const isSame = one[row - 1] === other[column - 1];
      const isSwapped = one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1];
      current[column] = Math.min(
        (above[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (above[column - 1] ?? 0) + (isSame ? 0 : 1),
        isSwapped && row > 1 && column > 1 ? (before[column - 2] ?? 0) + 1 : Infinity,
      );
    }
    [before, above] = [above, current];
  }
  return above[other.length] ?? 0;
}
