import { globsMeet, isPlainName, matchesAny, matchesGlob } from './tool-glob.js';

/** One way to read the key of a bound: a tool, whose name may be a glob, and a path of names into its arguments. */
export interface BoundReading {
  readonly tool: string;
  readonly path: readonly string[];
}

/**
 * What the key of a bound can be about. `a.b.c` is about `b.c` of the tool `a` and about `c` of the tool `a.b`; it holds for
 * both, unless `allow_tools` names one of these tools outright: then it is about that tool alone, the longest of several.
 * Only the policy decides, never the tools that a plan happens to use.
 */
export function readingsOfBound(key: string, allowed: readonly string[]): readonly BoundReading[] {
  const words = key.split('.');
  const readings = words.slice(1).map((_, index) => ({
    tool: words.slice(0, index + 1).join('.'),
    path: words.slice(index + 1),
  }));
  const named = readings.findLast(({ tool }) => isPlainName(tool) && allowed.includes(tool));
  return named === undefined ? readings : [named];
}

/** Whether a bound read in a way holds for a tool. */
export function boundApplies({ tool: glob }: BoundReading, tool: string): boolean {
  return matchesGlob(glob, tool);
}

/** Whether there can be a tool that a policy allows and a bound read in this way holds for. */
export function canApply(
  { tool }: BoundReading,
  allowed: readonly string[],
  denied: readonly string[],
): boolean {
  // A denial of the glob as it is written denies every tool that it means.
  if (matchesAny(denied, tool)) return false;
  if (allowed.length === 0) return true;
  return allowed.some((glob) => globsMeet(glob, tool) && !(isPlainName(glob) && matchesAny(denied, glob)));
}
