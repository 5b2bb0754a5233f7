/** How many words a text has: all that is between blanks. */
export function countWords(text: string): number {
  return text.split(/\s+/).filter((word) => word !== '').length;
}

/** The share of the words `wanted` that is among the words `present`; 1 when nothing is wanted. */
export function shareOf(wanted: readonly string[], present: ReadonlySet<string>): number {
  if (wanted.length === 0) return 1;
  return wanted.filter((stem) => present.has(stem)).length / wanted.length;
}
