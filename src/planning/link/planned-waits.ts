import type { PlanEvent } from '../../plan/events.js';

/** Names one wait: goal and what it waits for. */
export function waitKey(goal: string, on: string): string {
  return `${goal} ${on}`;
}

/**
 * Finds the waits that planning itself made, of a plan's history: those of replies to the question how a goal is divided.
 * Whatever a person, a document or an import brought is not among them, nor what a person gave again.
 */
export function plannedWaits(events: readonly PlanEvent[]): ReadonlySet<string> {
  const planned = new Set<string>();
  for (const event of events) {
    if (event.type === 'dependencies_changed') {
      for (const { goal, add } of event.changes) for (const on of add) planned.delete(waitKey(goal, on));
    } else if (event.type === 'goal_expanded' || event.type === 'goal_replanned') {
      // An outline and a change by hand cost nothing, and say so by saying nothing of it.
      if (event.usage === undefined) continue;
      for (const { id, dependencies, source } of event.sub_goals)
        if (source === undefined) for (const on of dependencies) planned.add(waitKey(id, on));
      if (event.type === 'goal_replanned')
        for (const { goal, add } of event.keep ?? []) for (const on of add) planned.add(waitKey(goal, on));
    }
  }
  return planned;
}
