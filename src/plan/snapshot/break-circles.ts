import { stronglyConnected } from '../../kernel/strongly-connected.js';
import { makePlan } from '../make-plan.js';
import { endNode, startNode, workOrder } from '../readiness/work-order.js';
import type { Goal, PlanFile } from '../schema.js';

/**
 * So often a circle is opened at its first goal alone and the rest looked at anew. What is left then, circles within circles
 * within circles, is opened at once, so that the work does not grow with their number.
 */
const ROUNDS = 16;

/** A goal with a dependency on one that waits for it. */
interface InCircle {
  readonly goal: Goal;
  /** Which of the groups of goals that wait for each other. */
  readonly group: number;
  readonly dependency: string;
}

/**
 * Drops dependencies until no goals wait for each other: those of the first goal of each circle that are on the circle. The
 * tree of the file is as it must be, its goals stand parents before children, each with all below it, and none depends on a
 * relative.
 */
export function breakCircles(file: PlanFile): PlanFile {
  const goals = { ...file.goals };
  const places = new Map(Object.keys(goals).map((id, index) => [id, index]));
  const isLater = ({ goal, dependency }: InCircle) =>
    (places.get(dependency) ?? 0) > (places.get(goal.id) ?? 0);
  for (let round = 1; ; round += 1) {
    const found = dependenciesInCircles({ ...file, goals });
    if (found.length === 0) return { ...file, goals };
    // Without those on later goals all that is left leads forward: work in the order of the file.
    const dropped = round < ROUNDS ? ofFirstGoals(found) : found.filter(isLater);
    for (const [id, gone] of byGoal(dropped)) {
      const goal = goals[id];
      if (goal !== undefined)
        goals[id] = { ...goal, dependencies: goal.dependencies.filter((on) => !gone.has(on)) };
    }
  }
}

/** Dependencies that are on a circle, in the order of the file. */
function dependenciesInCircles(file: PlanFile): readonly InCircle[] {
  const plan = makePlan(file, Object.values(file.goals));
  const work = workOrder(plan, 'every');
  if (work.order.length === work.first.length - 1) return [];
  const groups = stronglyConnected(work);
  const indexes = new Map(work.goals.map(({ goal }, index) => [goal.id, index]));
  return Object.values(file.goals).flatMap((goal) => {
    const group = groups[startNode(indexes.get(goal.id) ?? 0)] ?? 0;
    return goal.dependencies
      .filter((dependency) => groups[endNode(indexes.get(dependency) ?? 0)] === group)
      .map((dependency) => ({ goal, group, dependency }));
  });
}

/** Of each group those of its first goal. */
function ofFirstGoals(found: readonly InCircle[]): readonly InCircle[] {
  const first = new Map<number, Goal>();
  for (const { group, goal } of found) if (!first.has(group)) first.set(group, goal);
  return found.filter(({ group, goal }) => first.get(group) === goal);
}

function byGoal(found: readonly InCircle[]): ReadonlyMap<string, ReadonlySet<string>> {
  const all = new Map<string, Set<string>>();
  for (const { goal, dependency } of found) all.set(goal.id, (all.get(goal.id) ?? new Set()).add(dependency));
  return all;
}
