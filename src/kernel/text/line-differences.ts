/** What differs between two texts, a line each: what is gone after `-`, what is new after `+`. */
export function lineDifferences(before: string, after: string): string {
  const [old, now] = [linesOf(before), linesOf(after)];
  let first = 0;
  while (first < Math.min(old.length, now.length) && old[first] === now[first]) first += 1;
  let last = 0;
  while (last < Math.min(old.length, now.length) - first && old.at(-1 - last) === now.at(-1 - last))
    last += 1;
  const gone = old.slice(first, old.length - last).map((line) => `-${line}\n`);
  const added = now.slice(first, now.length - last).map((line) => `+${line}\n`);
  return [...gone, ...added].join('');
}

function linesOf(text: string): readonly string[] {
  return text === '' ? [] : text.replace(/\n$/, '').split('\n');
}
