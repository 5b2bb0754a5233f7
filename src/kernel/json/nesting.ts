/** More levels than any plan has, and fewer than it takes to exhaust the stack of a writer of JSON. */
export const MAX_NESTING = 500;

/** Whether a JSON value has arrays and objects within each other on more than so many levels. */
export function isNestedTooDeep(value: unknown, levels: number = MAX_NESTING): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((member) => isNestedTooDeep(member, levels - 1));
}
