/** Whoever has agreed, as far as that is known: the names that the list has for the key that signed, and the key. */
export interface Agreeing {
  readonly names: readonly string[];
  /** Its fingerprint; undefined where that was not written down, and for a code. */
  readonly key: string | undefined;
}

/**
 * How many different people have agreed. Whoever shares a name or a key with another is the same one, also by way of a
 * third: a person with a certificate beside a key, or with a key that is listed under two names, counts once.
 * @param links what else tells who is who, and has not agreed: the lines of a list
 */
export function countPeople(all: readonly Agreeing[], links: readonly Agreeing[] = []): number {
  const parents = new Map<string, string>();
  const rootOf = (mark: string): string => {
    let root = mark;
    for (let next = parents.get(root); next !== undefined && next !== root; next = parents.get(root))
      root = next;
    parents.set(mark, root);
    return root;
  };
  for (const one of [...all, ...links]) {
    const [first = '', ...others] = marksOf(one);
    for (const other of [first, ...others]) parents.set(rootOf(other), rootOf(first));
  }
  return new Set(all.map((one) => rootOf(marksOf(one)[0] ?? ''))).size;
}

/** Whether two are the same person, as {@link countPeople} counts them. */
export function isSamePerson(one: Agreeing, other: Agreeing, links: readonly Agreeing[] = []): boolean {
  return countPeople([one, other], links) === 1;
}

/** A name without what one person writes in two ways: case, and stops behind a host. */
function plainName(name: string): string {
  return name
    .normalize('NFKC')
    .toLowerCase()
    .replace(/(?<!\.)\.+$/, '');
}

/** What tells a person: a name and a key of the same text are two. Codes have neither, and are all of one user. */
function marksOf({ names, key }: Agreeing): readonly string[] {
  const marks = [
    ...names.map((name) => `name ${plainName(name)}`),
    ...(key === undefined ? [] : [`key ${key}`]),
  ];
  return marks.length === 0 ? ['code'] : marks;
}
