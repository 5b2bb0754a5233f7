import { changeDependencies, type DependencyChange } from '../../plan/apply/dependencies.js';
import { inQuotes } from '../../plan/goal-in-words.js';
import type { Plan } from '../../plan/plan.js';
import type { Goal } from '../../plan/schema.js';
import { ancestors } from '../../plan/tree.js';
import { bearersOf, type Bearers, type Numbers } from './bearers.js';
import { needOfHold, needsSaid } from './said-in-goals.js';

/** So many texts are left out for a cycle before no more are tried. */
const MOST_CYCLES = 100;

/** What goals of a document wait for by its own words. */
export interface NamedNeeds {
  readonly changes: readonly DependencyChange[];
  /** Goals that are on hold for nothing but goals that they wait for now: "blocked by Build the API". */
  readonly freed: ReadonlySet<string>;
}

/**
 * Returns what goals of a document wait for by its own words: each number and each name that a goal says it needs, which one other
 * goal bears and none of those around it. What would close a cycle is left out.
 * @param numbers by the ids of the goals
 * @param tell is told in words what is not waited for
 */
export function namedNeeds(
  plan: Plan,
  at: string,
  numbers: Numbers,
  tell: (words: string) => void,
): NamedNeeds {
  const bearers = bearersOf(plan, numbers);
  const found = new Map<string, DependencyChange>();
  const unknown = new Set<string>();
  const names = new Set<string>();
  let areNamed = false;
  for (const goal of plan.goals.values()) {
    if (goal.status === 'complete' || goal.parent_id === null) continue;
    const of = (said: string) =>
      `${inQuotes(goal.description)} does not wait for ${said}, which does not exist`;
    const needs = needsSaid(goal).flatMap(({ said, isNumber, isList, isName }) => {
      const each = bearers.find(goal, said, isName);
      if (isNumber) for (const number of each.numbers) unknown.add(of(number));
      if (isList) for (const name of each.names) names.add(of(inQuotes(name)));
      areNamed ||= isList && each.byName;
      return each.goals;
    });
    const add = [...needs, ...bearers.find(goal, needOfHold(goal) ?? '').goals].filter(
      (need) => !goal.dependencies.includes(need.id) && areApart(plan, goal, need),
    );
    if (add.length > 0)
      found.set(goal.id, { goal: goal.id, add: [...new Set(add.map(({ id }) => id))], remove: [] });
  }
  // Where no goal is named so, the names are those of other things.
  for (const words of [...unknown, ...(areNamed ? names : [])]) tell(words);
  const changes = withoutCycles(plan, found, at, tell);
  return { changes, freed: freedBy(plan, changes, bearers) };
}

function withoutCycles(
  plan: Plan,
  found: Map<string, DependencyChange>,
  at: string,
  tell: (words: string) => void,
): readonly DependencyChange[] {
  for (let tries = 0; found.size > 0 && tries < MOST_CYCLES; tries += 1) {
    const verdict = changeDependencies(plan, [...found.values()], at);
    if (verdict.kind !== 'refused') return [...found.values()];
    const cycle = verdict.refusal.code === 'cycle' ? verdict.refusal.goals : [];
    const left = cycle.filter((id) => found.delete(id));
    const names = left.flatMap((id) => plan.goals.get(id)?.description ?? []).map(inQuotes);
    if (left.length > 0)
      tell(
        `${names.join(' and ')} would wait for ${left.length > 1 ? 'each other' : 'itself'} in a circle, and ${left.length > 1 ? 'do' : 'does'} not wait`,
      );
    if (left.length === 0) return [];
  }
  return [];
}

/** The goals whose hold says no more than what they wait for. */
function freedBy(plan: Plan, changes: readonly DependencyChange[], bearers: Bearers): ReadonlySet<string> {
  const added = new Map(changes.map(({ goal, add }) => [goal, add]));
  const freed = [...plan.goals.values()].filter((goal) => {
    const waits = new Set([...goal.dependencies, ...(added.get(goal.id) ?? [])]);
    const { goals, numbers, names } = bearers.find(goal, needOfHold(goal) ?? '');
    const isWhole = goals.length > 0 && numbers.length + names.length === 0;
    return isWhole && goals.every(({ id }) => waits.has(id));
  });
  return new Set(freed.map(({ id }) => id));
}

function areApart(plan: Plan, goal: Goal, other: Goal): boolean {
  return goal !== other && !ancestors(plan, goal).includes(other) && !ancestors(plan, other).includes(goal);
}
