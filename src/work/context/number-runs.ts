/** Numbers of goals that follow each other below the same one, such as `3.1–3.9`. */
export interface NumberRun {
  readonly text: string;
  readonly count: number;
}

/** Returns numbers of goals in the order of the tree, those that follow each other as one run. */
export function runsOf(numbers: readonly string[]): readonly NumberRun[] {
  const runs: { first: string; last: string; count: number }[] = [];
  for (const number of numbers.toSorted(byPlace)) {
    const run = runs.at(-1);
    if (run !== undefined && isNext(run.last, number)) {
      run.last = number;
      run.count += 1;
    } else runs.push({ first: number, last: number, count: 1 });
  }
  return runs.map(({ first, last, count }) => ({ text: count === 1 ? first : `${first}–${last}`, count }));
}

const { compare: byPlace } = new Intl.Collator('en', { numeric: true });

function isNext(one: string, other: string): boolean {
  const [before, after] = [one.split('.'), other.split('.')];
  const [last, next] = [before.pop(), after.pop()].map(Number);
  return before.join('.') === after.join('.') && Number(last) + 1 === next;
}
