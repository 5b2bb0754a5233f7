import type { EventType, PlanEvent } from '../../plan/events.js';

/** Whether an event is of a type and names a goal as its own. */
export function isOf(event: PlanEvent, type: EventType, goal: string): boolean {
  return event.type === type && 'goal' in event && event.goal === goal;
}
