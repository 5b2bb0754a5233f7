/** Elements of HTML; a line with one of these alone begins a block of HTML, as Markdown has it. */
const HTML = new Set(
  `a abbr address area article aside audio b base bdi bdo blockquote body br button canvas caption center cite code col colgroup
  data datalist dd del details dfn dialog dir div dl dt em embed fieldset figcaption figure font footer form frame frameset h1 h2 h3
  h4 h5 h6 head header hgroup hr html i iframe img input ins kbd label legend li link main map mark menu menuitem meta meter nav
  noframes noscript object ol optgroup option output p param picture pre progress q rp rt ruby s samp script search section select
  slot small source span strong style sub summary sup svg table tbody td template textarea tfoot th thead time title tr track u ul
  var video wbr`.split(/\s+/),
);

const LINE = /^[ \t]*<\/?([A-Za-z][\w.:-]*)[ \t]*>[ \t]*$/;
const FENCE = /^[ \t]*(`{3,}|~{3,})/;

/**
 * A document in which a line that holds only a tag which is not HTML (`<PRD>`, `</context>`) is blank, so that it hides nothing
 * of what stands below it. Every character keeps its place; code stays as it is.
 */
export function withoutBareTags(markdown: string): string {
  if (!/^[ \t]*<\/?[A-Za-z]/m.test(markdown)) return markdown;
  let fence: string | null = null;
  return markdown
    .split(/(\r\n|\n|\r)/)
    .map((line, index) => {
      if (index % 2 === 1) return line;
      const mark = FENCE.exec(line)?.[1];
      if (fence !== null) {
        if (mark?.startsWith(fence) === true) fence = null;
        return line;
      }
      if (mark !== undefined) {
        fence = mark;
        return line;
      }
      const name = LINE.exec(line)?.[1]?.toLowerCase();
      return name === undefined || HTML.has(name) ? line : ' '.repeat(line.length);
    })
    .join('');
}
