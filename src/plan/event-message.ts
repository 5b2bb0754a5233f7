import { definitionOf } from './events.js';
import type { PlanEvent } from './events.js';
import type { Plan } from './plan.js';

const NONE: ReadonlyMap<string, string> = new Map();

/**
 * Says what an event did; goals by their descriptions, where the plan has them.
 * @param gone descriptions of goals that the plan had before, by their ids
 */
export function messageFor(event: PlanEvent, before: Plan | null, gone = NONE): string {
  const named = (id: string) => {
    const description = before?.goals.get(id)?.description ?? gone.get(id);
    return description === undefined ? id : `“${description}”`;
  };
  return definitionOf(event).describe(event, named, before);
}
