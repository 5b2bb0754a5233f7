/** A whole number, 1234567, as `1,234,567`; many a list line has one, and `Intl` is slow to start. */
export function groupedNumber(count: number): string {
  return String(count).replaceAll(/\B(?=(?:\d{3}){1,7}$)/g, ',');
}

/** How many there are of what a noun names: `1 goal`, `0 goals`. For nouns with a plural in s. */
export function quantityOf(count: number, noun: string): string {
  return `${groupedNumber(count)} ${noun}${count === 1 ? '' : 's'}`;
}
