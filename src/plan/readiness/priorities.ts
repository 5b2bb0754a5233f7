/** The names of priorities; the number of one is its place. */
export const PRIORITIES = ['critical', 'high', 'normal', 'low', 'someday'] as const;

/** What counts as the priority of a goal of which, and of the goals above which, none is said. */
export const USUAL_PRIORITY = 2;

/** Returns a priority in words: `high`. */
export function priorityInWords(priority: number): string {
  return PRIORITIES[priority] ?? String(priority);
}

/** Returns the number of a priority that is given by number or by name, in either case; null for anything else. */
export function parsePriority(text: string): number | null {
  const given = text.trim().toLowerCase();
  const place = PRIORITIES.findIndex((name, number) => name === given || String(number) === given);
  return place < 0 ? null : place;
}
