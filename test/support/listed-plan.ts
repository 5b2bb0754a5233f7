import { child, created, expanded, id } from './applying.js';
import type { Plan } from '../../src/plan/plan.js';
import { readFixture } from './plans.js';

/** A leaf of a plan, as a line of `test/fixtures/quality` has it: number, part, goal, needs, checks. */
interface ListedLeaf {
  readonly number: string;
  readonly goal: string;
  readonly needs: ReadonlySet<string>;
  readonly acceptance: string[];
}

const LINE = /^(\S+) \[.*?\] (.*?) \| needs: (.*?) \| done when: (.*)$/;

/** Reads a list of leaves. */
export function readLeaves(name: string): readonly ListedLeaf[] {
  const lines = readFixture(`quality/${name}.leaves.txt`).trim().split('\n');
  return lines.map((line) => {
    const [, number = '', goal = '', needs = '', checks = ''] = LINE.exec(line) ?? [];
    const acceptance = checks.split('; ').filter((check) => check !== '');
    return { number, goal, needs: new Set(needs === '-' ? [] : needs.split(', ')), acceptance };
  });
}

/** The id of the goal of a number. */
export const idOfNumber = (number: string) => id(number === '' ? 'root' : `n${number.replaceAll('.', 'x')}`);

/**
 * The plan that a list of leaves is of. A part waits for another where each of its leaves is said to wait for each of the
 * other's; these are the waits that planning made.
 */
export function planOfLeaves(leaves: readonly ListedLeaf[]): {
  readonly plan: Plan;
  readonly planned: ReadonlySet<string>;
} {
  const planned = new Set<string>();
  const numbers = [...new Set(leaves.flatMap(({ number }) => placesOf(number)))];
  const below = (number: string) => leaves.filter((leaf) => placesOf(leaf.number).includes(number));
  const waitsFor = (one: string, other: string) =>
    below(one).every(({ needs }) => below(other).every((leaf) => needs.has(leaf.number)));
  const divide = (plan: Plan, parent: string): Plan => {
    const parts = numbers.filter((number) => parentOf(number) === parent);
    if (parts.length === 0) return plan;
    const subGoals = parts.map((number) => {
      const leaf = leaves.find((each) => each.number === number);
      const dependencies = parts
        .filter((other) => other !== number && waitsFor(number, other))
        .map(idOfNumber);
      for (const on of dependencies) planned.add(`${idOfNumber(number)} ${on}`);
      const description = leaf?.goal ?? `Part ${number}`;
      const acceptance = leaf === undefined ? {} : { acceptance: leaf.acceptance };
      const suffix = idOfNumber(number).slice(9);
      return child(suffix, { description, dependencies, atomic: leaf !== undefined, ...acceptance });
    });
    return parts.reduce(divide, expanded(plan, idOfNumber(parent).slice(9), subGoals));
  };
  return { plan: divide(created(), ''), planned };
}

/** A number and those above it: `1`, `1.2`, `1.2.3`. */
function placesOf(number: string): readonly string[] {
  const digits = number.split('.');
  return digits.map((_, index) => digits.slice(0, index + 1).join('.'));
}

function parentOf(number: string): string {
  return number.split('.').slice(0, -1).join('.');
}
