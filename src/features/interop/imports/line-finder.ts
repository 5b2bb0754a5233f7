/** Finds where something stands in a file, from line 1. */
export type FindLine = (title: string) => { readonly file: string; readonly line: number };

/** Titles that are looked for in vain in the whole rest of a file before no other is: it writes them with other escapes. */
const MOST_MISSES = 20;

/** Finds the lines of titles in a file of JSON, asked in their order, each from the one before; where it is not found, that one’s. */
export function lineFinder(file: string, text: string): FindLine {
  let [from, line, misses] = [0, 1, 0];
  return (title) => {
    const quoted = JSON.stringify(title);
    const at = misses < MOST_MISSES ? text.indexOf(quoted, from) : -1;
    if (at < 0) misses += 1;
    else {
      for (let end = text.indexOf('\n', from); end >= 0 && end < at; end = text.indexOf('\n', end + 1))
        line += 1;
      from = at;
    }
    return { file, line };
  };
}
