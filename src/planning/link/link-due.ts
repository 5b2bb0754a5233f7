import type { PlanEvent } from '../../plan/events.js';
import type { Plan } from '../../plan/plan.js';
import type { Settings } from '../../plan/schema.js';
import { numberedLeaves } from './link-question.js';

/** Whether the leaves of a plan can be compared: none is left to plan, and there are two of them. */
export function isLinkable(plan: Plan): boolean {
  return plan.counts.pending === 0 && numberedLeaves(plan).length > 1;
}

/** Whether planning with some settings asks at its end which leaves need each other. */
export function asksForLinks({ expander, link }: Pick<Settings, 'expander' | 'link'>): boolean {
  return link !== false && expander !== 'rules';
}

/**
 * Whether a plan's history leaves the question open which leaves need each other: a goal was divided by whoever is asked,
 * and since then the leaves were neither compared nor did planning end without it.
 */
export function isLinkDue(events: readonly PlanEvent[]): boolean {
  let due = false;
  let isPaused = false;
  for (const event of events) {
    // What rules, a document or a person divides cost nothing, and says so by saying nothing of it.
    if (event.type === 'goal_expanded') due ||= event.usage !== undefined;
    else if (event.type === 'plan_paused') isPaused = true;
    else if (event.type === 'planning_started') isPaused = false;
    else if (event.type === 'dependencies_linked' || (event.type === 'planning_ended' && !isPaused))
      due = false;
  }
  return due;
}
