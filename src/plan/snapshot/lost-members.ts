/**
 * The path of a member called `__proto__`, or null when there is none. It is the one name that would be lost
 * in silence: the schemas leave it out, since it means something else to JavaScript.
 * @param value a JSON value that is not nested too deep
 */
export function findLostMember(value: unknown): readonly PropertyKey[] | null {
  if (typeof value !== 'object' || value === null) return null;
  if (Object.hasOwn(value, '__proto__')) return ['__proto__'];
  for (const [name, member] of Object.entries(value)) {
    const found = findLostMember(member);
    if (found !== null) return [Array.isArray(value) ? Number(name) : name, ...found];
  }
  return null;
}
