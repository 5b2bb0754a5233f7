/** Returns a text or number of a document by its name; null where there is none. */
export function memberOf(value: unknown, name: string): string | null {
  if (typeof value !== 'object' || value === null) return null;
  const found: unknown = Object.entries(value).find(([each]) => each === name)?.[1];
  return typeof found === 'string' || typeof found === 'number' ? String(found) : null;
}
