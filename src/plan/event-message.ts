import { definitionOf } from './events.js';
import type { PlanEvent } from './events.js';
import type { Plan } from './plan.js';

/** Says what an event did; goals by their descriptions, where the plan has them. */
export function messageFor(event: PlanEvent, before: Plan | null): string {
  const named = (id: string) => {
    const goal = before?.goals.get(id);
    return goal === undefined ? id : `“${goal.description}”`;
  };
  return definitionOf(event).describe(event, named, before);
}
