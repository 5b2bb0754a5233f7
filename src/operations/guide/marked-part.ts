const BEGIN = '<!-- frctl:begin -->';
const END = '<!-- frctl:end -->';

/** A text with the part between the markers replaced, or added at its end where it has none. */
export function withMarkedPart(text: string, part: string): string {
  const marked = `${BEGIN}\n${part.trim()}\n${END}`;
  const start = text.indexOf(BEGIN);
  const end = start === -1 ? -1 : text.indexOf(END, start);
  if (start !== -1 && end !== -1) return `${text.slice(0, start)}${marked}${text.slice(end + END.length)}`;
  const before = text.trimEnd();
  return `${before === '' ? '' : `${before}\n\n`}${marked}\n`;
}
