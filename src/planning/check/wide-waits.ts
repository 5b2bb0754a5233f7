import { goalOf } from '../../plan/plan.js';
import type { Goal } from '../../plan/schema.js';
import type { CheckedPlan, JudgementFinding } from './finding.js';

/** A part of fewer open leaves is no part to tell the leaves of apart. */
const FEWEST_LEAVES = 3;

/**
 * Finds waits of whole parts for whole parts that hold up more than they need to: goals that could start at once but for
 * the wait, and share no word with the part that is waited for.
 */
export function wideWaits(checked: CheckedPlan): readonly JudgementFinding[] {
  const { open, plan, named, numberOf } = checked;
  const leaves = openLeaves(checked);
  const countOf = (id: string) => leaves.get(id) ?? 0;
  return open
    .filter((goal) => goal.child_ids.length > 0 && goal.source === undefined && !isLast(checked, goal))
    .flatMap((goal) => {
      if (countOf(goal.id) < FEWEST_LEAVES) return [];
      return goal.dependencies
        .map((id) => goalOf(plan, id))
        .filter((on) => on.child_ids.length > 0 && countOf(on.id) >= FEWEST_LEAVES)
        .filter((on) => isApart(checked, goal, on))
        .map((on) => ({
          code: 'WIDE_WAIT' as const,
          goal: goal.id,
          goals: [on.id],
          message: `all ${countOf(goal.id)} parts of ${named(goal)} wait for all ${countOf(on.id)} of ${named(on)}`,
          hint: `If only some need some, say which: plan depend GOAL --on GOAL, then plan depend ${numberOf(goal)} --not-on ${numberOf(on)}; plan dependencies link asks a model`,
        }));
    });
}

/** The last part of a whole comes after the others for good reasons. */
function isLast({ plan }: CheckedPlan, { id, parent_id }: Goal): boolean {
  return parent_id === null || goalOf(plan, parent_id).child_ids.at(-1) === id;
}

/** Whether several of the goals that come first in a part share no word with the other part. */
function isApart({ plan, stemsOf }: CheckedPlan, goal: Goal, on: Goal): boolean {
  const children = (of: Goal) => of.child_ids.map((id) => goalOf(plan, id));
  const awaited = new Set([on, ...children(on)].flatMap(({ description }) => [...stemsOf(description)]));
  const own = new Set(goal.child_ids);
  const heads = children(goal).filter(
    ({ status, dependencies }) => status !== 'complete' && !dependencies.some((id) => own.has(id)),
  );
  const apart = heads.filter(
    ({ description }) => ![...stemsOf(description)].some((stem) => awaited.has(stem)),
  );
  return apart.length >= 2 && apart.length * 2 > heads.length;
}

/** How many open leaves there are below each goal. */
function openLeaves({ open }: CheckedPlan): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const goal of open.toReversed()) {
    const below = goal.child_ids.reduce((sum, id) => sum + (counts.get(id) ?? 0), 0);
    counts.set(goal.id, goal.child_ids.length === 0 ? 1 : below);
  }
  return counts;
}
