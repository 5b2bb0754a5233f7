import { pictureOf } from '../../../../exports/picture.js';
import type { Plan } from '../../../../plan/plan.js';
import { neighbourhood } from '../plan-model.js';
import type { PlanModel } from '../plan-model.js';

/** What of a plan is drawn: what is around a goal, its first levels, or every goal. */
export type GraphPart = 'around' | 'parts' | 'every';

/** How far the neighbourhood of a goal goes. */
const STEPS = 2;
/** So many goals can be read at once; of a plan with more its parts are drawn first. */
const MOST_READABLE = 60;

/** Returns the deepest level down to which a plan can be read at once; null where that is all of it, or nothing. */
export function levelOfParts({ order }: PlanModel): number | null {
  if (order.length <= MOST_READABLE) return null;
  const counts: number[] = [];
  for (const { goal } of order) counts[goal.depth] = (counts[goal.depth] ?? 0) + 1;
  let [level, sum] = [0, counts[0] ?? 0];
  while (sum + (counts[level + 1] ?? 0) <= MOST_READABLE) {
    level += 1;
    sum += counts[level] ?? 0;
  }
  return level === 0 ? null : level;
}

/** A plan as it is drawn, what each goal of it is called, and which of them stands for the one that is chosen. */
export interface DrawnPlan {
  readonly plan: Plan;
  readonly wordsOf: (id: string) => string;
  readonly chosen: string | null;
}

/** Returns the part of a plan that is drawn. @param level the deepest level of its parts */
export function partOf(
  model: PlanModel,
  part: GraphPart,
  goal: string | null,
  level: number | null,
): DrawnPlan {
  const { plan, below } = pictureOf(model.plan, {
    ...(part === 'around' && goal !== null ? { goals: neighbourhood(model, goal, STEPS) } : {}),
    ...(part === 'parts' && level !== null ? { depth: level } : {}),
  });
  let up = model.plan.goals.get(goal ?? '');
  while (up !== undefined && !plan.goals.has(up.id)) up = model.plan.goals.get(up.parent_id ?? '');
  const done = below.size === 0 ? new Map<string, Done>() : doneBelow(model);
  const wordsOf = (id: string) => {
    const { of, count } = (below.has(id) ? done.get(id) : undefined) ?? { of: 0, count: 0 };
    return `${plan.goals.get(id)?.description ?? ''}${of === 0 ? '' : ` (${count} of ${of} done)`}`;
  };
  return { plan, wordsOf, chosen: up?.id ?? null };
}

interface Done {
  readonly of: number;
  readonly count: number;
}

/** How many of the goals without parts below each goal are done. */
function doneBelow({ order }: PlanModel): ReadonlyMap<string, Done> {
  const found = new Map<string, Done>();
  for (const { goal } of order.toReversed()) {
    const own = found.get(goal.id) ?? { of: 1, count: goal.status === 'complete' ? 1 : 0 };
    const above = found.get(goal.parent_id ?? '') ?? { of: 0, count: 0 };
    found.set(goal.id, own);
    if (goal.parent_id !== null)
      found.set(goal.parent_id, { of: above.of + own.of, count: above.count + own.count });
  }
  return found;
}
