/** A JSON Pointer (RFC 6901): empty for the whole, else `/` before each key or index, `~` and `/` escaped. */
export type JsonPointer = string;

/** The pointer to a place below another. */
export function pointerTo(base: JsonPointer, ...keys: readonly (string | number)[]): JsonPointer {
  return keys.reduce<string>((pointer, key) => `${pointer}/${escapeKey(String(key))}`, base);
}

/** The keys and indices of a pointer, unescaped. */
export function keysOfPointer(pointer: JsonPointer): readonly string[] {
  if (pointer === '') return [];
  return pointer
    .slice(1)
    .split('/')
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'));
}

function escapeKey(key: string): string {
  return key.replaceAll('~', '~0').replaceAll('/', '~1');
}
