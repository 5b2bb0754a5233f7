/**
 * Whether a tool's name is what a glob means: `*` stands for any characters, dots included, `?` for one
 * character, everything else for itself. Case counts. Takes time linear in the name for each `*` at most.
 */
export function matchesGlob(glob: string, tool: string): boolean {
  let [at, position, star, mark] = [0, 0, -1, 0];
  while (position < tool.length) {
    if (glob[at] === '*') {
      star = at;
      mark = position;
      at += 1;
    } else if (at < glob.length && (glob[at] === '?' || glob[at] === tool[position])) {
      at += 1;
      position += 1;
    } else if (star !== -1) {
      at = star + 1;
      mark += 1;
      position = mark;
    } else return false;
  }
  while (glob[at] === '*') at += 1;
  return at === glob.length;
}

/** Whether one of the globs means the tool. */
export function matchesAny(globs: readonly string[], tool: string): boolean {
  return globs.some((glob) => matchesGlob(glob, tool));
}

/** Whether there is a name that both globs mean. Takes time quadratic in their lengths at most. */
export function globsMeet(a: string, b: string): boolean {
  // reached[j]: whether what is before `at` in `a` and before `j` in `b` can be the same text.
  let reached = Array.from({ length: b.length + 1 }, (_, j) => /^\**$/.test(b.slice(0, j)));
  for (const unit of a.split('')) {
    const next = [unit === '*' && reached[0] === true];
    for (const [j, other] of b.split('').entries()) {
      const [left, above, both] = [next[j] === true, reached[j + 1] === true, reached[j] === true];
      if (unit === '*') next.push(above || left);
      else if (other === '*') next.push(left || above);
      else next.push(both && (unit === other || unit === '?' || other === '?'));
    }
    reached = next;
  }
  return reached[b.length] === true;
}

/** Whether a glob means one tool alone. */
export function isPlainName(glob: string): boolean {
  return !/[*?]/.test(glob);
}
