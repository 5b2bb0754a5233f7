/**
 * What each of some sub-goals depends on, without what its other dependencies come after anyway: a method names all
 * that a step builds on, and which of that is implied shows only when its slots are filled.
 * @param dependencies of each sub-goal the numbers of earlier ones, counted from 1
 */
export function neededDependencies(
  dependencies: readonly (readonly number[])[],
): readonly (readonly number[])[] {
  // Of each sub-goal all that is before it.
  const before: ReadonlySet<number>[] = [];
  for (const own of dependencies)
    before.push(new Set(own.flatMap((number) => [number, ...(before[number - 1] ?? [])])));
  return dependencies.map((own) =>
    own.filter((number) => !own.some((other) => before[other - 1]?.has(number) === true)),
  );
}
