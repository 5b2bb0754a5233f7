/** How many there are of what a noun names: `1 goal`, `0 goals`. For nouns with a plural in s. */
export function quantityOf(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
