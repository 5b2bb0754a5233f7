/** A run of lines that are in no goal, by their numbers, and how it begins. */
export interface LeftOutLines {
  readonly file: string;
  readonly first_line: number;
  readonly last_line: number;
  readonly text: string;
}

/** How many lines of each file were read, and how many are kept as text; the rest is left out. */
export interface LineAccount {
  readonly files: readonly {
    readonly file: string;
    readonly lines: number;
    readonly read: number;
    readonly detail: number;
  }[];
  readonly left_out: readonly LeftOutLines[];
}

/** What of one file came to what: the lines that became text of goals, and those that are left out. */
export interface ReadFile {
  readonly file: string;
  readonly text: string;
  /** The numbers of lines that are kept as text of a goal. */
  readonly detail?: Iterable<number>;
  /** The numbers of lines that are in no goal. */
  readonly leftOut?: Iterable<number>;
}

/** Accounts for files, line by line: whatever is neither text of a goal nor left out was read. */
export function accountFor(files: readonly ReadFile[]): LineAccount {
  const read = files.map(({ file, text, detail = [], leftOut = [] }) => {
    const all = text.split('\n');
    const lines = all.at(-1) === '' ? all.length - 1 : all.length;
    const gone = [...new Set(leftOut)].filter((line) => line <= lines).toSorted((a, b) => a - b);
    const kept = new Set([...detail].filter((line) => line <= lines)).size;
    return {
      file: { file, lines, read: lines - gone.length - kept, detail: kept },
      leftOut: runsOf(gone).map(([first, last]) => ({
        file,
        first_line: first,
        last_line: last,
        text: (all[first - 1] ?? '').trim().slice(0, SHOWN),
      })),
    };
  });
  return { files: read.map(({ file }) => file), left_out: read.flatMap(({ leftOut }) => leftOut) };
}

const SHOWN = 120;

function runsOf(lines: readonly number[]): readonly (readonly [number, number])[] {
  const runs: [number, number][] = [];
  for (const line of lines) {
    const last = runs.at(-1);
    if (last !== undefined && last[1] + 1 === line) last[1] = line;
    else runs.push([line, line]);
  }
  return runs;
}

/** What is left out, in words: `left out: 3 lines of tasks.md, 41–43`. */
export function leftOutInWords(leftOut: readonly LeftOutLines[]): readonly string[] {
  return leftOut.map(({ file, first_line, last_line, text }) => {
    const count = last_line - first_line + 1;
    const where = count === 1 ? `line ${first_line}` : `${count} lines, ${first_line}–${last_line}`;
    return `left out of ${file}: ${where} (“${text}”)`;
  });
}
