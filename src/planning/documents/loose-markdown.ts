/** Elements of HTML; a line with one of these alone begins a block of HTML, as Markdown has it. */
const HTML = new Set(
  `a abbr address area article aside audio b base bdi bdo blockquote body br button canvas caption center cite code col colgroup
  data datalist dd del details dfn dialog dir div dl dt em embed fieldset figcaption figure font footer form frame frameset h1 h2 h3
  h4 h5 h6 head header hgroup hr html i iframe img input ins kbd label legend li link main map mark menu menuitem meta meter nav
  noframes noscript object ol optgroup option output p param picture pre progress q rp rt ruby s samp script search section select
  slot small source span strong style sub summary sup svg table tbody td template textarea tfoot th thead time title tr track u ul
  var video wbr`.split(/\s+/),
);

/** Elements whose text is code, or no text at all, up to their end. */
const RAW = new Set(['pre', 'script', 'style', 'textarea']);

const TAG = /^[ \t]*<\/?([A-Za-z][\w.:-]*)([ \t][^<>]*)?>[ \t]*$/;
const SUMMARY = /^[ \t]*<summary(?:[ \t][^<>]*)?>([^<>]*)<\/summary>[ \t]*$/i;
const FENCE = /^[ \t]*(`{3,}|~{3,})/;
/** What begins a goal or a section, and no HTML. */
const BLOCK = /^ {0,3}(?:[-*+]|\d{1,9}[.)]|#{1,6})[ \t]/;
/** Boxes that touch their bullet or their words: "-[ ] Bake", "- [x]Bake". */
const TOUCHING_BULLET =
  /^([ \t>]*(?:[-+]|(?:\*|\d{1,9}[.)])(?=\[[ xX~>/-]\][ \t])))(?=\[[ xX~>/-]\][ \t\p{L}\p{N}])/u;
const TOUCHING_WORDS = /^([ \t>]*(?:[-*+]|\d{1,9}[.)])[ \t]+\[[ xX~>/-]\])(?=[\p{L}\p{N}])/u;

/**
 * Returns a document as its writer meant it where Markdown would hide work in text, line by line: a box that touches its
 * bullet or its words stands apart; a line that holds only a tag is blank where the tag is not HTML (`<PRD>`) or where a list
 * or heading follows without a blank line (`</details>`). Code stays as it is.
 */
export function mendMarkdown(markdown: string): string {
  const ends = markdown.match(/\r\n|\n|\r/g) ?? [];
  const lines = markdown.split(/\r\n|\n|\r/);
  const inCode = fencedLines(lines);
  let isFollowed = false;
  for (let at = lines.length - 1; at >= 0; at -= 1) {
    const line = lines[at] ?? '';
    if (inCode[at] === true || line.trim() === '') isFollowed = false;
    else if (BLOCK.test(line)) isFollowed = true;
    if (inCode[at] !== true) lines[at] = mendLine(line, isFollowed);
  }
  return lines.map((line, at) => line + (ends[at] ?? '')).join('');
}

function mendLine(line: string, isFollowed: boolean): string {
  const [, name, attributes] = TAG.exec(line) ?? [];
  if (name !== undefined) {
    const isHtml = HTML.has(name.toLowerCase());
    const hides = isHtml ? isFollowed && !RAW.has(name.toLowerCase()) : attributes === undefined;
    return hides ? '' : line;
  }
  if (isFollowed && SUMMARY.test(line)) return line.replace(SUMMARY, '$1').trim();
  return mendBox(line);
}

function mendBox(line: string): string {
  return line.replace(TOUCHING_BULLET, '$1 ').replace(TOUCHING_WORDS, '$1 ');
}

/** Returns a document with its boxes apart from their bullets and their words, and nothing else changed. */
export function mendBoxes(markdown: string): string {
  const lines = markdown.split('\n');
  const inCode = fencedLines(lines);
  return lines.map((line, at) => (inCode[at] === true ? line : mendBox(line))).join('\n');
}

/** Returns which lines stand in a block of code between fences, these included. */
function fencedLines(lines: readonly string[]): readonly boolean[] {
  let fence: string | null = null;
  return lines.map((line) => {
    const mark = FENCE.exec(line)?.[1];
    if (fence === null) {
      fence = mark ?? null;
      return mark !== undefined;
    }
    if (mark?.startsWith(fence) === true) fence = null;
    return true;
  });
}
