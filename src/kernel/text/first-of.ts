const MOST_NAMED = 10;

/** Returns the first of many names on a line, and how many more there are. */
export function firstOf(names: readonly string[], between = ', '): string {
  const more = names.length - MOST_NAMED;
  return `${names.slice(0, MOST_NAMED).join(between)}${more > 0 ? `${between}and ${more} more` : ''}`;
}
