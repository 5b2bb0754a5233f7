/** A part of a Markdown text: what is under a second-level heading, or, without a name, before the first. */
export interface Section {
  readonly name: string | null;
  readonly text: string;
}

/** Joins parts to one text, each under its heading; empty parts are left out. */
export function joinSections(sections: readonly Section[]): string {
  return sections
    .map(({ name, text }) => ({ name, text: text.trim() }))
    .filter(({ text }) => text !== '')
    .map(({ name, text }) => (name === null ? text : `## ${name}\n\n${text}`))
    .join('\n\n');
}

/** Takes a text apart at the headings that are named; all other headings stay text. */
export function splitSections(text: string, names: readonly string[]): readonly Section[] {
  const sections: { name: string | null; lines: string[] }[] = [{ name: null, lines: [] }];
  for (const line of text.split('\n')) {
    const name = line.startsWith('## ') ? line.slice(3).trim() : '';
    if (names.includes(name)) sections.push({ name, lines: [] });
    else sections.at(-1)?.lines.push(line);
  }
  return sections
    .map(({ name, lines }) => ({ name, text: lines.join('\n').trim() }))
    .filter(({ text: part }) => part !== '');
}

/** What the parts of one name say, one below the other; empty where there is none. */
export function sectionText(sections: readonly Section[], name: string | null): string {
  return sections
    .filter((section) => section.name === name)
    .map(({ text }) => text)
    .join('\n\n');
}
