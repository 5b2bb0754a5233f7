import type { SubGoal } from '../../plan/expansion.js';
import type { Warn } from './sanitize-texts.js';

/** A sub-goal with its number in the reply, from 1. */
export interface Numbered {
  readonly number: number;
  readonly subGoal: SubGoal;
}

/** The number of a sub-goal in the reply as it came. */
export type Told = (number: number) => number;

/** Where it is told what was left out, with the numbers of the reply. */
export interface Telling {
  readonly warn: Warn;
  readonly told: Told;
}

/** As many numbers are named that a sub-goal cannot depend on. */
const NAMED = 5;

/**
 * The dependencies among some of the proposed sub-goals, as indices into these. Those on earlier sub-goals are kept before
 * those on later ones, which may close a cycle; what is out of range or would close one is warned of and left out.
 * @param proposed how many sub-goals there were
 * @param standsFor the number of the one that stands for each
 */
export function keptDependencies(
  chosen: readonly Numbered[],
  proposed: number,
  standsFor: ReadonlyMap<number, number>,
  { warn, told }: Telling,
): readonly (readonly number[])[] {
  const indexOf = new Map(chosen.map(({ number }, index) => [number, index]));
  const accepted: Set<number>[] = chosen.map(() => new Set());
  const wanted = chosen.flatMap(({ number, subGoal }, from) =>
    [...new Set(subGoal.depends_on)].map((dependency) => ({
      number,
      from,
      dependency,
      to: indexOf.get(standsFor.get(dependency) ?? 0),
    })),
  );
  const bad = new Map<number, number[]>();
  const badOf = (number: number) => {
    const numbers = bad.get(number) ?? [];
    bad.set(number, numbers);
    return numbers;
  };
  for (const { number, dependency, to, from } of wanted) {
    if (dependency < 1 || dependency > proposed || to === from) badOf(number).push(dependency);
    else if (to !== undefined && to < from) accepted[from]?.add(to);
  }
  for (const [number, numbers] of bad) {
    const more = numbers.length > NAMED ? ` and ${numbers.length - NAMED} more` : '';
    warn(
      'bad_dependency',
      `sub-goal ${told(number)} cannot depend on ${numbers.slice(0, NAMED).map(told).join(', ')}${more}`,
    );
  }
  for (const { number, dependency, to, from } of wanted) {
    if (to === undefined || to <= from) continue;
    if (reaches(accepted, to, from))
      warn(
        'cyclic_dependency',
        `that sub-goal ${told(number)} depends on ${told(dependency)} would close a cycle`,
      );
    else accepted[from]?.add(to);
  }
  return accepted.map((set) => [...set].toSorted((a, b) => a - b));
}

function reaches(dependencies: readonly ReadonlySet<number>[], from: number, target: number): boolean {
  const seen = new Set<number>();
  const stack = [from];
  for (let at = stack.pop(); at !== undefined; at = stack.pop()) {
    if (at === target) return true;
    if (seen.has(at)) continue;
    seen.add(at);
    for (const dependency of dependencies[at] ?? []) stack.push(dependency);
  }
  return false;
}
