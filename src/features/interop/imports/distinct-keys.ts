/** Gives out keys that nobody else has: the first who asks has it as it is, those after him with a number behind it. */
export function distinctKeys(): (key: string) => string {
  const given = new Set<string>();
  const counts = new Map<string, number>();
  return (key) => {
    let number = counts.get(key) ?? 1;
    let free = key;
    while (given.has(free)) free = `${key} (${(number += 1)})`;
    counts.set(key, number);
    given.add(free);
    return free;
  };
}
