const MARKS: Readonly<Record<string, string>> = {
  '"': '"',
  '“': '”',
  '‘': '’',
  '«': '»',
  "'": "'",
  '`': '`',
};

/** What stands in quotation marks when the text is one quotation and nothing else; else null. */
export function unquoted(text: string): string | null {
  const close = MARKS[text.charAt(0)];
  if (close === undefined || text.length < 3 || !text.endsWith(close)) return null;
  const inner = text.slice(1, -1);
  return inner.includes(close) || inner.includes('\n') ? null : inner;
}
