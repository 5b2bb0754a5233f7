import { contentStems } from '../../kernel/text/content-stems.js';
import { goalOf } from '../../plan/plan.js';
import type { Plan } from '../../plan/plan.js';
import type { Goal } from '../../plan/schema.js';
import { ancestors } from '../../plan/tree.js';

/** A goal whose result another builds on. */
export interface FinishedGoal {
  readonly goal: Goal;
  /** The divided goal that is waited for, where this one is a leaf below it; else null. */
  readonly branch: Goal | null;
}

/** Goals that are looked through below what is waited for. */
const MOST_VISITED = 2000;

/**
 * Lists what a goal builds on, what matters most first: the leaves that it waits for itself or through a goal above, then
 * of the divided goals that it waits for the leaves that have a digest, by how many words they share with the goal. A
 * divided goal without such a leaf stands for itself.
 */
export function finishedGoals(plan: Plan, goal: Goal): readonly FinishedGoal[] {
  const chain = [goal, ...ancestors(plan, goal).toReversed()];
  const ids = new Set(chain.flatMap(({ dependencies }) => dependencies));
  const direct = [...ids].flatMap((id) => plan.goals.get(id) ?? []);
  const near = direct.filter(({ child_ids }) => child_ids.length === 0);
  const known = new Set(near.map(({ id }) => id));
  let left = MOST_VISITED;
  const below = direct.flatMap((branch): readonly FinishedGoal[] => {
    if (branch.child_ids.length === 0) return [];
    const visited = goalsBelow(plan, branch, left);
    left = Math.max(0, left - visited.length);
    const told = visited.filter(({ child_ids, digest, id }) => {
      const isTold = child_ids.length === 0 && digest !== null && !known.has(id);
      if (isTold) known.add(id);
      return isTold;
    });
    return told.length === 0
      ? [{ goal: branch, branch: null }]
      : told.map((leaf) => ({ goal: leaf, branch }));
  });
  return [...near.map((one) => ({ goal: one, branch: null })), ...byWordsShared(goal, below)];
}

function byWordsShared(goal: Goal, found: readonly FinishedGoal[]): readonly FinishedGoal[] {
  const words = new Set(contentStems([goal.description, ...(goal.acceptance ?? [])].join(' ')));
  const scored = found.map((one) => {
    const { description, digest } = one.goal;
    const said = [
      description,
      digest?.summary,
      ...(digest?.key_decisions ?? []),
      ...(digest?.artifacts ?? []),
    ];
    const shared = new Set(contentStems(said.join(' ')).filter((word) => words.has(word)));
    return { one, score: shared.size };
  });
  return scored.toSorted((a, b) => b.score - a.score).map(({ one }) => one);
}

/** What is below a goal, depth-first in the order of the tree, as far as so many goals. */
function goalsBelow(plan: Plan, top: Goal, most: number): readonly Goal[] {
  const found: Goal[] = [];
  const stack = top.child_ids.toReversed();
  for (let id = stack.pop(); id !== undefined && found.length < most; id = stack.pop()) {
    const goal = goalOf(plan, id);
    found.push(goal);
    for (const child of goal.child_ids.toReversed()) stack.push(child);
  }
  return found;
}
