/**
 * The middle value; of an even number of values the upper of the two.
 * @param {readonly number[]} values
 */
export function median(values) {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}
