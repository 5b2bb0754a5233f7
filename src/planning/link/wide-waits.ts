import { goalOf } from '../../plan/plan.js';
import type { Plan } from '../../plan/plan.js';
import { subtree } from '../../plan/tree.js';

/** A wait in which a divided goal takes part: as the one that waits, or as the one that is waited for. */
export interface WideWait {
  readonly goal: string;
  readonly on: string;
  /** The unfinished leaves that wait by it. */
  readonly waiting: readonly string[];
  /** The leaves that they wait for by it. */
  readonly awaited: readonly string[];
}

/** Lists the waits of a plan in which a divided goal takes part. */
export function wideWaits(plan: Plan): readonly WideWait[] {
  const known = new Map<string, readonly string[]>();
  const leavesBelow = (id: string): readonly string[] => {
    const leaves =
      known.get(id) ??
      subtree(plan, goalOf(plan, id))
        .filter(({ child_ids }) => child_ids.length === 0)
        .map((leaf) => leaf.id);
    known.set(id, leaves);
    return leaves;
  };
  const isOpen = (id: string) => goalOf(plan, id).status !== 'complete';
  return [...plan.goals.values()].flatMap(({ id, child_ids, dependencies }) =>
    dependencies
      .filter((on) => child_ids.length > 0 || (plan.goals.get(on)?.child_ids.length ?? 0) > 0)
      .map((on) => ({ goal: id, on, waiting: leavesBelow(id).filter(isOpen), awaited: leavesBelow(on) })),
  );
}
