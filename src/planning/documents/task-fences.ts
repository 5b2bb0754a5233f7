/** A document with GitHub's task lists in a fence as lists; the fence's own lines become blank, so that every line keeps its number. */
export function withoutTaskFences(markdown: string): string {
  return markdown.replace(/^```\[tasklist\][^\n\r]*([\s\S]*?)^```[ \t]*$/gm, (_, inner: string) =>
    inner.replace(/^#{1,6}[ \t]+(.*\S)[ \t]*$/gm, '**$1**'),
  );
}
