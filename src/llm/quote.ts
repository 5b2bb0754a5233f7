const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };
const ORIGINALS: Readonly<Record<string, string>> = { '&amp;': '&', '&lt;': '<', '&gt;': '>' };

/** `text` with `&`, `<` and `>` escaped, so that it can neither close the tag around it nor open one. */
export function quote(text: string): string {
  return text.replaceAll(/[&<>]/g, (character) => ESCAPES[character] ?? character);
}

/** The text that `quote` was given. */
export function unquote(text: string): string {
  return text.replaceAll(/&(?:amp|lt|gt);/g, (escape) => ORIGINALS[escape] ?? escape);
}

/**
 * Quotes `text` as data between tags of its own, with nothing added: `<name>…</name>`. Empty text gives nothing at
 * all.
 */
export function tagged(name: string, text: string): string {
  return text === '' ? '' : `<${name}>${quote(text)}</${name}>`;
}
