/** What a requirement says of something in it that nobody has decided. */
const MARKS = [/\[NEEDS CLARIFICATION:?([^\]\n]{0,500})\]/i, /^open question:?(.{0,500})/im, /\b(TBD|TBC)\b/];

/**
 * Returns what is still to be decided of a goal before anybody can start on it, in words: `to be decided: which server`; null
 * where a text says of nothing that it is open.
 */
export function openQuestionIn(text: string): string | null {
  for (const mark of MARKS) {
    const found = mark.exec(text)?.[1];
    if (found === undefined) continue;
    const what = found.replaceAll(/\s+/g, ' ').trim();
    return what === '' || /^TB[DC]$/.test(what) ? 'to be decided' : `to be decided: ${what}`;
  }
  return null;
}
