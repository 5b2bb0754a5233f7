import type { Plan } from '../../../../plan/plan.js';

/** What has to do with a goal of a drawing. */
export interface Reach {
  readonly goal: string;
  /** What it needs, by whatever way. */
  readonly needs: ReadonlySet<string>;
  /** What needs it. */
  readonly neededBy: ReadonlySet<string>;
}

/**
 * Follows what a goal of a plan needs, and what needs it, to the end: what a goal above needs, a goal needs too, and of
 * what is needed every part is.
 */
export function reachOf(plan: Plan, dependents: ReadonlyMap<string, readonly string[]>, goal: string): Reach {
  return {
    goal,
    needs: closure(plan, goal, (id) => plan.goals.get(id)?.dependencies ?? []),
    neededBy: closure(plan, goal, (id) => dependents.get(id) ?? []),
  };
}

function closure(plan: Plan, from: string, next: (id: string) => readonly string[]): ReadonlySet<string> {
  const found = new Set<string>();
  const walked = new Set<string>();
  const open = [from];
  const find = (id: string) => {
    if (id === from || found.has(id) || !plan.goals.has(id)) return;
    found.add(id);
    open.push(id);
  };
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    if (id !== from) for (const child of plan.goals.get(id)?.child_ids ?? []) find(child);
    for (
      let up = plan.goals.get(id);
      up !== undefined && !walked.has(up.id);
      up = plan.goals.get(up.parent_id ?? '')
    ) {
      walked.add(up.id);
      for (const each of next(up.id)) find(each);
    }
  }
  return found;
}
