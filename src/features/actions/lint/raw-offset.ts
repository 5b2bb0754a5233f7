/** A string of a document, with its quotes. */
interface StringPlace {
  readonly start: number;
  readonly end: number;
}

/**
 * Tells where in a document's text a character of a string value stands, by its offset in UTF-16 units of the value; the length of the value
 * gives the place of the closing quote. It goes on from the character that it was asked for last: asked in ascending order, all
 * take one pass over the string.
 * @param node the string with its quotes
 */
export function rawOffsets(text: string, node: StringPlace): (offset: number) => number {
  let raw = node.start + 1;
  let unit = 0;
  return (offset) => {
    if (offset < unit) {
      raw = node.start + 1;
      unit = 0;
    }
    for (; unit < offset && raw < node.end - 1; unit += 1) {
      if (text[raw] !== '\\') raw += 1;
      else raw += text[raw + 1] === 'u' ? 6 : 2;
    }
    return raw;
  };
}
