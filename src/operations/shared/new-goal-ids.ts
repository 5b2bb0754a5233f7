import type { Environment } from './environment.js';

/**
 * Makes goal ids of a plan, each another.
 * @param isTaken whether the plan has a goal of an id, at the time of asking
 */
export function newGoalIds(
  { ids }: Pick<Environment, 'ids'>,
  plan: string,
  isTaken: (id: string) => boolean = () => false,
): () => string {
  const made = new Set<string>();
  return () => {
    for (;;) {
      const id = `${plan}-${ids.goalSuffix()}`;
      if (made.has(id) || isTaken(id)) continue;
      made.add(id);
      return id;
    }
  };
}
