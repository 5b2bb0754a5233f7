import type { Plan } from '../../plan/plan.js';
import type { Context } from '../shared/context.js';

/** Makes goal ids that a plan does not have, each another. */
export function newGoalIds({ environment }: Context, plan: Plan): () => string {
  const taken = new Set<string>();
  return () => {
    for (;;) {
      const id = `${plan.header.id}-${environment.ids.goalSuffix()}`;
      if (plan.goals.has(id) || taken.has(id)) continue;
      taken.add(id);
      return id;
    }
  };
}
