import { goalInWords } from '../goal-in-words.js';
import { goalOf } from '../plan.js';
import type { Plan } from '../plan.js';
import { redundantDependencies } from './redundant-dependencies.js';
import type { Goal } from '../schema.js';
import { ancestors, depthFirst } from '../tree.js';

export const DEPENDENCY_CODES = ['REDUNDANT', 'ON_FAILED', 'ONE_BY_ONE', 'ON_LATER', 'SEQUENTIAL'] as const;

/** A dependency, or a group of them, that may be wrong or is not needed. */
export interface DependencyFinding {
  readonly code: (typeof DEPENDENCY_CODES)[number];
  readonly goal: string;
  /** What it depends on; null where many goals are meant. */
  readonly depends_on: string | null;
  /**
   * Of REDUNDANT how the other dependencies imply it, from the goal to what it depends on; of ONE_BY_ONE and
   * SEQUENTIAL the goals that are meant.
   */
  readonly path: readonly string[];
}

/** Children that each wait for the one before are worth a word from here on. */
const SEQUENTIAL_FROM = 5;
/** Dependencies on so many children of one goal could be one on that goal. */
const ONE_BY_ONE_FROM = 3;

/**
 * What is to be said about the dependencies of a plan that has no circle, goals depth-first: those implied by
 * others, and those that look wrong.
 */
export function checkDependencies(plan: Plan): readonly DependencyFinding[] {
  const redundant = new Map<string, DependencyFinding[]>();
  for (const found of redundantDependencies(plan))
    redundant.set(found.goal, [...(redundant.get(found.goal) ?? []), { code: 'REDUNDANT', ...found }]);
  const order = new Map(Array.from(depthFirst(plan), ({ goal }, index) => [goal.id, index]));
  return [...order.keys()].flatMap((id) => {
    const goal = goalOf(plan, id);
    const implied = redundant.get(id) ?? [];
    const impliedBy = new Set(implied.map(({ depends_on }) => depends_on));
    const needed = goal.dependencies.filter((dependency) => !impliedBy.has(dependency));
    return [
      ...implied,
      ...onFailed(plan, goal, needed),
      ...oneByOne(plan, goal, needed),
      ...onLater(goal, needed, order),
      ...sequential(plan, goal),
    ];
  });
}

function onFailed(plan: Plan, goal: Goal, needed: readonly string[]): readonly DependencyFinding[] {
  if (goal.status === 'complete') return [];
  return needed
    .filter((id) => goalOf(plan, id).status === 'failed')
    .map((id) => ({ code: 'ON_FAILED', goal: goal.id, depends_on: id, path: [] }));
}

/** A goal that depends on most children of another, and not on that itself. */
function oneByOne(plan: Plan, goal: Goal, needed: readonly string[]): readonly DependencyFinding[] {
  const above = new Set(ancestors(plan, goal).map(({ id }) => id));
  const byParent = new Map<string, string[]>();
  for (const id of needed) {
    const parent = goalOf(plan, id).parent_id;
    if (parent !== null && !above.has(parent)) byParent.set(parent, [...(byParent.get(parent) ?? []), id]);
  }
  return [...byParent]
    .filter(([parent, ids]) => {
      const children = goalOf(plan, parent).child_ids.length;
      return ids.length >= ONE_BY_ONE_FROM && ids.length * 2 > children;
    })
    .map(([parent, ids]) => ({ code: 'ONE_BY_ONE', goal: goal.id, depends_on: parent, path: ids }));
}

function onLater(
  goal: Goal,
  needed: readonly string[],
  order: ReadonlyMap<string, number>,
): readonly DependencyFinding[] {
  const position = order.get(goal.id) ?? 0;
  return needed
    .filter((id) => (order.get(id) ?? 0) > position)
    .map((id) => ({ code: 'ON_LATER', goal: goal.id, depends_on: id, path: [] }));
}

/** A goal whose children can be done in no other way than one after the other. */
function sequential(plan: Plan, { id, child_ids }: Goal): readonly DependencyFinding[] {
  if (child_ids.length < SEQUENTIAL_FROM) return [];
  const chained = child_ids.every((child, index) => {
    const previous = child_ids[index - 1];
    return previous === undefined || goalOf(plan, child).dependencies.includes(previous);
  });
  return chained ? [{ code: 'SEQUENTIAL', goal: id, depends_on: null, path: child_ids }] : [];
}

/** Returns a finding about dependencies in words. */
export function findingInWords(plan: Plan, { code, goal, depends_on, path }: DependencyFinding): string {
  const named = (id: string) => goalInWords(plan, goalOf(plan, id));
  const on = depends_on === null ? '' : named(depends_on);
  switch (code) {
    case 'REDUNDANT':
      return `${named(goal)} need not name ${on}, which comes first anyway: ${path.map(named).join(' → ')}`;
    case 'ON_FAILED':
      return `${named(goal)} waits for ${on}, which failed`;
    case 'ONE_BY_ONE':
      return `${named(goal)} depends on ${path.length} parts of ${on} one by one: ${path.map(named).join(', ')}; a dependency on the whole says the same for parts that come later`;
    case 'ON_LATER':
      return `${named(goal)} waits for ${on}, which stands after it`;
    case 'SEQUENTIAL':
      return `each of the ${path.length} parts of ${named(goal)} waits for the one before, so nothing in it can be done in parallel`;
  }
}
