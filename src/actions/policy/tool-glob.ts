/**
 * Whether a tool's name is what a glob means: `*` stands for any characters, dots included, `?` for one
 * character, everything else for itself. Case counts. Takes time linear in the name for each `*` at most.
 */
export function matchesGlob(glob: string, tool: string): boolean {
  let [at, place, star, mark] = [0, 0, -1, 0];
  while (place < tool.length) {
    if (glob[at] === '*') {
      star = at;
      mark = place;
      at += 1;
    } else if (at < glob.length && (glob[at] === '?' || glob[at] === tool[place])) {
      at += 1;
      place += 1;
    } else if (star !== -1) {
      at = star + 1;
      mark += 1;
      place = mark;
    } else return false;
  }
  while (glob[at] === '*') at += 1;
  return at === glob.length;
}

/** Whether one of the globs means the tool. */
export function matchesAny(globs: readonly string[], tool: string): boolean {
  return globs.some((glob) => matchesGlob(glob, tool));
}

/** Whether a glob means one tool alone. */
export function isPlainName(glob: string): boolean {
  return !/[*?]/.test(glob);
}
