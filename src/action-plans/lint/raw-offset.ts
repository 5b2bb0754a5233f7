/**
 * Where in a document's text a character of a string value stands.
 * @param node the string with its quotes
 * @param offset in UTF-16 units of the value; its length gives the place of the closing quote
 */
export function rawOffset(
  text: string,
  node: { readonly start: number; readonly end: number },
  offset: number,
): number {
  let raw = node.start + 1;
  for (let unit = 0; unit < offset && raw < node.end - 1; unit += 1) {
    if (text[raw] !== '\\') raw += 1;
    else raw += text[raw + 1] === 'u' ? 6 : 2;
  }
  return raw;
}
