/** A line that opens one of GitHub's task lists, or that closes a fence. */
const FENCE_LINE = /^```(?:\[tasklist\][^\n\r]*|[ \t]*$)/gm;
const HEADING = /^#{1,6}[ \t]+(?![ \t])(.*\S)[ \t]*$/gm;

/** A document with GitHub's task lists in a fence as lists; the fence's own lines become blank, so that every line keeps its number. */
export function withoutTaskFences(markdown: string): string {
  const parts: string[] = [];
  let from = 0;
  let inner: number | null = null;
  for (const { 0: mark, index } of markdown.matchAll(FENCE_LINE)) {
    if (mark.startsWith('```[')) {
      if (inner !== null) continue;
      parts.push(markdown.slice(from, index));
      inner = from = index + mark.length;
    } else if (inner !== null) {
      parts.push(markdown.slice(inner, index).replaceAll(HEADING, '**$1**'));
      from = index + mark.length;
      inner = null;
    }
  }
  return parts.join('') + markdown.slice(from);
}
