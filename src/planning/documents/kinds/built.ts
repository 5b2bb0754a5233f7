/** What says of what a document describes that it is there already: "proven", "implemented in v2". */
const BUILT =
  /^\W*(?:already |fully )?(?:proven|verified|implemented|shipped|released|live|in production|as built)\b|\bphases? [\d\s–,-]{1,12}(?:are )?(?:complete|shipped)\b/i;
/** What may say the same of the document alone. */
const COMPLETE = /^\W*(?:completed?|done)\b/i;
/** What says that some of it is not there. */
const OPEN =
  /\b(?:not|partly|partially|partial|mostly|almost|nearly|except|pending|remaining|todo|next|until)\b|%/i;
const STATUS = /^\W{0,6}(?:current |implementation )?status\W{1,6}(?=\S)/i;
/** How many lines the head of a document has at most. */
const HEAD = 30;

/** Whether a document says in its head that what it describes is there already. */
export function isBuilt(lines: readonly string[]): boolean {
  const head = headOf(lines);
  const isTicked = lines.some((line) => TICKED.test(line)) && !lines.some((line) => UNTICKED.test(line));
  return head.some((line, at) => {
    const status = line.startsWith('|') ? cellBelow(head, at) : afterLabel(line);
    return (BUILT.test(status) || (isTicked && COMPLETE.test(status))) && !OPEN.test(status);
  });
}

const TICKED = /^\s*[-*+] \[[xX]\] |✅/;
const UNTICKED = /^\s*[-*+] \[ \] |⬜|🔲|☐|⏳/;

/** The lines before the first section. */
function headOf(lines: readonly string[]): readonly string[] {
  const titles = lines.slice(0, HEAD).flatMap((line, at) => (/^#{1,6} /.test(line) ? [at] : []));
  const [first = HEAD, second = HEAD] = titles;
  return lines.slice(0, lines[first]?.startsWith('# ') === true ? second : first);
}

function afterLabel(line: string): string {
  const label = STATUS.exec(line)?.[0];
  return label === undefined ? '' : line.slice(label.length);
}

/** What a table with one row says below the name `Status`, or beside it. */
function cellBelow(lines: readonly string[], at: number): string {
  const cells = cellsOf(lines[at] ?? '');
  const column = cells.findIndex((cell) => /^\W*status\W*$/i.test(cell));
  if (column === 0) return cells[1] ?? '';
  const isOne = /^[\s|:-]+$/.test(lines[at + 1] ?? '') && lines[at + 3]?.startsWith('|') !== true;
  return column > 0 && isOne ? (cellsOf(lines[at + 2] ?? '')[column] ?? '') : '';
}

function cellsOf(line: string): readonly string[] {
  const cells = line.split('|').slice(1);
  return cells.map((cell) => cell.trim());
}
