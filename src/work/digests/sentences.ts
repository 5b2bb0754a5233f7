/** A stretch of text that is by itself: a sentence, a list item, a row of a table. */
export interface Sentence {
  readonly text: string;
  /** A heading names what follows; it is no statement of its own. */
  readonly heading: boolean;
}

const FENCE = /^\s*(`{3,}|~{3,})/;
const HEADING = /^\s{0,3}#{1,6}\s+(?!\s)(.*)$/;
const UNDERLINE = /^\s{0,3}(?:=+|-{2,})\s*$/;
const TABLE_RULE = /^\s*(?:\|\s*)?:?-{2,}:?\s*(?:\|\s*:?-{2,}:?\s*)*(?:\|\s*)?$/;
const ITEM = /^\s*(?:[-*+]|\d{1,9}[.)])\s+(?:\[[ xX]\]\s+)?/;
const SENTENCE_END = /[.!?…]["'”’)\]]*(?=\s+["'“‘([`*]*[\p{Lu}\p{N}`])/gu;
const ABBREVIATION =
  /(?:^|[\s(])(?:e\.g|i\.e|etc|vs|cf|approx|incl|no|dr|mr|mrs|ms|st|inc|ltd|co|fig|al|resp|p|pp)\.$/i;
/** With what is before it. */
const LONGEST_ABBREVIATION = 12;

/**
 * The sentences of a text in order. Markdown is read line by line: marks of headings, items, quotes and emphasis are
 * taken off, and what is between code fences is left out, since an example states nothing.
 */
export function sentencesOf(text: string): readonly Sentence[] {
  const found: Sentence[] = [];
  let paragraph: string[] = [];
  let fence: string | null = null;
  const close = (heading = false): void => {
    const whole = plain(paragraph.join(' '));
    paragraph = [];
    if (whole === '') return;
    for (const one of heading ? [whole] : splitSentences(whole)) found.push({ text: one, heading });
  };
  for (const line of text.split(/\r\n?|\n/)) {
    const mark = FENCE.exec(line)?.[1];
    if (fence !== null) {
      if (mark !== undefined && mark.startsWith(fence)) fence = null;
      continue;
    }
    const heading = HEADING.exec(line)?.[1];
    if (mark !== undefined) {
      close();
      fence = mark;
    } else if (heading !== undefined) {
      close();
      paragraph = [heading.replace(/(?<!#)#+$/, '').trimEnd()];
      close(true);
    } else if (UNDERLINE.test(line)) close(true);
    else if (line.trim() === '' || TABLE_RULE.test(line)) close();
    else if (line.trimStart().startsWith('|')) {
      close();
      paragraph = [cellsOf(line)];
      close();
    } else {
      const unquoted = line.replace(/^\s*(?:>\s?)+/, '');
      const item = ITEM.exec(unquoted)?.[0];
      if (item !== undefined) close();
      paragraph.push(unquoted.slice(item?.length ?? 0).trim());
    }
  }
  close();
  return found;
}

function cellsOf(row: string): string {
  const cells = row
    .trim()
    .replace(/^\||\|$/g, '')
    .split(/(?<!\\)\|/);
  return cells
    .map((cell) => cell.trim())
    .filter((cell) => cell !== '')
    .join('; ');
}

/** Emphasis goes, code spans stay: they say that something is a name. */
function plain(text: string): string {
  return text
    .replaceAll(/!?\[([^[\]]*)\]\(([^()\s]+)\)/g, (_whole, label: string, url: string) =>
      label === '' || label === url ? url : `${label} (${url})`,
    )
    .replaceAll(/(\*\*|__)(?=\S)(.{1,500}?)(?<=\S)\1/g, '$2')
    .replaceAll(/(?<![\w*])\*(?=\S)([^*]+?)(?<=\S)\*(?![\w*])/g, '$1')
    .replaceAll(/\s+/g, ' ')
    .trim();
}

function splitSentences(text: string): readonly string[] {
  const sentences: string[] = [];
  let start = 0;
  for (const match of text.matchAll(SENTENCE_END)) {
    const end = match.index + match[0].length;
    if (ABBREVIATION.test(text.slice(Math.max(start, end - LONGEST_ABBREVIATION), end))) continue;
    sentences.push(text.slice(start, end).trim());
    start = end;
  }
  sentences.push(text.slice(start).trim());
  return sentences.filter((sentence) => sentence !== '');
}
